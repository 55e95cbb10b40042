package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/pressly/goose/v3"
	sqlite "modernc.org/sqlite"
)

var sqliteDriver = Driver{
	Title: "SQLite",
	Form:  "a file",
	Doc:   "for one machine; the file is created when it is missing",
	open:  func(ref string, create bool) (database, error) { return newSQLite(ref, create) },
}

// sqliteFile is a database in a file, with lock files beside it.
type sqliteFile struct{ path string }

func newSQLite(path string, create bool) (sqliteFile, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return sqliteFile{}, fmt.Errorf("store %s: %w", path, err)
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		return sqliteFile{}, fmt.Errorf("store %s: is a folder: expected a file, such as %q", path, filepath.Join(path, "assay.db"))
	}
	if !create {
		return sqliteFile{abs}, nil
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o777); err != nil {
		return sqliteFile{}, fmt.Errorf("store %s: %w", path, err)
	}
	return sqliteFile{abs}, nil
}

func (f sqliteFile) name() string           { return f.path }
func (f sqliteFile) dialect() goose.Dialect { return goose.DialectSQLite3 }
func (f sqliteFile) vacuum() []string       { return []string{`VACUUM`} }
func (f sqliteFile) close() error           { return nil }

// exclude returns nothing: a transaction that writes is alone.
func (f sqliteFile) exclude(string) []string { return nil }

// present implements [database].
func (f sqliteFile) present() string { return `UPDATE runs SET kept = kept WHERE id = $1` }

// applicationID marks a database as assay's ("assa"): in SQLite in a field of the file
// format, in PostgreSQL in a table.
const applicationID = 0x61737361

// Pragmas of the connections.
//
// synchronous=FULL flushes every commit to the disk before Put returns. With NORMAL,
// commits survive a crash of the process, but a power failure could lose the last ones,
// each the result of a call that may have cost money. The price is one flush per
// commit; since the engine commits in batches, a run is as fast as with NORMAL and one
// commit per record (bench/engine).
//
// Pages of 16 kB, which only a new file gets, hold several records of some 3 kB each;
// one of 4 kB would hold one.
//
// A writer waits for up to 10 s for another process's transaction, a thousand times the
// usual duration.
var (
	writing = url.Values{"_pragma": {"busy_timeout(10000)", "page_size(16384)", "synchronous(FULL)", "foreign_keys(1)"},
		"_journal_mode": {"WAL"}} // after the size of the pages
	reading = url.Values{"_pragma": {"busy_timeout(10000)", "query_only(1)"}}
	looking = url.Values{"_pragma": {"busy_timeout(10000)"}}
	// A file in a folder that lets nobody write cannot have the files beside it that a reader
	// makes. Nobody changes it, so it is read without them.
	archived = url.Values{"mode": {"ro"}, "immutable": {"1"}}
)

func (f sqliteFile) connect(pragmas url.Values, conns int) (*sql.DB, error) {
	// immediate: a writing transaction locks at its start, since a transaction that
	// began by reading cannot wait for the lock.
	q := maps.Clone(pragmas)
	q.Set("_txlock", "immediate")
	slashed := filepath.ToSlash(f.path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/x
	}
	dsn := (&url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}).String()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

func (f sqliteFile) open(ctx context.Context) (write, read *sql.DB, version int64, err error) {
	// Nothing may be written, not even the journal mode, before it is known that the
	// file belongs to assay.
	version, how, err := f.find(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	// A new file is its owner's alone, and SQLite gives the files beside it the same mode. If it
	// cannot be made, SQLite says why.
	if made, err := os.OpenFile(f.path, os.O_CREATE, 0o600); err == nil {
		made.Close()
	}
	// SQLite has one writer at a time; waiting for a connection is cheaper than waiting
	// for its lock.
	if write, err = f.connect(writing, 1); err != nil {
		return nil, nil, 0, err
	}
	read, err = f.connect(how, 4)
	return write, read, version, err
}

// readOnly reports whether an error of a reader is that the folder lets nobody write. What the
// file beside the database still holds would be missed without it, so there must be none.
func (f sqliteFile) readOnly(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) || e.Code()&0xff != codeReadOnly && e.Code()&0xff != codeCannotOpen {
		return false
	}
	info, err := os.Stat(f.path + "-wal")
	return errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0
}

// look returns the schema's version, 0 if there is none yet. It writes nothing.
func (f sqliteFile) look(ctx context.Context) (version int64, err error) {
	version, _, err = f.find(ctx)
	return version, err
}

// find is look. It also returns the pragmas with which the database can be read.
func (f sqliteFile) find(ctx context.Context) (version int64, how url.Values, err error) {
	if version, err = f.lookWith(ctx, looking); !f.readOnly(err) {
		return version, reading, err
	}
	version, err = f.lookWith(ctx, archived)
	return version, archived, err
}

func (f sqliteFile) lookWith(ctx context.Context, how url.Values) (version int64, err error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	db, err := f.connect(how, 1)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	var id, tables, versions int64
	if err := db.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id); err != nil {
		return 0, err
	}
	if err := db.QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (WHERE name = 'goose_db_version') FROM sqlite_schema`).Scan(&tables,
		&versions); err != nil {
		return 0, err
	}
	if tables == 0 {
		return 0, nil
	}
	if id != applicationID {
		return 0, fmt.Errorf("%w: it is the SQLite file of another program: expected one that assay made, or a new name", ErrNotStore)
	}
	if versions == 0 {
		return 0, nil
	}
	return schemaVersion(ctx, db)
}

func (f sqliteFile) begin(ctx context.Context, write *sql.DB) (schema *sql.DB, end func() error, err error) {
	unlock, err := waitLock(ctx, f.path+"-migrate.lock")
	if err != nil {
		return nil, nil, err
	}
	if _, err := write.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)); err != nil {
		return nil, nil, errors.Join(err, unlock())
	}
	return write, unlock, nil
}

// busy returns false: a statement waits for its turn by itself.
func (f sqliteFile) busy(error) bool { return false }

// lock binds the lock to a file beside the database, which release removes. It ends
// with the process.
// lockPath returns the file of the lock of a name.
func (f sqliteFile) lockPath(name string) string { return f.path + "-" + fingerprint(name) + ".lock" }

func (f sqliteFile) lock(_ context.Context, runID string) (holder, error) {
	unlock, err := tryLock(f.lockPath(runID))
	if err != nil {
		return nil, err
	}
	return fileHolder{unlock}, nil
}

// fileHolder holds a lock that cannot be lost.
type fileHolder struct{ unlock func() error }

func (h fileHolder) release() error { return h.unlock() }
func (h fileHolder) failed(error)   {}
func (h fileHolder) begin(ctx context.Context, write *sql.DB) (*sql.Tx, error) {
	return write.BeginTx(ctx, nil)
}

func (f sqliteFile) check(ctx context.Context, read *sql.DB, fault func(error)) (err error) {
	rows, err := read.QueryContext(ctx, `PRAGMA integrity_check`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var verdict string
		if err := rows.Scan(&verdict); err != nil {
			return err
		}
		if verdict != "ok" {
			fault(fmt.Errorf("%w: integrity check of SQLite: %s", ErrNotStore, verdict))
		}
	}
	return rows.Err()
}

// SQLite's result codes with a remedy for the user.
const (
	codeBusy       = 5
	codeReadOnly   = 8
	codeCorrupt    = 11
	codeFull       = 13
	codeCannotOpen = 14
	codeNotADB     = 26
)

func (f sqliteFile) explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case codeNotADB:
		return fmt.Errorf("%w: it is not an SQLite file: expected one that assay made, or a new name", ErrNotStore)
	case codeCorrupt:
		return fmt.Errorf("%w: the file is damaged (%w): restore it, or start with a new name", ErrNotStore, err)
	case codeBusy:
		return fmt.Errorf("another process keeps the database locked: %w", err)
	case codeFull:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case codeReadOnly, codeCannotOpen:
		return fmt.Errorf("cannot be opened for writing: %w", err)
	}
	return err
}

func (f sqliteFile) unique(err error) bool {
	const primaryKey, uniqueIndex = 1555, 2067 // extended result codes
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code() == primaryKey || e.Code() == uniqueIndex)
}

// away is false: a file does not become available by itself.
func (f sqliteFile) away(error) bool { return false }
