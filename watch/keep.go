package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/spans"
	"github.com/assay-eval/assay/store"
)

// Load reads the state of a watch. The error is [store.ErrNotFound] if there is none.
func Load(ctx context.Context, s *store.Store, name string) (*State, error) {
	it, err := s.Item(ctx, store.KindWatch, name)
	if err != nil {
		return nil, err
	}
	return decode(it)
}

// All reads the states of all watches, the latest first.
func All(ctx context.Context, s *store.Store) ([]*State, error) {
	items, _, err := s.Items(ctx, store.KindWatch, store.ItemQuery{Bodies: true})
	if err != nil {
		return nil, err
	}
	var out []*State
	for _, it := range items {
		st, err := decode(it)
		if err != nil {
			return nil, err
		}
		out = append(out, st)
	}
	return out, nil
}

func decode(it store.Item) (*State, error) {
	st := &State{}
	if err := json.Unmarshal(it.Body, st); err != nil {
		return nil, fmt.Errorf("watch %q: %w", it.ID, err)
	}
	return st, nil
}

// Running reports whether a process carries the watch out.
func Running(ctx context.Context, s *store.Store, name string) (bool, error) {
	return s.Claimed(ctx, claimName(name))
}

// save writes the state.
func (w *Watcher) save(ctx context.Context) error {
	w.state.Updated = w.Now()
	body, err := json.Marshal(w.state)
	if err != nil {
		return err
	}
	st := w.state
	return w.Store.PutItem(ctx, store.Item{Kind: store.KindWatch, ID: st.Name, Created: st.Begun, Updated: st.Updated, Body: body})
}

// exchanges reads the exchanges of a round.
func (w *Watcher) exchanges(ctx context.Context, list []Waiting) ([]spans.Exchange, error) {
	out := make([]spans.Exchange, len(list))
	for i, e := range list {
		it, err := w.Store.Item(ctx, store.KindExchange, exchangeID(w.Name, e.ID))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(it.Body, &out[i]); err != nil {
			return nil, fmt.Errorf("exchange %q: %w", e.ID, err)
		}
	}
	return out, nil
}

// tidy removes exchanges that neither wait nor are of the round.
func (w *Watcher) tidy(ctx context.Context) error {
	needed := map[string]bool{}
	for _, e := range w.state.Waiting {
		needed[e.ID] = true
	}
	if w.state.Round != nil {
		for _, e := range w.state.Round.Exchanges {
			needed[e.ID] = true
		}
	}
	items, _, err := w.Store.Items(ctx, store.KindExchange, store.ItemQuery{Parent: w.Name})
	if err != nil {
		return err
	}
	for _, it := range items {
		if needed[strings.TrimPrefix(it.ID, w.Name+"/")] {
			continue
		}
		if err := w.Store.DeleteItem(ctx, store.KindExchange, it.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	return nil
}

// Remove removes a watch with what waits for it; its runs are kept. The error is
// [store.ErrLocked] if a process carries it out, [store.ErrNotFound] if there is none.
func Remove(ctx context.Context, s *store.Store, name string) (err error) {
	release, err := s.Claim(ctx, claimName(name))
	if err != nil {
		return fmt.Errorf("watch %q: %w", name, err)
	}
	defer func() { err = errors.Join(err, release()) }()
	w := Watcher{Store: s, Name: name, state: &State{}}
	return errors.Join(s.DeleteItem(ctx, store.KindWatch, name), w.tidy(ctx))
}
