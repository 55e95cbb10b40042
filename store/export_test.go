package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/assay-eval/assay"
)

// OpenAt opens an empty database as a program did whose newest schema was version.
func OpenAt(ctx context.Context, ref string, version int64) (*Store, error) {
	db, err := at(ref, true)
	if err != nil {
		return nil, err
	}
	s := &Store{base: &base{db: db, held: map[string]*holding{}}, calls: &queue[assay.Call]{}, answers: &queue[answers]{}}
	var read *sql.DB
	s.write, read, s.was, err = db.open(ctx)
	if read != nil {
		s.read = newReader(read)
	}
	if err == nil {
		err = s.migrate(ctx, version)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Newest is the version of the schema.
const Newest = newest

// SessionSettings returns settings of the server for a connection that holds a lock.
func (s *Store) SessionSettings(ctx context.Context, names ...string) (values []string, err error) {
	c, err := s.db.(*postgres).sessions.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	for _, name := range names {
		var value string
		if err := c.QueryRowContext(ctx, `SELECT current_setting($1)`, name).Scan(&value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}
