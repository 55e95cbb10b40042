package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Column is derived from the records of a run: a packed column of a part of them, or
// something about the whole run. It can be deleted and made again at any time.
type Column struct {
	// Part counts the parts from 0; −1 is the whole run. N is the number of records that
	// the column is derived from.
	Part, N int
	Name    string
	Body    []byte
}

// columnColumns are the columns of a columnRow.
const columnColumns = `run_id, kind, part, name, n, checksum, packed`

// A columnRow is a row of the table columns.
type columnRow struct {
	run, kind, name   string
	part, n, checksum int64
	packed            []byte
}

func (r *columnRow) into() []any {
	return []any{&r.run, &r.kind, &r.part, &r.name, &r.n, &r.checksum, &r.packed}
}

func (r *columnRow) sum(body []byte) int64 {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return seal(0, sumOf(body, "columns", r.run, r.kind, number(r.part), r.name, number(r.n)))
}

// body unpacks and verifies the column.
func (r *columnRow) body() ([]byte, error) {
	body, err := unpack(nil, true, r.packed)
	if err != nil || r.sum(body) != r.checksum {
		return nil, &alteredError{fmt.Sprintf("run %q: part %d of column %q", r.run, r.part, r.name), columnList("kind, part, name, n, packed"),
			"columns", "delete the rows of the run from it, which are derived from the records"}
	}
	return body, nil
}

// PutColumns replaces the columns of a run that have a kind by others, all or none. Bodies
// must not be empty. If the run does not exist, the error is [ErrNotFound].
func (s *Store) PutColumns(ctx context.Context, runID, kind string, columns []Column) error {
	rows := make([]columnRow, len(columns))
	for i, c := range columns {
		if err := storable("column name", c.Name); err != nil {
			return err
		}
		packed, err := pack(string(c.Body))
		if err != nil {
			return fmt.Errorf("run %q: column %q: %w", runID, c.Name, err)
		}
		rows[i] = columnRow{run: runID, kind: kind, part: int64(c.Part), name: c.Name, n: int64(c.N), packed: packed[0]}
		rows[i].checksum = rows[i].sum(c.Body)
	}
	return s.transact(ctx, runID, func(ctx context.Context, tx *sql.Tx, _ bool) error {
		// The update blocks another writer of the same columns until the commit.
		res, err := tx.ExecContext(ctx, `UPDATE runs SET kept = kept WHERE id = $1`, runID)
		if err != nil {
			return s.explain(err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, notFound(runID))
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM columns WHERE run_id = $1 AND kind = $2`, runID, kind); err != nil {
			return s.explain(err)
		}
		insert, err := tx.PrepareContext(ctx, `INSERT INTO columns (`+columnColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)`)
		if err != nil {
			return s.explain(err)
		}
		defer insert.Close()
		for _, r := range rows {
			if _, err := insert.ExecContext(ctx, r.run, r.kind, r.part, r.name, r.n, r.checksum, r.packed); err != nil {
				return s.explain(err)
			}
		}
		return nil
	})
}

// Columns returns the columns of a run that have a kind, by part and name; nil if it has none. One that was
// altered is an [assay.ErrAltered]. As for [Store.Records], it is an error if the run does
// not exist or has lost records.
func (s *Store) Columns(ctx context.Context, runID, kind string) (_ []Column, err error) {
	want, err := s.Counts(ctx, runID)
	if err != nil {
		return nil, err
	}
	var have int
	err = s.read.QueryRowContext(ctx, `SELECT count(*) FROM records WHERE run_id = $1`, runID).Scan(&have)
	if err == nil && have < want.Records {
		err = missingRecords(runID, have, want.Records)
	}
	if err != nil {
		return nil, s.explain(err)
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT `+columnColumns+` FROM columns WHERE run_id = $1 AND kind = $2 ORDER BY part, name`, runID, kind)
	if err != nil {
		return nil, s.explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var out []Column
	for rows.Next() {
		var r columnRow
		if err := rows.Scan(r.into()...); err != nil {
			return nil, s.explain(err)
		}
		body, err := r.body()
		if err != nil {
			return nil, err
		}
		out = append(out, Column{int(r.part), int(r.n), r.name, body})
	}
	return out, s.explain(rows.Err())
}

// RunColumns returns the columns about whole runs that have a kind, by run. A run that does
// not exist, has none, or whose column was altered, is not in it. Unlike [Store.Columns], it
// does not check that the runs have all their records.
func (s *Store) RunColumns(ctx context.Context, kind string, runIDs []string) (map[string]Column, error) {
	if len(runIDs) == 0 {
		return nil, nil
	}
	args, in := []any{kind}, make([]string, len(runIDs))
	for i, id := range runIDs {
		args, in[i] = append(args, id), fmt.Sprintf("$%d", i+2)
	}
	out := make(map[string]Column, len(runIDs))
	err := s.each(ctx, func(rows *sql.Rows) error {
		var r columnRow
		if err := rows.Scan(r.into()...); err != nil {
			return err
		}
		if body, err := r.body(); err == nil {
			out[r.run] = Column{int(r.part), int(r.n), r.name, body}
		}
		return nil
	}, `SELECT `+columnColumns+` FROM columns WHERE kind = $1 AND part = -1 AND run_id IN (`+strings.Join(in, ", ")+`)`, args...)
	return out, err
}
