// Package store stores runs, their records, the ledger of model calls and other JSON
// items in a database: SQLite in a file, or PostgreSQL. Both share the schema, the
// statements and the conformance kit (storetest).
//
// A record is durable when [Store.Put] returns, a call when [Store.PutCall] returns:
// they survive a crash of the process and a power failure. Records never change;
// recording a case twice is an error, so that a run that evaluates a case twice does
// not go unnoticed.
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

	"github.com/assay-eval/assay"
)

// A Store is an open database. It is safe for concurrent use, and several processes may
// open the same database.
type Store struct {
	*base
	// patience waits while the database is away; nil does not wait.
	patience *waiter
	// calls and answers wait to be committed.
	calls   *queue[assay.Call]
	answers *queue[answers]
}

// base is shared by all views of an open database.
type base struct {
	db    database
	write *sql.DB
	read  *reader
	// was is the schema version that was found.
	was int64

	mu sync.Mutex
	// held are the run locks that this store holds.
	held map[string]*holding

	packedTexts packedTexts
}

var (
	// ErrNotFound means that a run or an item does not exist.
	ErrNotFound = errors.New("not found")
	// ErrExists means that the run's id, or the case's record, exists already.
	ErrExists = errors.New("already exists")
	// ErrLocked means that another process works on the run.
	ErrLocked = errors.New("run is locked")
	// ErrAway means that the database server is currently unreachable.
	ErrAway = errors.New("cannot be reached")
	// ErrFull means that nothing more can be stored.
	ErrFull = errors.New("the disk is full")
	// ErrNewer means that a newer version of the program wrote the database.
	ErrNewer = errors.New("database is of a newer version")
	// ErrNotStore means that the database does not belong to this program or is
	// damaged.
	ErrNotStore = errors.New("not a usable database")
)

// Open opens the database that ref refers to, in a form of one of [Drivers]. A missing
// file is created, with its folder; a database on a server must exist. An older schema
// is updated. If the database belongs to something else it is not changed and the error
// is [ErrNotStore]; if a newer program wrote it, [ErrNewer]. Errors never contain the
// password.
//
// PostgreSQL's own variables, such as PGPASSWORD, and its password file also apply.
func Open(ctx context.Context, ref string) (*Store, error) {
	db, err := at(ref, true)
	if err != nil {
		return nil, err
	}
	s := &Store{base: &base{db: db, held: map[string]*holding{}}, calls: &queue[assay.Call]{}, answers: &queue[answers]{}}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(s.explain(err), s.Close())
	}
	return s, nil
}

func (b *base) open(ctx context.Context) (err error) {
	var read *sql.DB
	b.write, read, b.was, err = b.db.open(ctx)
	if read != nil {
		b.read = newReader(read)
	}
	if err != nil {
		return err
	}
	if b.was > newest {
		return fmt.Errorf("%w: its schema is %d, and this version of assay supports up to %d: use a newer assay, or another database", ErrNewer,
			b.was, newest)
	}
	if b.was < newest {
		return b.migrate(ctx, newest)
	}
	return nil
}

// Close closes the database for all of its views.
func (b *base) Close() error {
	var errs []error
	if b.read != nil {
		errs = append(errs, b.read.Close())
	}
	if b.write != nil {
		errs = append(errs, b.write.Close())
	}
	return errors.Join(append(errs, b.db.close())...)
}

// Name returns the path of the database, or its URL without the password.
func (b *base) Name() string { return b.db.name() }

// Schema returns the schema version that was found when the database was opened, 0 if
// there was none, and the current one.
func (b *base) Schema() (was, is int64) { return b.was, newest }

// Ping reports whether the database can be read.
func (b *base) Ping(ctx context.Context) error {
	var one int
	return b.explain(b.read.QueryRowContext(ctx, `SELECT 1`).Scan(&one))
}

// explain adds to an error the name of the database and what a user can do. An error
// that was explained before is unchanged.
func (b *base) explain(err error) error {
	var told *explained
	if err == nil || errors.As(err, &told) {
		return err
	}
	return &explained{b.db.name(), b.db.explain(err)}
}

// explained is a database error with the name of the database.
type explained struct {
	name string
	err  error
}

func (e *explained) Error() string { return fmt.Sprintf("store %s: %v", e.name, e.err) }
func (e *explained) Unwrap() error { return e.err }

// ErrText means a text that not every database can store.
var ErrText = errors.New("a text that cannot be stored")

// unstorable is an [ErrText] with a message.
type unstorable string

func (u unstorable) Error() string { return string(u) }

// Is makes it an ErrText.
func (u unstorable) Is(target error) bool { return target == ErrText }

// storable rejects a text that not every database can store: PostgreSQL supports no NUL
// byte and only UTF-8. The error is an [ErrText].
func storable(what, text string) error {
	switch {
	case strings.ContainsRune(text, 0):
		return unstorable(fmt.Sprintf("%s %q: contains a NUL byte, which databases cannot store: expected a text without one", what, text))
	case !utf8.ValidString(text):
		return unstorable(fmt.Sprintf("%s %q: is not UTF-8", what, text))
	}
	return nil
}

// fingerprint turns any text into a part of a file name.
func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
