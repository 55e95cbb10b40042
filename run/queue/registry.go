package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/assay-eval/assay/store"
)

// A registration is the body of the item of a worker, [store.KindWorker]. It is stored when the
// worker begins and deleted when it ends; that of a killed worker remains for a while. Whether a
// worker is there is told by its presence alone.
type registration struct {
	Host    string `json:"host"`
	Version string `json:"version"`
	// Batches is the number of batches at once.
	Batches int `json:"batches"`
}

// forgotten is how long the registration of a killed worker remains, so that people see that it
// was killed.
const forgotten = 24 * time.Hour

// register stores that the worker is there, and deletes what workers left that were killed long
// ago.
func (w *Worker) register(ctx context.Context, batches int) error {
	s, now := w.Queue.store, w.Now().UTC()
	items, _, err := s.Items(ctx, store.KindWorker, store.ItemQuery{})
	if err != nil {
		return err
	}
	var old []string
	for _, it := range items {
		if now.Sub(it.Created) > forgotten {
			old = append(old, it.ID)
		}
	}
	there, err := presentOf(ctx, s, old)
	if err != nil {
		return err
	}
	for _, id := range old {
		if there[id] {
			continue
		}
		if err := s.DeleteItem(ctx, store.KindWorker, id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	body, err := json.Marshal(registration{Host: w.Host, Version: w.Version, Batches: batches})
	if err != nil {
		return err
	}
	return s.PutItem(ctx, store.Item{Kind: store.KindWorker, ID: w.ID, Created: now, Updated: now, Body: body})
}

// unregister deletes what register stored. If the database is away, it remains as that of a
// killed worker does.
func (w *Worker) unregister(ctx context.Context) error {
	err := w.Queue.store.DeleteItem(ctx, store.KindWorker, w.ID)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrAway) {
		return nil
	}
	return err
}

// presentOf returns which workers are there.
func presentOf(ctx context.Context, s *store.Store, workers []string) (map[string]bool, error) {
	names := make([]string, len(workers))
	for i, id := range workers {
		names[i] = presence(id)
	}
	claimed, err := s.Claims(ctx, names)
	out := make(map[string]bool, len(workers))
	for i, id := range workers {
		out[id] = claimed[names[i]]
	}
	return out, err
}
