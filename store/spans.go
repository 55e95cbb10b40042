package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// kindSpans is a batch of received spans.
const kindSpans = "spans"

// traffic are the kinds of items that hold what users wrote: an exchange waited for a watch of earlier versions.
const traffic = `('` + kindSpans + `', 'exchange')`

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

// A SpanBatch is a batch of spans that [Store.PutSpans] stored.
type SpanBatch struct {
	ID       string
	Received time.Time

	store *Store
}

// Body reads the spans of the batch. The error is [ErrNotFound] if it was removed meanwhile.
func (b SpanBatch) Body(ctx context.Context) ([]byte, error) {
	it, err := b.store.Item(ctx, kindSpans, b.ID)
	if err != nil {
		return nil, err
	}
	var p part
	err = json.Unmarshal(it.Body, &p)
	var body []byte
	if err == nil {
		body, err = unpack(nil, true, p.Packed)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", kindSpans, b.ID, err)
	}
	return body, nil
}

// spanPage is the number of batches that one query lists.
const spanPage = 500

// Spans calls visit with each batch whose id sorts after an id and that was received at or
// after a time, in the order of their ids, until it returns an error other than [ErrNotFound].
// With several servers, or clocks that differ, a batch can be stored whose id sorts before one
// that is there already.
func (s *Store) Spans(ctx context.Context, after string, since time.Time, visit func(SpanBatch) error) error {
	for {
		page, err := s.spanPage(ctx, after, since)
		if err != nil {
			return s.explain(err)
		}
		for _, b := range page {
			if err := visit(b); err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			after = b.ID
		}
		if len(page) < spanPage {
			return nil
		}
	}
}

func (s *Store) spanPage(ctx context.Context, after string, since time.Time) (page []SpanBatch, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT id, created FROM items WHERE kind = '`+kindSpans+
		`' AND id > $1 AND created >= $2 ORDER BY id LIMIT $3`, after, stamp(since), spanPage)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		b := SpanBatch{store: s}
		var created string
		if err := rows.Scan(&b.ID, &created); err != nil {
			return nil, err
		}
		if b.Received, _, err = stamps(created, created); err != nil {
			return nil, err
		}
		page = append(page, b)
	}
	return page, rows.Err()
}

// DropSpans removes the batches that were received before a time, and returns their number.
func (s *Store) DropSpans(ctx context.Context, before time.Time) (int, error) {
	res, err := s.write.ExecContext(ctx, `DELETE FROM items WHERE kind IN `+traffic+` AND created < $1`, stamp(before))
	if err != nil {
		return 0, s.explain(err)
	}
	n, err := res.RowsAffected()
	return int(n), s.explain(err)
}
