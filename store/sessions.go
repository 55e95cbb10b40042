package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// errTransactions means that a pooler lends sessions of the server for a transaction each.
var errTransactions = errors.New("a pooler gives every transaction another session of the server, and the lock of a run and the presence " +
	"of a worker would be lost or held for others; use a pooler that keeps sessions (PgBouncer: pool_mode = session), or the address of the server")

// sessionProbes is how often two connections are compared. In a pool that nobody else uses the
// first time decides.
const sessionProbes = 10

// keepsSessions returns [errTransactions] unless each connection has a session of the server to
// itself. Only behind a pooler this takes more than one statement.
func keepsSessions(ctx context.Context, db *sql.DB) (err error) {
	one, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, one.Close()) }()
	var said uint32
	if err := one.Raw(func(c any) error {
		said = c.(*stdlib.Conn).Conn().PgConn().PID()
		return nil
	}); err != nil {
		return err
	}
	first, err := backend(ctx, one)
	if err != nil || first == said {
		return err // the server said so itself when it was connected to
	}
	two, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, two.Close()) }()
	for range sessionProbes {
		for _, c := range []*sql.Conn{two, one} {
			pid, err := backend(ctx, c)
			switch {
			case err != nil:
				return err
			case (pid == first) != (c == one):
				return errTransactions
			}
		}
	}
	return nil
}

// backend returns the process of the server that answers a connection.
func backend(ctx context.Context, c *sql.Conn) (pid uint32, err error) {
	// A statement that is prepared would stay in the session.
	err = c.QueryRowContext(ctx, `SELECT pg_backend_pid()`, pgx.QueryExecModeSimpleProtocol).Scan(&pid)
	return pid, err
}
