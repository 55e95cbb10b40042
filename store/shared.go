package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrOneMachine means that a database cannot be shared by the processes of several machines.
var ErrOneMachine = errors.New("the database is of one machine alone: expected " + postgresForm)

// Pool opens connections to the database of the store, for a queue that several processes share.
// The error is [ErrOneMachine] if the database is a file.
func (s *Store) Pool(ctx context.Context, conns int32) (*pgxpool.Pool, error) {
	p, ok := s.db.(*postgres)
	if !ok {
		return nil, ErrOneMachine
	}
	cfg, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, s.explain(err)
	}
	cfg.ConnConfig, cfg.MaxConns, cfg.AfterConnect = p.cfg.Copy(), conns, prepare
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	return pool, s.explain(err)
}

// Claimed reports whether a process has claimed a piece of work; see [Store.Claim].
func (s *Store) Claimed(ctx context.Context, name string) (bool, error) {
	claimed, err := s.Claims(ctx, []string{name})
	return claimed[name], err
}

// Claims returns those of the names that any process has claimed, by one look at the database. The
// names are those of pieces of work or ids of runs, which [Store.Lock] claims.
func (s *Store) Claims(ctx context.Context, names []string) (claimed map[string]bool, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	err = s.try(ctx, func(ctx context.Context, _ bool) (err error) {
		claimed, err = s.db.claims(ctx, s.read.DB, names)
		return err
	})
	return claimed, s.explain(err)
}

// claims implements [database].
func (p *postgres) claims(ctx context.Context, read *sql.DB, names []string) (_ map[string]bool, err error) {
	c, err := read.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	rows, err := c.QueryContext(ctx, lockKeys)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	held := map[int64]bool{}
	for rows.Next() {
		var upper, lower int64
		if err := rows.Scan(&upper, &lower); err != nil {
			return nil, err
		}
		held[upper<<32|lower] = true
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, err
	}
	schema, err := p.schema(ctx, c)
	out := make(map[string]bool, len(names))
	for _, name := range names {
		if held[lockKey(schema, "run", name)] {
			out[name] = true
		}
	}
	return out, err
}

// claims implements [database].
func (f sqliteFile) claims(ctx context.Context, _ *sql.DB, names []string) (map[string]bool, error) {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		// Who has the lock has its file; that of a killed process remains. A file is not made, so
		// that nobody who wants the lock finds it taken by this look.
		if _, err := os.Stat(f.lockPath(name)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		h, err := f.lock(ctx, name)
		switch {
		case errors.Is(err, ErrLocked):
			out[name] = true
			continue
		case err == nil:
			err = h.release()
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Recorded returns which of the cases of a run, given by their numbers, have a record.
func (s *Store) Recorded(ctx context.Context, runID string, seqs []int) (recorded map[int]bool, err error) {
	if len(seqs) == 0 {
		return nil, nil
	}
	args := []any{runID}
	var in strings.Builder
	for _, seq := range seqs {
		args = append(args, seq)
		fmt.Fprintf(&in, ",$%d", len(args))
	}
	err = s.try(ctx, func(ctx context.Context, _ bool) error {
		recorded = map[int]bool{}
		return s.each(ctx, func(rows *sql.Rows) error {
			var seq int
			err := rows.Scan(&seq)
			recorded[seq] = true
			return err
		}, `SELECT seq FROM records WHERE run_id = $1 AND seq IN (`+in.String()[1:]+`)`, args...)
	})
	return recorded, s.explain(err)
}

// Try calls f again while the database is away, as the operations of a patient store do; see
// [Store.Patient]. An earlier call may have had its effect.
func (s *Store) Try(ctx context.Context, f func(context.Context) error) error {
	return s.try(ctx, func(ctx context.Context, _ bool) error { return f(ctx) })
}
