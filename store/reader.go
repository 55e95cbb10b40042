package store

import (
	"context"
	"database/sql"
	"sync"
)

// maxPrepared is the number of queries that a reader prepares. The others, such as those
// with lists of many lengths, are parsed each time.
const maxPrepared = 64

// A reader reads from a database whose driver parses a query each time that it is asked:
// it prepares queries once.
type reader struct {
	*sql.DB
	mu       sync.Mutex
	prepared map[string]*sql.Stmt
}

func newReader(db *sql.DB) *reader { return &reader{DB: db, prepared: map[string]*sql.Stmt{}} }

// prepare returns a prepared query, nil if it is to be parsed.
func (r *reader) prepare(ctx context.Context, query string) *sql.Stmt {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.prepared[query]
	if s != nil || len(r.prepared) == maxPrepared {
		return s
	}
	s, err := r.DB.PrepareContext(ctx, query) //nolint:sqlclosecheck // it is closed with the database
	if err != nil {
		return nil // the query says why
	}
	r.prepared[query] = s
	return s
}

// QueryContext is that of [sql.DB].
func (r *reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if s := r.prepare(ctx, query); s != nil { //nolint:sqlclosecheck // it is closed with the database
		return s.QueryContext(ctx, args...)
	}
	return r.DB.QueryContext(ctx, query, args...)
}

// QueryRowContext is that of [sql.DB].
func (r *reader) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if s := r.prepare(ctx, query); s != nil { //nolint:sqlclosecheck // it is closed with the database
		return s.QueryRowContext(ctx, args...)
	}
	return r.DB.QueryRowContext(ctx, query, args...)
}
