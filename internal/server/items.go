package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/assay-eval/assay/store"
)

// orAbsent turns an error about an item into a problem: a 404 that names the
// item if the store does not have it. It is nil if the error is.
func (s *Server) orAbsent(ctx context.Context, err error, what, id string) error {
	if errors.Is(err, store.ErrNotFound) {
		return absent(what, id)
	}
	return s.fail(ctx, err)
}

// keep stores an item under an id. The error is a problem.
func (s *Server) keep(ctx context.Context, kind, id, name, parent string, v any) error {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return s.fail(ctx, err)
	}
	now := s.now()
	return s.fail(ctx, s.store.PutItem(ctx, store.Item{
		Kind: kind, ID: id, Name: name, Parent: parent, Created: now, Updated: now, Body: bytes.TrimSpace(body.Bytes()),
	}))
}

// kept reads the item with the id into v. The error is a problem.
func (s *Server) kept(ctx context.Context, kind, id, what string, v any) error {
	if !isID(id) {
		return absent(what, id)
	}
	return s.orAbsent(ctx, s.readItem(ctx, kind, id, v), what, id)
}

// readItem reads the body of an item into v.
func (s *Server) readItem(ctx context.Context, kind, id string, v any) error {
	it, err := s.store.Item(ctx, kind, id)
	if err != nil {
		return err
	}
	err = json.Unmarshal(it.Body, v)
	fillLists(v)
	return err
}

// remove deletes an item. An id that valid rejects is not found. The error is a
// problem.
func (s *Server) remove(ctx context.Context, kind, id, what string, valid func(string) bool) (*deletion, error) {
	if !valid(id) {
		return nil, absent(what, id)
	}
	if err := s.store.DeleteItem(ctx, kind, id); err != nil {
		return nil, s.orAbsent(ctx, err, what, id)
	}
	return deleted(id), nil
}

// exists is a problem when there is no item with the id.
func (s *Server) exists(ctx context.Context, kind, id, what string) error {
	if !isID(id) {
		return absent(what, id)
	}
	_, err := s.store.Item(ctx, kind, id)
	return s.orAbsent(ctx, err, what, id)
}

// removeOf deletes the items of a kind that belong to a parent.
func (s *Server) removeOf(ctx context.Context, kind, parent string) error {
	items, _, err := s.store.Items(ctx, kind, store.ItemQuery{Parent: parent})
	for _, it := range items {
		if gone := s.store.DeleteItem(ctx, kind, it.ID); gone != nil && !errors.Is(gone, store.ErrNotFound) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// listItems returns a page of the items that q selects, latest first. view
// returns the list's view of an item; items that are deleted meanwhile are left
// out.
func listItems[T any](
	ctx context.Context, s *Server, kind string, q store.ItemQuery, p Paging, view func(store.Item) (T, error),
) (*list[T], error) {
	q.Limit, q.Offset = p.Limit, p.Offset
	items, total, err := s.store.Items(ctx, kind, q)
	if err != nil {
		return nil, err
	}
	views := make([]T, 0, len(items))
	for _, it := range items {
		v, err := view(it)
		switch {
		case errors.Is(err, store.ErrNotFound): // deleted meanwhile
		case err != nil:
			return nil, err
		default:
			views = append(views, v)
		}
	}
	return listed(views, total, p), nil
}
