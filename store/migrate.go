package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Numbers of migrations. The one that adds checksums to the rows that have none is in
// [sealRows], the others are the files in migrations.
const (
	sealing = 6
	newest  = 10
)

// SchemaVersion is the number of the schema of databases that this program writes. It
// updates older ones.
const SchemaVersion = newest

// Migrations after 9 only add: tables, indexes, and columns that may be absent from an INSERT.
// So processes of the version before, which have the database open, go on with their runs
// while it is updated, and afterwards. A column that they do not write is NULL or has a default
// that is right for their rows, and is in no checksum that they compute.

// migrate updates the schema to a version. Concurrent processes wait for each other; the second
// finds nothing to do.
func (b *base) migrate(ctx context.Context, version int64) (err error) {
	schema, end, err := b.db.begin(ctx, b.write)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if b.db.dialect() == goose.DialectPostgres {
		dir = bytewise{dir}
	}
	p, err := goose.NewProvider(b.db.dialect(), schema, dir, goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(goose.NewGoMigration(sealing, &goose.GoFunc{RunTx: sealRows}, nil)))
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		_, err := p.UpTo(ctx, version)
		switch {
		case err == nil:
			return nil
		case !b.db.busy(err):
			return fmt.Errorf("updating the schema to %d: %w", version, err)
		case n == migrationAttempts:
			return fmt.Errorf("updating the schema to %d: another process has used a table without a pause: expected it to end, "+
				"or assay store migrate at another time: %w", version, err)
		}
		// What waited behind the attempt goes on before the next.
		pause := time.NewTimer(betweenMigrations)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
	}
}

// A migration whose table others use is attempted for a minute.
const (
	migrationAttempts = 40
	betweenMigrations = 500 * time.Millisecond
)

// bytewise makes PostgreSQL compare texts by their bytes, as SQLite does, regardless of
// the locale of the database: times and ids depend on it.
type bytewise struct{ fs.FS }

// Open opens a migration.
func (b bytewise) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sql") {
		return f, err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &rewritten{f, strings.NewReader(strings.ReplaceAll(string(text), " text ", ` text COLLATE "C" `))}, nil
}

// rewritten is a file with replaced content.
type rewritten struct {
	fs.File
	text io.Reader
}

// Read reads the text.
func (r *rewritten) Read(p []byte) (int, error) { return r.text.Read(p) }

// schemaVersion returns the last applied migration, 0 if there is none.
func schemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var version int64
	err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, err
}
