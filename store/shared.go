package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrOneMachine means that a database cannot be shared by the processes of several machines.
var ErrOneMachine = errors.New("the database is of one machine alone: want " + postgresForm)

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
func (s *Store) Claimed(ctx context.Context, name string) (claimed bool, err error) {
	err = s.try(ctx, func(ctx context.Context, _ bool) (err error) {
		claimed, err = s.db.claimed(ctx, name)
		return err
	})
	return claimed, s.explain(err)
}

// claimed implements [database].
func (p *postgres) claimed(ctx context.Context, name string) (claimed bool, err error) {
	c, err := p.sessions.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	key, err := p.key(ctx, c, "run", name)
	if err != nil {
		return false, err
	}
	err = c.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1`+lockHolders+`)`, key).Scan(&claimed)
	return claimed, err
}

// claimed implements [database].
func (f sqliteFile) claimed(ctx context.Context, name string) (bool, error) {
	h, err := f.lock(ctx, name)
	if errors.Is(err, ErrLocked) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, h.release()
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
