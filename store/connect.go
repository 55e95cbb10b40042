package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// applicationID marks a SQLite file as ours ("assa"): the field that SQLite's
// file format has for it.
const applicationID = 0x61737361

// Pragmas of the connections.
//
// synchronous=FULL makes every commit reach the disk before Put returns. NORMAL
// would survive the death of the process as well, but after a power cut the
// last commits, each the result of a call that may have cost money, could be
// gone. The price is one flush a commit; since the engine commits together what
// is ready together, a run is as fast as with NORMAL and a commit a record
// (bench/engine).
//
// A writer waits for up to 10 s for another process's transaction, which is a
// thousand times what one takes.
var (
	writing = []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"}
	reading = []string{"busy_timeout(10000)", "query_only(1)"}
	looking = []string{"busy_timeout(10000)"}
)

func connect(path string, pragmas []string, conns int) (*sql.DB, error) {
	// immediate: a transaction that will write takes the lock when it begins,
	// because one that began by reading cannot wait for it.
	q := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}
	slashed := filepath.ToSlash(path)
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

// inspect returns the schema's version of the database at path: 0 when there
// is none yet. It writes nothing.
func inspect(ctx context.Context, path string) (version int64, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	db, err := connect(path, looking, 1)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	var id, tables int64
	if err := db.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id); err != nil {
		return 0, err
	}
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return 0, err
	}
	if tables == 0 {
		return 0, nil
	}
	if id != applicationID {
		return 0, fmt.Errorf("%w: it is the SQLite file of another program: want one that assay made, or a new name", ErrNotStore)
	}
	version, err = schemaVersion(ctx, db)
	if err == nil && version > newest {
		err = fmt.Errorf("%w: its schema is %d, and this assay knows those up to %d: use a newer assay, or another file", ErrNewer, version, newest)
	}
	return version, err
}
