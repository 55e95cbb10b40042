package server

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// heads keeps what is needed of the headers of many runs, so that a page looks through ten
// thousand of them in a few milliseconds.
type heads[T any] struct {
	// of returns what is kept of a header; sum changes whenever the header does. It is called
	// by one goroutine at a time.
	of func(h assay.Header, sum int64) T

	mu sync.Mutex
	by map[string]keptHead[T]
}

type keptHead[T any] struct {
	sum  int64
	kept T
}

// headsAtOnce is the number of headers that are read with one query.
const headsAtOnce = 500

// all returns what is kept of the runs in a state, or of all runs if it is "", latest first.
// Headers that changed since they were read are read again.
func (k *heads[T]) all(ctx context.Context, s *store.Store, state string) ([]T, error) {
	sums, err := s.RunSums(ctx, state)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	by, sumOf := make(map[string]keptHead[T], len(sums)), make(map[string]int64, len(sums))
	var ids []string
	for _, r := range sums {
		if old, ok := k.by[r.ID]; ok && old.sum == r.Sum {
			by[r.ID] = old
			continue
		}
		ids = append(ids, r.ID)
		sumOf[r.ID] = r.Sum
	}
	for len(ids) > 0 {
		n := min(len(ids), headsAtOnce)
		hs, err := s.RunsAt(ctx, ids[:n])
		if err != nil {
			return nil, err
		}
		for _, h := range hs {
			by[h.ID] = keptHead[T]{sumOf[h.ID], k.of(h, sumOf[h.ID])}
		}
		ids = ids[n:]
	}
	k.by = by
	out := make([]T, 0, len(sums))
	for _, r := range sums {
		if one, ok := by[r.ID]; ok { // else it was deleted meanwhile
			out = append(out, one.kept)
		}
	}
	return out, nil
}

// shortHeads keeps headers without what only the pages of one run need.
func shortHeads() *heads[assay.Header] {
	// Most runs share their metrics and their judge.
	metrics, judges := map[string][]assay.MetricInfo{}, map[string]*assay.JudgeInfo{}
	return &heads[assay.Header]{of: func(h assay.Header, _ int64) assay.Header {
		out := assay.Header{ID: h.ID, Name: h.Name, Started: h.Started, State: h.State, Dataset: h.Dataset, Repeat: h.Repeat,
			Target: assay.TargetInfo{Adapter: h.Target.Adapter, Endpoint: h.Target.Endpoint}}
		if p := h.Config["primary"]; p != "" {
			out.Config = map[string]string{"primary": p}
		}
		out.Metrics = shared(metrics, h.Metrics)
		if h.Judge != nil {
			out.Judge = shared(judges, h.Judge)
		}
		return out
	}}
}

// shared returns the value that is kept of those that are the same as JSON.
func shared[T any](kept map[string]T, v T) T {
	text, err := json.Marshal(v)
	if err != nil {
		return v
	}
	if old, ok := kept[string(text)]; ok {
		return old
	}
	kept[string(text)] = v
	return v
}
