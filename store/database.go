package store

import (
	"context"
	"database/sql"
	"strings"

	"github.com/pressly/goose/v3"
)

// A database is what SQLite and PostgreSQL do not have in common. The
// statements are the same: their placeholders are $1, $2 and so on, and what
// only one of the two has is not used.
type database interface {
	// name is what errors call the database: a path, or a URL without its
	// password.
	name() string
	// open looks whose database it is, before it writes anything, and
	// connects. The version is the schema's, 0 when there is none yet.
	open(ctx context.Context) (write, read *sql.DB, version int64, err error)
	// begin marks an empty database as the store's and keeps other processes
	// from changing the schema until end.
	begin(ctx context.Context, write *sql.DB) (end func() error, err error)
	// look returns the schema's version, 0 when there is none yet, and changes
	// nothing.
	look(ctx context.Context) (int64, error)
	// vacuum lists what gives space back.
	vacuum() []string
	dialect() goose.Dialect
	// lock takes the right to work on a run, or [ErrLocked].
	lock(ctx context.Context, runID string) (holder, error)
	// check reads everything.
	check(ctx context.Context, read *sql.DB) error
	// explain says what an error means for a user.
	explain(err error) error
	// unique reports whether err says that a key is there already.
	unique(err error) bool
	// away reports whether err says that the database cannot be reached, and
	// may be later.
	away(err error) bool
	close() error
}

// A holder holds the lock of a run.
type holder interface {
	// begin begins a transaction that can only be committed while the lock is
	// held. One that was lost is taken again first; when another has taken it
	// meanwhile the error is [ErrLocked].
	begin(ctx context.Context, write *sql.DB) (*sql.Tx, error)
	// failed hears of an error of such a transaction.
	failed(err error)
	release() error
}

// IsURL reports whether a reference to a store is the address of a server, and
// no path.
func IsURL(ref string) bool {
	return strings.HasPrefix(ref, "postgres://") || strings.HasPrefix(ref, "postgresql://")
}
