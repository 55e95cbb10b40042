package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/assay-eval/assay"
)

// Put adds records to a run, all of them or none; they are durable when it
// returns nil. A case that is recorded already is [ErrExists], a run that is
// not there [ErrNotFound].
func (s *Store) Put(ctx context.Context, runID string, recs ...assay.Record) (err error) {
	texts := make([]string, len(recs))
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	for i, r := range recs {
		text.Reset()
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("run %q: case %q: %w", runID, r.Case.ID, err)
		}
		texts[i] = string(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	}
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(err)
	}
	defer func() {
		if err != nil {
			// The first error is the one to report.
			_ = tx.Rollback()
		}
	}()
	insert, err := tx.PrepareContext(ctx, `INSERT INTO records (run_id, seq, case_id, failure, record) VALUES ($1, $2, $3, $4, $5)`)
	if err != nil {
		return s.explain(err)
	}
	defer insert.Close()
	for i, r := range recs {
		failure := ""
		if r.Failure != nil {
			failure = r.Failure.Kind
		}
		_, err = insert.ExecContext(ctx, runID, r.Seq, r.Case.ID, failure, texts[i])
		switch {
		case unique(err):
			return fmt.Errorf("run %q: record of case %d (%q): %w", runID, r.Seq, r.Case.ID, ErrExists)
		case orphan(err):
			return notFound(runID)
		case err != nil:
			return s.explain(err)
		}
	}
	return s.explain(tx.Commit())
}

// Records yields a run's records in the order of Seq. An error ends it; a run
// that is not there is [ErrNotFound]. Numbers in a case's metadata come back as
// [json.Number], so that they are written again as they were read.
func (s *Store) Records(ctx context.Context, runID string) iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		if err := s.records(ctx, runID, func(r assay.Record) bool { return yield(r, nil) }); err != nil {
			yield(assay.Record{}, err)
		}
	}
}

// records calls f for each record until it returns false. It returns an error
// only when f has not returned false.
func (s *Store) records(ctx context.Context, runID string, f func(assay.Record) bool) error {
	if _, err := s.Counts(ctx, runID); err != nil {
		return err
	}
	rows, err := s.read.QueryContext(ctx, `SELECT record FROM records WHERE run_id = $1 ORDER BY seq`, runID)
	if err != nil {
		return s.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text sql.RawBytes
		if err := rows.Scan(&text); err != nil {
			return s.explain(err)
		}
		var r assay.Record
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&r); err != nil {
			return s.explain(fmt.Errorf("%w: a record of run %q: %w", ErrNotStore, runID, err))
		}
		if !f(r) {
			return nil
		}
	}
	return s.explain(rows.Err())
}

// Counts says how far a run is.
type Counts struct {
	// Records counts the cases that are done, Failed those of them in which
	// the target gave no response.
	Records, Failed int
}

// Counts counts a run's records. A run that is not there is [ErrNotFound].
func (s *Store) Counts(ctx context.Context, runID string) (Counts, error) {
	var c Counts
	err := s.read.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM records WHERE run_id = runs.id),
		(SELECT count(*) FROM records WHERE run_id = runs.id AND failure <> '')
		FROM runs WHERE id = $1`, runID).Scan(&c.Records, &c.Failed)
	if errors.Is(err, sql.ErrNoRows) {
		return c, notFound(runID)
	}
	return c, s.explain(err)
}

// A Recorder adds records to one run: what the engine writes through.
type Recorder struct {
	store *Store
	run   string
}

// Recorder returns a recorder of the run with that id.
func (s *Store) Recorder(runID string) Recorder { return Recorder{store: s, run: runID} }

// Put is [Store.Put].
func (r Recorder) Put(ctx context.Context, recs ...assay.Record) error {
	return r.store.Put(ctx, r.run, recs...)
}
