package store

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
)

// Stale describes data in a store that may no longer be needed.
type Stale struct {
	// Calls counts the calls of deleted runs, evaluations and results, Bytes their size.
	Calls int
	Bytes int64
	// Files counts the files of deleted runs, FileBytes their size as they are stored.
	Files     int
	FileBytes int64
	// Spans counts the batches of received spans, SpanBytes their size as they are stored.
	Spans     int
	SpanBytes int64
	// Watched are rounds of watches of earlier versions: they hold a sample of production traffic.
	Watched []assay.Header
	// Unfinished are other runs that never ended.
	Unfinished []assay.Header
}

// orphans are calls without a run, an evaluation, a result or a question.
const orphans = ` FROM calls WHERE made < $1
	AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = calls.run_id)
	AND NOT EXISTS (SELECT 1 FROM items
		WHERE items.kind IN ('` + KindEvaluation + `', '` + KindResult + `', '` + KindQuestion + `') AND items.id = calls.run_id)`

// Stale finds data that is older than a time and no longer needed: calls of deleted
// runs, evaluations and results, files of deleted runs, received spans, rounds of watches, and
// other runs that never ended.
func (s *Store) Stale(ctx context.Context, before time.Time) (Stale, error) {
	var out Stale
	err := s.read.QueryRowContext(ctx, `SELECT count(*),
		CAST(coalesce(sum(length(request_plain) + length(reply_plain) + coalesce(length(packed), 0)), 0) AS bigint)`+orphans,
		stamp(before)).Scan(&out.Calls, &out.Bytes)
	if err != nil {
		return out, s.explain(err)
	}
	if out.Files, out.FileBytes, err = s.staleFiles(ctx, before); err != nil {
		return out, err
	}
	err = s.read.QueryRowContext(ctx, `SELECT count(*), CAST(coalesce(sum(size), 0) AS bigint) FROM items
		WHERE kind IN `+traffic+` AND created < $1`, stamp(before)).Scan(&out.Spans, &out.SpanBytes)
	if err != nil {
		return out, s.explain(err)
	}
	all, err := s.headers(ctx, `SELECT `+runColumns+` FROM runs WHERE started < $1 ORDER BY started, id`, stamp(before))
	for _, h := range all {
		switch {
		case h.Watch != "":
			out.Watched = append(out.Watched, h)
		case h.State != "finished":
			out.Unfinished = append(out.Unfinished, h)
		}
	}
	return out, err
}

// DropCalls removes the calls that [Store.Stale] counts, and returns their number, with
// the texts that no other call has.
func (s *Store) DropCalls(ctx context.Context, before time.Time) (_ int, err error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return 0, s.explain(err)
	}
	defer func() {
		if err != nil {
			// the first error is the one to report
			_ = tx.Rollback()
		}
	}()
	// No call that is being stored may lose its text.
	for _, q := range s.db.exclude("texts") {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return 0, s.explain(err)
		}
	}
	res, err := tx.ExecContext(ctx, `DELETE`+orphans, stamp(before))
	if err != nil {
		return 0, s.explain(err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return 0, s.explain(err)
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM texts WHERE id NOT IN (SELECT text_id FROM calls WHERE text_id IS NOT NULL)`)
	if err != nil {
		return 0, s.explain(err)
	}
	return int(n), s.explain(tx.Commit())
}

// Vacuum releases the space of removed data.
func (s *Store) Vacuum(ctx context.Context) error {
	for _, q := range s.db.vacuum() {
		if _, err := s.write.ExecContext(ctx, q); err != nil {
			return s.explain(err)
		}
	}
	return nil
}

// A Look describes a database without changing it.
type Look struct {
	// Name is the path, or the URL without its password.
	Name string
	// Schema is the version of the schema, 0 if there is none yet; Newest is the
	// version to which this program updates it.
	Schema, Newest int64
}

// LookAt inspects a database as [Open] would, without changing it. A missing file has
// no schema.
func LookAt(ctx context.Context, ref string) (Look, error) {
	db, err := at(ref, false)
	if err != nil {
		return Look{}, err
	}
	b := &base{db: db}
	version, err := b.db.look(ctx)
	return Look{Name: db.name(), Schema: version, Newest: newest}, b.explain(err)
}
