package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// newest is the number of the last file in migrations.
const newest = 2

// migrate brings the schema up to date. Processes that do it at the same time
// wait for each other: the second finds nothing left to do.
func (s *Store) migrate(ctx context.Context) (err error) {
	unlock, err := waitLock(ctx, s.path+"-migrate.lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if _, err := s.write.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)); err != nil {
		return err
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, s.write, dir, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("updating the schema to %d: %w", newest, err)
	}
	return nil
}

// schemaVersion is the last migration that ran, 0 when none did.
func schemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var tables int64
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'`).Scan(&tables); err != nil || tables == 0 {
		return 0, err
	}
	var version int64
	err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	return version, err
}
