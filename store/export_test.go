package store

import (
	"context"
	"errors"
)

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
