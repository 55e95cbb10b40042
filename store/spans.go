package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// kindSpans is a batch of received spans.
const kindSpans = "spans"

// PutSpans stores a batch of received spans, packed, under an id of its own; ids sort by the
// time of receipt. It is durable when PutSpans returns.
func (s *Store) PutSpans(ctx context.Context, id string, batch []byte, now time.Time) error {
	packed, err := pack(string(batch))
	if err != nil {
		return err
	}
	body, err := json.Marshal(part{Packed: packed[0]})
	if err != nil {
		return err
	}
	return s.PutItem(ctx, Item{Kind: kindSpans, ID: id, Created: now, Updated: now, Body: body})
}

// Spans calls visit with each batch that was received at or after since, in the order of
// receipt, until it returns an error. Batches are read one by one.
func (s *Store) Spans(ctx context.Context, since time.Time, visit func(batch []byte) error) error {
	for last := ""; ; {
		var id string
		var body []byte
		err := s.read.QueryRowContext(ctx, `SELECT id FROM items WHERE kind = '`+kindSpans+
			`' AND id > $1 AND created >= $2 ORDER BY id LIMIT 1`, last, stamp(since)).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return s.explain(err)
		}
		it, err := s.Item(ctx, kindSpans, id)
		if errors.Is(err, ErrNotFound) { // removed meanwhile
			last = id
			continue
		}
		if err != nil {
			return err
		}
		var p part
		if err := json.Unmarshal(it.Body, &p); err != nil {
			return fmt.Errorf("%s %q: %w", kindSpans, id, err)
		}
		if body, err = unpack(nil, true, p.Packed); err != nil {
			return fmt.Errorf("%s %q: %w", kindSpans, id, err)
		}
		if err := visit(body); err != nil {
			return err
		}
		last = id
	}
}

// DropSpans removes the batches that were received before a time, and returns their number.
func (s *Store) DropSpans(ctx context.Context, before time.Time) (int, error) {
	res, err := s.write.ExecContext(ctx, `DELETE FROM items WHERE kind = '`+kindSpans+`' AND created < $1`, stamp(before))
	if err != nil {
		return 0, s.explain(err)
	}
	n, err := res.RowsAffected()
	return int(n), s.explain(err)
}
