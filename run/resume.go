package run

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
)

// Resume makes the plan continue the run of h. It refuses when something that
// can move a number has changed since the run began, and says what. A run whose
// state is "queued" has not begun: the plan takes over its id.
func (p *Plan) Resume(h assay.Header) error {
	if h.State == "queued" {
		p.Header.ID, p.from = h.ID, fromQueue
		return nil
	}
	is := p.Header
	for _, c := range []struct{ what, was, is string }{
		{"the dataset", h.Dataset.Hash, is.Dataset.Hash},
		{"the number of cases", fmt.Sprint(h.Dataset.Cases), fmt.Sprint(is.Dataset.Cases)},
		{"the number of draws", fmt.Sprint(h.Repeat), fmt.Sprint(is.Repeat)},
		{"the corpus", corpusHash(h), corpusHash(is)},
		{"the embedder", h.Embedder, is.Embedder},
		{"the metrics", metricVersions(h), metricVersions(is)},
		{"the prompt profile", h.Target.Settings["profile_hash"], is.Target.Settings["profile_hash"]},
		{"the transcriber", h.Target.Settings["transcriber"], is.Target.Settings["transcriber"]},
	} {
		if c.was != c.is {
			return fmt.Errorf("run %q cannot be resumed: %s changed since it started: start a new run", h.ID, c.what)
		}
	}
	if !assay.SameJudge(h.Judge, is.Judge, assay.PromptsOf(is.Metrics)) {
		return fmt.Errorf("run %q cannot be resumed: the judge changed since it started: start a new run", h.ID)
	}
	p.Header, p.from = h, fromRecords
	// A threshold moves no number, and may be another now; so may prompts that
	// no metric of the run reads.
	p.Header.Metrics, p.Header.Judge = is.Metrics, is.Judge
	return nil
}

// metricVersions identifies what is measured, without the thresholds.
func metricVersions(h assay.Header) string {
	metrics := slices.Clone(h.Metrics)
	for i := range metrics {
		metrics[i].Threshold = nil
		// The version of a metric includes the prompts it rests on.
		metrics[i].Prompts = nil
	}
	b, err := json.Marshal(metrics)
	if err != nil { // they were read from JSON
		return err.Error()
	}
	return string(b)
}

func corpusHash(h assay.Header) string {
	if h.Corpus == nil {
		return ""
	}
	return h.Corpus.Hash
}
