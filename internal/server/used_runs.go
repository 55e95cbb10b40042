package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"github.com/assay-eval/assay"
)

// A usedRun is what is kept in memory of the header of a run over a dataset.
type usedRun struct {
	id            string
	stamp         int64
	dataset, hash string
	// cases counts those of the content, of which the run may have asked some.
	cases    int
	started  time.Time
	finished bool
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
		id: h.ID, stamp: stamp, dataset: h.Dataset.Name, hash: h.Dataset.Hash, cases: cmp.Or(h.Dataset.Total, h.Dataset.Cases), started: h.Started,
		finished: h.State == stateFinished, system: fingerprintOf(h.Target, corpus),
		setup: fingerprintOf(h.Target, corpus, h.Judge, h.Metrics),
	}
}

// usedRuns returns the runs over a dataset whose content is known, latest first.
func (s *Server) usedRuns(ctx context.Context) ([]usedRun, error) {
	all, err := s.used.all(ctx, s.store, "")
	return slices.DeleteFunc(all, func(r usedRun) bool { return r.hash == "" }), err
}
