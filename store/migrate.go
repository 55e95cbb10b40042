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

// migrate updates the schema. Concurrent processes wait for each other; the second
// finds nothing to do.
func (b *base) migrate(ctx context.Context) (err error) {
	end, err := b.db.begin(ctx, b.write)
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
	p, err := goose.NewProvider(b.db.dialect(), b.write, dir, goose.WithDisableGlobalRegistry(true),
		goose.WithGoMigrations(goose.NewGoMigration(sealing, &goose.GoFunc{RunTx: sealRows}, nil)))
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("updating the schema to %d: %w", newest, err)
	}
	return nil
}

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
