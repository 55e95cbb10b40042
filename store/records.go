package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/assay-eval/assay"
)

// Put adds records to a run, all or none; they are durable when it returns nil. The
// answers that [Store.PutAnswers] kept for them are removed. If a
// case is already recorded, the error is [ErrExists]; if the run does not exist,
// [ErrNotFound].
func (s *Store) Put(ctx context.Context, runID string, recs ...assay.Record) error {
	rows, err := newRows(recs)
	if err != nil {
		return fmt.Errorf("run %q: %w", runID, err)
	}
	return s.transact(ctx, runID, func(ctx context.Context, tx *sql.Tx, again bool) error {
		return s.putRows(ctx, tx, runID, rows, again)
	})
}

func (s *Store) putRows(ctx context.Context, tx *sql.Tx, runID string, rows []dbRow, again bool) error {
	// This update blocks other writers until the commit, so that positions are in
	// commit order.
	var kept, answers int64
	err := tx.QueryRowContext(ctx, `UPDATE runs SET kept = kept + $1, failed = failed + $2, tally = tally + $3 WHERE id = $4 RETURNING kept, `+
		`(SELECT count(*) FROM (SELECT 1 FROM items WHERE kind = $5 AND parent = $4 LIMIT 1) AS one)`,
		len(rows), failures(rows), tally(len(rows), failures(rows)), runID, kindAnswer).Scan(&kept, &answers)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return notFound(runID)
	case err != nil:
		return s.explain(err)
	}
	if again && len(rows) > 0 {
		// A commit without a reply may have succeeded. Then all rows exist, else none.
		var packed []byte
		err := tx.QueryRowContext(ctx, `SELECT record_packed FROM records WHERE run_id = $1 AND seq = $2`, runID, rows[0].seq).Scan(&packed)
		switch {
		case err == nil && bytes.Equal(packed, rows[0].recordPacked):
			_, err := tx.ExecContext(ctx, `UPDATE runs SET kept = kept - $1, failed = failed - $2, tally = tally - $3 WHERE id = $4`,
				len(rows), failures(rows), tally(len(rows), failures(rows)), runID)
			return s.explain(err)
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return s.explain(err)
		}
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO records (run_id, seq, position, case_id, failure, checksum, `+
		`brief_packed, record_packed, brief, record_plain) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', '')`)
	if err != nil {
		return s.explain(err)
	}
	defer insert.Close()
	for i, r := range rows {
		position := kept - int64(len(rows)-1-i)
		_, err = insert.ExecContext(ctx, runID, r.seq, position, r.caseID, r.failure, r.seal(runID, position), r.briefPacked, r.recordPacked)
		switch {
		case s.db.unique(err):
			return fmt.Errorf("run %q: record of case %d (%q): %w", runID, r.seq, r.caseID, ErrExists)
		case err != nil:
			return s.explain(err)
		}
	}
	if answers == 0 {
		return nil
	}
	return s.removeAnswers(ctx, tx, runID, rows)
}

// A dbRow is a record in the form of its table.
type dbRow struct {
	seq             int
	caseID, failure string
	// brief and record are JSON.
	brief, record             string
	briefPacked, recordPacked []byte
}

// seal returns the checksum of the row at a position of a run.
func (r *dbRow) seal(runID string, position int64) int64 {
	row := recordRow{run: runID, seq: int64(r.seq), position: position, caseID: r.caseID, failure: r.failure}
	return seal(briefSum(&row, r.brief), recordSum(&row, r.record))
}

// newRows encodes and packs records, which takes longer than to store them, on all
// processors.
func newRows(recs []assay.Record) ([]dbRow, error) {
	rows, errs := make([]dbRow, len(recs)), make([]error, len(recs))
	var next atomic.Int64
	var work sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(recs)) {
		work.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(recs) {
					return
				}
				var err error
				if rows[i], err = newRow(recs[i]); err != nil {
					errs[i] = fmt.Errorf("case %q: %w", recs[i].Case.ID, err)
				}
			}
		})
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func newRow(r assay.Record) (_ dbRow, err error) {
	out := dbRow{seq: r.Seq, caseID: r.Case.ID}
	if r.Failure != nil {
		out.failure = r.Failure.Kind
	}
	if err := storable("case id", r.Case.ID); err != nil {
		return out, err
	}
	if out.record, err = encode(r); err != nil {
		return out, err
	}
	if out.brief, err = encode(Brief(r)); err != nil {
		return out, err
	}
	out.briefPacked, out.recordPacked, err = packPair(out.brief, out.record)
	return out, err
}

// encode returns JSON on one line. It contains no NUL byte, since JSON escapes it.
func encode(r assay.Record) (string, error) {
	var text bytes.Buffer
	err := json.NewEncoder(&text).Encode(r)
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), err
}

// failures counts the rows without a response.
func failures(rows []dbRow) int {
	n := 0
	for _, r := range rows {
		if r.failure != "" {
			n++
		}
	}
	return n
}

// Records yields a run's records in the order of Seq. An error ends the sequence; if
// the run does not exist, it is [ErrNotFound]. Numbers in a case's metadata are
// returned as [json.Number], so that they are written again unchanged.
func (s *Store) Records(ctx context.Context, runID string) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		if err := s.records(ctx, runID, func(r assay.Record) bool { return yield(r, nil) }); err != nil {
			yield(assay.Record{}, err)
		}
	}
}

// records calls f for each record until f returns false. After f has returned false it
// returns no error.
func (s *Store) records(ctx context.Context, runID string, f func(assay.Record) bool) error {
	want, err := s.Counts(ctx, runID)
	if err != nil {
		return err
	}
	last, read := int64(-1), 0
	err = s.stream(ctx, func(ctx context.Context, _ bool) (err error) {
		rows, err := s.read.QueryContext(ctx, selectRecords+` WHERE run_id = $1 AND seq > $2 ORDER BY seq`,
			runID, last)
		if err != nil {
			return s.explain(err)
		}
		defer rows.Close()
		for rows.Next() {
			row := recordRow{run: runID}
			r, err := row.readRecord(rows)
			if err != nil {
				return s.explain(err)
			}
			last = row.seq
			read++
			if !f(r) {
				want.Records = read
				return nil
			}
		}
		return s.explain(rows.Err())
	})
	if err != nil || read >= want.Records {
		return err
	}
	// Records are only deleted with their run.
	if _, err := s.Counts(ctx, runID); err != nil {
		return err
	}
	return s.explain(missingRecords(runID, read, want.Records))
}

// missingRecords is the error of a run that has fewer records than were stored.
func missingRecords(runID string, have, want int) error {
	return fmt.Errorf("%w: run %q: has %d of the %d records that were stored: restore the database from a backup, or evaluate again",
		ErrNotStore, runID, have, want)
}

// Counts is the progress of a run.
type Counts struct {
	// Records counts the finished cases, Failed those in which the target gave no
	// response.
	Records, Failed int
}

// Counts counts a run's records. If the run does not exist, the error is [ErrNotFound].
func (s *Store) Counts(ctx context.Context, runID string) (Counts, error) {
	var c Counts
	var told int64
	err := s.try(ctx, func(ctx context.Context, _ bool) error {
		return s.read.QueryRowContext(ctx, `SELECT kept, failed, tally FROM runs WHERE id = $1`, runID).Scan(&c.Records, &c.Failed, &told)
	})
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return c, notFound(runID)
	case err == nil && told != tally(c.Records, c.Failed):
		err = alteredCounts(runID)
	}
	return c, s.explain(err)
}
