package store

import (
	"context"
	"time"

	"github.com/assay-eval/assay"
)

// Stale is what a store keeps and may no longer need.
type Stale struct {
	// Calls counts those of runs and evaluations that are not there any more,
	// Bytes what they take up.
	Calls int
	Bytes int64
	// Unfinished are runs that never ended.
	Unfinished []assay.Header
}

// orphans are calls that neither a run nor an evaluation refers to.
const orphans = ` FROM calls WHERE made < $1
	AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = calls.run_id)
	AND NOT EXISTS (SELECT 1 FROM items WHERE items.kind = '` + KindEvaluation + `' AND items.id = calls.run_id)`

// Stale finds what is older than a time and no longer needed: calls that were
// paid for by runs and evaluations which are gone, and runs that never ended.
func (s *Store) Stale(ctx context.Context, before time.Time) (Stale, error) {
	var out Stale
	err := s.read.QueryRowContext(ctx, `SELECT count(*), CAST(coalesce(sum(length(request) + length(reply)), 0) AS bigint)`+orphans, stamp(before)).Scan(&out.Calls, &out.Bytes)
	if err != nil {
		return out, s.explain(err)
	}
	out.Unfinished, err = s.headers(ctx, `SELECT header FROM runs WHERE started < $1 AND state <> 'finished' ORDER BY started, id`, stamp(before))
	return out, err
}

// DropCalls removes the calls that [Store.Stale] counts, and says how many.
func (s *Store) DropCalls(ctx context.Context, before time.Time) (int, error) {
	res, err := s.write.ExecContext(ctx, `DELETE`+orphans, stamp(before))
	if err != nil {
		return 0, s.explain(err)
	}
	n, err := res.RowsAffected()
	return int(n), s.explain(err)
}

// Vacuum gives the space of what was removed back.
func (s *Store) Vacuum(ctx context.Context) error {
	for _, q := range s.db.vacuum() {
		if _, err := s.write.ExecContext(ctx, q); err != nil {
			return s.explain(err)
		}
	}
	return nil
}

// A Look says what is at a place, without changing it.
type Look struct {
	// Name is the path, or the URL without its password.
	Name string
	// Schema is the number of the schema, 0 when there is none yet, Newest the
	// one that this program makes of it.
	Schema, Newest int64
}

// LookAt looks at a database as [Open] would, but leaves it as it is. A file that
// is not there has no schema.
func LookAt(ctx context.Context, ref string) (Look, error) {
	db, err := at(ref, false)
	if err != nil {
		return Look{}, err
	}
	b := &base{db: db}
	version, err := b.db.look(ctx)
	return Look{Name: db.name(), Schema: version, Newest: newest}, b.explain(err)
}
