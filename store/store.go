// Package store keeps runs, their records, the ledger of calls to models and
// whatever else is one JSON text in a database: SQLite in a file, or PostgreSQL.
// Schema and statements are the same for both, and so is the conformance kit
// (storetest).
//
// A record is durable when [Store.Put] returns, a call when [Store.PutCall]
// does: they survive the death of the process and the loss of power. Records
// are never changed; a case that is recorded twice is an error, so that a run
// which evaluates a case twice cannot go unnoticed.
package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Store is an open database. It is safe for concurrent use, and several
// processes may have the same database open.
type Store struct {
	*base
	// patience waits for a database that is away; nil does not.
	patience *waiter
	// calls wait to be committed.
	calls *callQueue
}

// base is what all views of an open database share.
type base struct {
	db          database
	write, read *sql.DB
	// was is the schema that was found.
	was int64

	mu sync.Mutex
	// held are the locks of runs that this store holds.
	held map[string]*holding
}

var (
	// ErrNotFound means that there is no such run or item.
	ErrNotFound = errors.New("not there")
	// ErrExists means that a run of that id, or a record of that case, is
	// there already.
	ErrExists = errors.New("already there")
	// ErrLocked means that another process works on the run.
	ErrLocked = errors.New("run is locked")
	// ErrAway means that the server of the database cannot be reached now.
	ErrAway = errors.New("cannot be reached")
	// ErrNewer means that a newer version of the program wrote the database.
	ErrNewer = errors.New("database is of a newer version")
	// ErrNotStore means that the database is none of this program, or a
	// damaged one.
	ErrNotStore = errors.New("not a usable database")
)

// Open opens a database: that of a PostgreSQL server when ref is a URL, as in
// postgres://user:password@host/database, else that in the file at the path
// ref. A file is made, with its folder, when there is none; a database of a
// server must be there. An older schema is brought up to date. A database that
// belongs to something else is left untouched: the error is [ErrNotStore]; that
// of a newer program is [ErrNewer]. No error holds the password.
//
// Beside the URL, PostgreSQL's own variables, such as PGPASSWORD, and its
// password file hold.
func Open(ctx context.Context, ref string) (*Store, error) {
	db, err := at(ref, true)
	if err != nil {
		return nil, err
	}
	s := &Store{base: &base{db: db, held: map[string]*holding{}}, calls: &callQueue{}}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(s.explain(err), s.Close())
	}
	return s, nil
}

// at gives the database that ref names; create makes the folder of a file.
func at(ref string, create bool) (database, error) {
	if IsURL(ref) {
		return newPostgres(ref)
	}
	return newSQLite(ref, create)
}

func (b *base) open(ctx context.Context) (err error) {
	if b.write, b.read, b.was, err = b.db.open(ctx); err != nil {
		return err
	}
	if b.was > newest {
		return fmt.Errorf("%w: its schema is %d, and this assay knows those up to %d: use a newer assay, or another database", ErrNewer, b.was, newest)
	}
	if b.was < newest {
		return b.migrate(ctx)
	}
	return nil
}

// Close closes the database, for all views of it.
func (b *base) Close() error {
	var errs []error
	for _, db := range []*sql.DB{b.read, b.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(append(errs, b.db.close())...)
}

// Name is the path of the database, or its URL without the password.
func (b *base) Name() string { return b.db.name() }

// Schema is the number of the schema that was found when the database was
// opened, 0 when there was none, and that of now.
func (b *base) Schema() (was, is int64) { return b.was, newest }

// Ping reports whether the database can be read.
func (b *base) Ping(ctx context.Context) error {
	var one int
	return b.explain(b.read.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// Check reads the whole database and returns an error when it is damaged.
func (b *base) Check(ctx context.Context) error { return b.explain(b.db.check(ctx, b.read)) }

// explain names the database and says what its codes mean for a user. An error
// that was explained stays as it is.
func (b *base) explain(err error) error {
	var told *explained
	if err == nil || errors.As(err, &told) {
		return err
	}
	return &explained{b.db.name(), b.db.explain(err)}
}

// explained is an error of a database, which it names.
type explained struct {
	name string
	err  error
}

func (e *explained) Error() string { return fmt.Sprintf("store %s: %v", e.name, e.err) }
func (e *explained) Unwrap() error { return e.err }

// ErrText means a text that not every database can hold.
var ErrText = errors.New("a text that cannot be kept")

// unstorable is an [ErrText] that says which.
type unstorable string

func (u unstorable) Error() string { return string(u) }

// Is makes it an ErrText.
func (u unstorable) Is(target error) bool { return target == ErrText }

// storable refuses a text that not every database can hold: PostgreSQL has no
// NUL byte and nothing but UTF-8. The error is an [ErrText].
func storable(what, text string) error {
	switch {
	case strings.ContainsRune(text, 0):
		return unstorable(fmt.Sprintf("%s %q: holds a NUL byte, which no data base keeps: want a text without", what, text))
	case !utf8.ValidString(text):
		return unstorable(fmt.Sprintf("%s %q: is no UTF-8", what, text))
	}
	return nil
}

// fingerprint turns any text into a part of a file's name.
func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
