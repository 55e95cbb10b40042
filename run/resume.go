package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// Program is the entry of [assay.Header.Files] for the files that the command of the target names.
const Program = "program"

// Resume makes the plan continue the run of h. If something that can change a
// score has changed since the run started, Resume returns an error that says
// what. Of a run that is queued and has not started, the plan takes over the id.
func (p *Plan) Resume(h assay.Header) error {
	if h.State == "queued" && len(h.Config) == 0 {
		p.Header.ID, p.from = h.ID, fromQueue
		return nil
	}
	is := p.Header
	for _, c := range []struct{ what, was, is string }{
		{"the dataset", h.Dataset.Hash, is.Dataset.Hash},
		{"the number of cases", fmt.Sprint(h.Dataset.Cases), fmt.Sprint(is.Dataset.Cases)},
		{"the number of draws", fmt.Sprint(h.Repeat), fmt.Sprint(is.Repeat)},
		{"the grouping of cases", groupedBy(h), groupedBy(is)},
		{"the corpus", corpusHash(h), corpusHash(is)},
		{"the embedder", h.Embedder, is.Embedder},
		{"the metrics", metricVersions(h), metricVersions(is)},
		{"the prompt profile", h.Target.Settings["profile_hash"], is.Target.Settings["profile_hash"]},
		{"the embedder of the target", h.Target.Settings["embedder"], is.Target.Settings["embedder"]},
		{"the transcriber", h.Target.Settings["transcriber"], is.Target.Settings["transcriber"]},
	} {
		if c.was != c.is {
			return fmt.Errorf("run %q cannot be resumed: %s changed since it started: start a new run", h.ID, c.what)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.Files)) {
		if now := is.Files[name]; now != h.Files[name] && name != Program {
			return fmt.Errorf("run %q cannot be resumed: the content of the file of %q changed since it started: start a new run", h.ID, name)
		}
	}
	if !assay.SameJudge(h.Judge, is.Judge, assay.PromptsOf(is.Metrics)) {
		return fmt.Errorf("run %q cannot be resumed: the judge changed since it started: start a new run", h.ID)
	}
	p.Header, p.from = h, fromRecords
	// The program may have been repaired, or be another on another machine.
	if was := h.Files[Program]; was != "" && was != is.Files[Program] {
		p.Header.Files = maps.Clone(h.Files)
		p.Header.Files[Program] = is.Files[Program]
		p.Header.Warnings = append(slices.Clip(h.Warnings), "the run was resumed with another content of the target's program: "+
			"its cases may be of two systems. Start a new run to measure one")
	}
	// Workers read the settings from the header. Those that can change a score are as they were.
	if is.Config != nil {
		p.Header.Config = is.Config
	}
	// Thresholds do not affect scores and may have changed; so may prompts that
	// no metric of the run reads.
	p.Header.Metrics, p.Header.Judge = is.Metrics, is.Judge
	return nil
}

// metricVersions identifies the metrics, without their thresholds.
func metricVersions(h assay.Header) string {
	metrics := slices.Clone(h.Metrics)
	for i := range metrics {
		metrics[i].Threshold = nil
		// The version of a metric includes its prompts.
		metrics[i].Prompts, metrics[i].Rulings = nil, nil
	}
	b, err := json.Marshal(metrics)
	if err != nil { // decoded from JSON before
		return err.Error()
	}
	return string(b)
}

// groupedBy returns the setting group-by if it matters. A run that was started before
// cases were grouped by documents has none.
func groupedBy(h assay.Header) string {
	if h.Clusters == nil {
		return ""
	}
	return h.Clusters.By
}

func corpusHash(h assay.Header) string {
	if h.Corpus == nil {
		return ""
	}
	return h.Corpus.Hash
}
