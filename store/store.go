// Package store keeps runs, their records and the ledger of calls to models in a
// database: SQLite in one file today, with a schema and a conformance kit
// (storetest) that PostgreSQL can share.
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
	"os"
	"path/filepath"

	sqlite "modernc.org/sqlite"
)

// A Store is an open database. It is safe for concurrent use, and several
// processes may have the same database open.
type Store struct {
	path string
	// write has one connection: SQLite has one writer at a time, and waiting
	// for a connection is cheaper than for its lock.
	write *sql.DB
	// read sees what write has committed and never blocks it.
	read *sql.DB
	// calls wait to be committed.
	calls callQueue
}

var (
	// ErrNotFound means that there is no such run.
	ErrNotFound = errors.New("no such run")
	// ErrExists means that a run of that id, or a record of that case, is
	// there already.
	ErrExists = errors.New("already there")
	// ErrLocked means that another process works on the run.
	ErrLocked = errors.New("run is locked")
	// ErrNewer means that a newer version of the program wrote the database.
	ErrNewer = errors.New("database is of a newer version")
	// ErrNotStore means that the file is no database of this program, or a
	// damaged one.
	ErrNotStore = errors.New("not a usable database")
)

// Open opens the database in the file at path, and creates it, with its folder,
// when there is none. An older schema is brought up to date. A file that
// belongs to something else is left untouched: the error is [ErrNotStore]; that
// of a newer program is [ErrNewer].
func Open(ctx context.Context, path string) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		return nil, fmt.Errorf("store %s: is a folder: want a file, such as %q", path, filepath.Join(path, "assay.db"))
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o777); err != nil {
		return nil, fmt.Errorf("store %s: %w", path, err)
	}
	s := &Store{path: abs}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(s.explain(err), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) error {
	// Nothing may be written, not even the journal's mode, before it is known
	// whose file this is.
	version, err := inspect(ctx, s.path)
	if err != nil {
		return err
	}
	if s.write, err = connect(s.path, writing, 1); err != nil {
		return err
	}
	if version < newest {
		if err := s.migrate(ctx); err != nil {
			return err
		}
	}
	s.read, err = connect(s.path, reading, 4)
	return err
}

// Close closes the database.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// Check reads the whole database and returns an error when it is damaged.
func (s *Store) Check(ctx context.Context) error {
	var verdict string
	if err := s.read.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return s.explain(err)
	}
	if verdict != "ok" {
		return s.explain(fmt.Errorf("%w: %s", ErrNotStore, verdict))
	}
	return nil
}

// SQLite's result codes that a user can do something about.
const (
	codeBusy       = 5
	codeReadOnly   = 8
	codeCorrupt    = 11
	codeFull       = 13
	codeCannotOpen = 14
	codeNotADB     = 26
)

// explain names the file and says what SQLite's codes mean for a user.
func (s *Store) explain(err error) error {
	if err == nil {
		return nil
	}
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case codeNotADB:
			err = fmt.Errorf("%w: it is no SQLite file: want one that assay made, or a new name", ErrNotStore)
		case codeCorrupt:
			err = fmt.Errorf("%w: the file is damaged (%w): restore it, or start with a new name", ErrNotStore, err)
		case codeBusy:
			err = fmt.Errorf("another process holds the database for too long: %w", err)
		case codeFull:
			err = fmt.Errorf("the disk is full: %w", err)
		case codeReadOnly, codeCannotOpen:
			err = fmt.Errorf("cannot be opened for writing: %w", err)
		}
	}
	return fmt.Errorf("store %s: %w", s.path, err)
}

// unique reports whether err says that a key is there already.
func unique(err error) bool {
	const primaryKey, uniqueIndex = 1555, 2067 // extended result codes
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code() == primaryKey || e.Code() == uniqueIndex)
}

// orphan reports whether err says that a referenced row is missing.
func orphan(err error) bool {
	const foreignKey = 787 // extended result code
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code() == foreignKey
}

// fingerprint turns any text into a part of a file's name.
func fingerprint(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
