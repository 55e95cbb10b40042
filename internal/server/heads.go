package server

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// heads keeps what is needed of the headers of many runs, so that a page looks through ten
// thousand of them in a few milliseconds.
type heads struct {
	mu sync.Mutex
	by map[string]head
	// Most runs share their metrics and their judge.
	metrics map[string][]assay.MetricInfo
	judges  map[string]*assay.JudgeInfo
}

// A head is the header of a run without what only the pages of one run need.
type head struct {
	assay.Header
	// sum changes whenever the header does.
	sum int64
	// system identifies what was asked: the target with its settings and documents. setup
	// identifies also how it was judged: the judge and the metrics.
	system, setup fingerprint
}

// headsAtOnce is the number of headers that are read with one query.
const headsAtOnce = 500

func newHeads() *heads {
	return &heads{metrics: map[string][]assay.MetricInfo{}, judges: map[string]*assay.JudgeInfo{}}
}

// all returns the heads of all runs, latest first. Headers that changed since they were read are
// read again.
func (k *heads) all(ctx context.Context, s *store.Store) ([]head, error) {
	sums, err := s.RunSums(ctx, "")
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	by, sumOf := make(map[string]head, len(sums)), make(map[string]int64, len(sums))
	var ids []string
	for _, r := range sums {
		if old, ok := k.by[r.ID]; ok && old.sum == r.Sum {
			by[r.ID] = old
			continue
		}
		ids = append(ids, r.ID)
		sumOf[r.ID] = r.Sum
	}
	for part := range slices.Chunk(ids, headsAtOnce) {
		hs, err := s.RunsAt(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, h := range hs {
			by[h.ID] = k.head(h, sumOf[h.ID])
		}
	}
	k.by = by
	out := make([]head, 0, len(sums))
	for _, r := range sums {
		if one, ok := by[r.ID]; ok { // else it was deleted meanwhile
			out = append(out, one)
		}
	}
	return out, nil
}

// head returns what is kept of a header. The caller holds the lock.
func (k *heads) head(h assay.Header, sum int64) head {
	out := head{sum: sum, Header: assay.Header{ID: h.ID, Name: h.Name, Started: h.Started, State: h.State, Dataset: h.Dataset, Repeat: h.Repeat,
		Target: assay.TargetInfo{Adapter: h.Target.Adapter, Endpoint: h.Target.Endpoint}}}
	out.system, out.setup = fingerprintsOf(h)
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

type fingerprint [sha256.Size]byte

// fingerprintsOf returns the fingerprints of a run; see [head].
func fingerprintsOf(h assay.Header) (system, setup fingerprint) {
	corpus := ""
	if h.Corpus != nil {
		corpus = h.Corpus.Hash
	}
	asked, _ := json.Marshal([]any{h.Target, corpus}) // headers were read from JSON
	judged, _ := json.Marshal([]any{h.Judge, h.Metrics})
	return sha256.Sum256(asked), sha256.Sum256(append(asked, judged...))
}

// usedRuns returns the runs over a dataset whose content is known, latest first.
func (s *Server) usedRuns(ctx context.Context) ([]head, error) {
	all, err := s.heads.all(ctx, s.store)
	return slices.DeleteFunc(all, func(r head) bool { return r.Dataset.Hash == "" }), err
}
