package server

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/assay-eval/assay"
)

// heads are the headers of the finished runs, without what only the pages of one run need,
// so that trends and the frontier look through ten thousand of them in a few milliseconds.
type heads struct {
	mu sync.Mutex
	by map[string]keptHead
	// metrics and judges hold one of each, which most runs share.
	metrics map[string][]assay.MetricInfo
	judges  map[string]*assay.JudgeInfo
}

type keptHead struct {
	sum    int64
	header assay.Header
}

// headsAtOnce is the number of headers that are read with one query.
const headsAtOnce = 500

// finished returns the short headers of the finished runs, latest first. Those that changed
// since they were read are read again.
func (s *Server) finished(ctx context.Context) ([]assay.Header, error) {
	sums, err := s.store.RunSums(ctx, stateFinished)
	if err != nil {
		return nil, err
	}
	k := &s.heads
	k.mu.Lock()
	defer k.mu.Unlock()
	by := make(map[string]keptHead, len(sums))
	sumOf := make(map[string]int64, len(sums))
	var ids []string
	for _, r := range sums {
		if old, ok := k.by[r.ID]; ok && old.sum == r.Sum {
			by[r.ID] = old
			continue
		}
		ids = append(ids, r.ID)
		sumOf[r.ID] = r.Sum
	}
	if k.metrics == nil {
		k.metrics, k.judges = map[string][]assay.MetricInfo{}, map[string]*assay.JudgeInfo{}
	}
	for len(ids) > 0 {
		n := min(len(ids), headsAtOnce)
		hs, err := s.store.RunsAt(ctx, ids[:n])
		if err != nil {
			return nil, err
		}
		for _, h := range hs {
			by[h.ID] = keptHead{sumOf[h.ID], k.short(h)}
		}
		ids = ids[n:]
	}
	k.by = by
	out := make([]assay.Header, 0, len(sums))
	for _, r := range sums {
		if one, ok := by[r.ID]; ok { // else it was deleted meanwhile
			out = append(out, one.header)
		}
	}
	return out, nil
}

// short returns what is kept of a header.
func (k *heads) short(h assay.Header) assay.Header {
	out := assay.Header{ID: h.ID, Name: h.Name, Started: h.Started, State: h.State, Dataset: h.Dataset, Repeat: h.Repeat,
		Target: assay.TargetInfo{Adapter: h.Target.Adapter, Endpoint: h.Target.Endpoint}}
	if p := h.Config["primary"]; p != "" {
		out.Config = map[string]string{"primary": p}
	}
	out.Metrics = shared(k.metrics, h.Metrics)
	if h.Judge != nil {
		out.Judge = shared(k.judges, h.Judge)
	}
	return out
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
