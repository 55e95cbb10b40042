package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
)

// A usedRun is what is kept in memory of the header of a run over a dataset.
type usedRun struct {
	id            string
	stamp         int64
	dataset, hash string
	cases         int
	started       time.Time
	finished      bool
	// system identifies what was asked: the target with its settings and documents. setup
	// identifies also how it was judged: the judge and the metrics.
	system, setup fingerprint
}

type fingerprint [16]byte

func fingerprintOf(parts ...any) (f fingerprint) {
	sum := sha256.New()
	e := json.NewEncoder(sum)
	for _, p := range parts {
		// Headers were read from JSON.
		_ = e.Encode(p)
	}
	copy(f[:], sum.Sum(nil))
	return f
}

func usedRunOf(h assay.Header, stamp int64) usedRun {
	corpus := ""
	if h.Corpus != nil {
		corpus = h.Corpus.Hash
	}
	return usedRun{
		id: h.ID, stamp: stamp, dataset: h.Dataset.Name, hash: h.Dataset.Hash, cases: h.Dataset.Cases, started: h.Started,
		finished: h.State == stateFinished, system: fingerprintOf(h.Target, corpus),
		setup: fingerprintOf(h.Target, corpus, h.Judge, h.Metrics),
	}
}

// usedRuns returns the runs over a dataset whose content is known, latest first.
func (s *Server) usedRuns(ctx context.Context) ([]usedRun, error) {
	all, err := s.used.all(ctx, s.store, "")
	return slices.DeleteFunc(all, func(r usedRun) bool { return r.hash == "" }), err
}

// contents returns the contents of datasets that runs used, by name and content, the one used
// last first.
func (s *Server) contents(ctx context.Context) ([]web.ContentView, error) {
	runs, err := s.usedRuns(ctx)
	if err != nil {
		return nil, err
	}
	type key struct{ name, hash string }
	at := map[key]int{}
	out := []web.ContentView{}
	for _, r := range runs {
		k := key{r.dataset, r.hash}
		i, seen := at[k]
		if !seen {
			i = len(out)
			at[k] = i
			out = append(out, web.ContentView{Dataset: r.dataset, Hash: r.hash, Cases: r.cases, LastRun: r.id, Last: r.started})
		}
		out[i].Runs++
	}
	slices.SortStableFunc(out, func(a, b web.ContentView) int { return cmp.Compare(b.Last.UnixNano(), a.Last.UnixNano()) })
	return out, nil
}
