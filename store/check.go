package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A Checked is what [Store.Check] read.
type Checked struct {
	// Rows counts the rows of each table, in the order of Tables.
	Tables []string
	Rows   []int
}

// Check reads the whole database: it has the database check its own structure, where it
// can, and compares every row with its checksum, the columns of a row with what they
// repeat, and the counts of every run with its records. It calls fault with each fault;
// the rest is checked all the same. What another process writes meanwhile is no fault.
//
// The error says why the check did not come to its end.
func (s *Store) Check(ctx context.Context, fault func(error)) (Checked, error) {
	told := func(err error) {
		if ctx.Err() == nil {
			fault(s.explain(err))
		}
	}
	if err := s.db.check(ctx, s.read.DB, told); err != nil {
		told(err)
	}
	var out Checked
	for _, t := range tables {
		n, err := s.checkRows(ctx, t, told)
		if err != nil {
			told(fmt.Errorf("table %s: after %d rows: %w", t.name, n, err))
		}
		out.Tables, out.Rows = append(out.Tables, t.name), append(out.Rows, n)
	}
	if err := s.checkCounts(ctx, told); err != nil {
		told(err)
	}
	return out, ctx.Err()
}

// checkRows checks each row of a table and returns their number.
func (s *Store) checkRows(ctx context.Context, t table, fault func(error)) (n int, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT `+t.columns+` FROM `+t.name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		r, err := t.scan(rows)
		if err != nil {
			return n, err
		}
		n++
		if err := r.verify(); err != nil {
			fault(err)
		} else if err := r.inspect(); err != nil {
			fault(fmt.Errorf("%w: %w", ErrNotStore, err))
		}
	}
	return n, rows.Err()
}

// checkCounts compares the counts of the runs with their records.
func (s *Store) checkCounts(ctx context.Context, fault func(error)) error {
	return s.each(ctx, func(rows *sql.Rows) error {
		var id string
		var c, have Counts
		var told, last int64
		if err := rows.Scan(&id, &c.Records, &c.Failed, &told, &have.Records, &have.Failed, &last); err != nil {
			return err
		}
		switch {
		case told != tally(c.Records, c.Failed):
			fault(alteredCounts(id))
		case have.Records != c.Records:
			fault(missingRecords(id, have.Records, c.Records))
		case have.Failed != c.Failed || last != int64(c.Records):
			fault(fmt.Errorf("%w: run %q: %d of %d records have no response and the last is at position %d: expected %d and %d", ErrNotStore, id,
				have.Failed, have.Records, last, c.Failed, c.Records))
		}
		return nil
	}, `SELECT id, kept, failed, tally, (SELECT count(*) FROM records WHERE run_id = runs.id),
		(SELECT count(*) FROM records WHERE run_id = runs.id AND failure <> ''),
		(SELECT coalesce(max(position), 0) FROM records WHERE run_id = runs.id) FROM runs`)
}
