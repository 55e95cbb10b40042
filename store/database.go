package store

import (
	"context"
	"database/sql"

	"github.com/pressly/goose/v3"
)

// A database abstracts the differences between SQLite and PostgreSQL. The statements
// are shared: their placeholders are $1, $2 and so on, and they use no feature that
// only one of the two has.
type database interface {
	// name identifies the database in errors: a path, or a URL without its password.
	name() string
	// open checks that the database belongs to assay, before it writes anything, and
	// connects. version is the schema's, 0 if there is none yet.
	open(ctx context.Context) (write, read *sql.DB, version int64, err error)
	// begin marks an empty database as the store's and prevents other processes from
	// changing the schema until end. schema are the connections that change it: write, or
	// others.
	begin(ctx context.Context, write *sql.DB) (schema *sql.DB, end func() error, err error)
	// busy reports whether err means that a table could not be locked to change it, because
	// others used it for long.
	busy(err error) bool
	// look returns the schema's version, 0 if there is none yet, without changing
	// anything.
	look(ctx context.Context) (int64, error)
	// vacuum returns the statements that release unused space.
	vacuum() []string
	// exclude returns the statements that keep other transactions from writing to a table
	// until the end of this one.
	exclude(table string) []string
	// present returns the statement that affects the row of a run, $1, if there is one, and keeps
	// the run from being deleted until the end of the transaction.
	present() string
	dialect() goose.Dialect
	// lock acquires the lock of a run, or returns [ErrLocked].
	lock(ctx context.Context, runID string) (holder, error)
	// claims returns the names whose lock any process has.
	claims(ctx context.Context, read *sql.DB, names []string) (map[string]bool, error)
	// check has the database check its own structure and calls fault with each fault.
	check(ctx context.Context, read *sql.DB, fault func(error)) error
	// explain adds to an error what a user can do.
	explain(err error) error
	// unique reports whether err is the violation of a unique key.
	unique(err error) bool
	// away reports whether err means that the database is temporarily unreachable.
	away(err error) bool
	close() error
}

// A holder holds the lock of a run.
type holder interface {
	// begin starts a transaction that can only commit while the lock is held. A lost
	// lock is acquired again first; if another process has it by then, the error is
	// [ErrLocked].
	begin(ctx context.Context, write *sql.DB) (*sql.Tx, error)
	// failed receives an error of such a transaction.
	failed(err error)
	release() error
}
