package gate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// BaselineSchema names the version of the format of baseline files.
const BaselineSchema = "assay.baseline/1"

// A Baseline is the part of a run that later runs are held to, small enough to
// commit: what the run was on, what judged it, and the score of every case, so
// that comparisons with it are paired.
type Baseline struct {
	Schema  string    `json:"schema"`
	Run     string    `json:"run"`
	Name    string    `json:"name,omitempty"`
	Created time.Time `json:"created"`
	Version string    `json:"assay"`
	// Reason says why the baseline is what it is; approving one asks for it.
	Reason  string                     `json:"reason,omitempty"`
	Dataset BaselineDataset            `json:"dataset"`
	Corpus  string                     `json:"corpus,omitempty"`
	Judge   *assay.JudgeInfo           `json:"judge,omitempty"`
	Embed   string                     `json:"embedder,omitempty"`
	Metrics map[string]*BaselineMetric `json:"metrics"`
	// Cases holds every case's value of every metric, by the case's id; a
	// metric that does not apply to a case, or was not scored, is absent.
	// Several draws of a case are one value, their mean. Values are rounded to
	// 13 decimals: that hides what one processor rounds otherwise than another,
	// and is far below the 1e-9 within which the gate takes two numbers to be
	// equal, so that an unchanged run never fails by it.
	Cases map[string]map[string]float64 `json:"cases"`
}

// A BaselineDataset says what a baseline was measured on.
type BaselineDataset struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
	// Cases is the size of the gold set: how many cases the run had, however
	// often it asked each.
	Cases int `json:"cases"`
}

// A BaselineMetric is what a baseline remembers of a metric.
type BaselineMetric struct {
	Mean   float64    `json:"mean"`
	N      int        `json:"n"`
	Failed int        `json:"failed,omitempty"`
	Better string     `json:"better"`
	Unit   string     `json:"unit,omitempty"`
	Range  [2]float64 `json:"range"`
	// Version, Scheme and Weight are those of [assay.MetricInfo]; a metric is
	// compared only when they are the same, the weights where it is the
	// composite.
	Version int  `json:"version"`
	Judged  bool `json:"judged,omitempty"`
	// Prompts is that of [assay.MetricInfo].
	Prompts []string `json:"prompts,omitempty"`
	Pooled  bool     `json:"pooled,omitempty"`
	Scheme  string   `json:"scheme,omitempty"`
	Weight  float64  `json:"weight,omitempty"`
}

// NewBaseline takes from a run what later ones are held to. It is an error when
// the run is not finished, when the target failed every case, or when no metric
// was measured: such a baseline would hold nobody to anything. now becomes
// Created, to the second. A metric that was measured on no case is left out, but
// for its weight in the composite.
func NewBaseline(r Run, reason string, now time.Time) (*Baseline, error) {
	h := r.Header
	ids := caseIDs(r.Records)
	switch {
	case unfinished(h.State):
		return nil, fmt.Errorf("run %q is %s: want one that is finished: assay run --resume", h.ID, h.State)
	case len(r.Records) == 0:
		return nil, fmt.Errorf("run %q has no cases: a baseline of it would hold nobody to anything", h.ID)
	case len(r.Records) < h.Asked():
		return nil, fmt.Errorf("run %q has %d of its %d records: want a run that is complete", h.ID, len(r.Records), h.Asked())
	case allFailed(r.Summary):
		return nil, fmt.Errorf("the target failed all %d cases of run %q: want one that works", r.Summary.Cases, h.ID)
	}
	b := &Baseline{
		Schema: BaselineSchema, Run: h.ID, Name: h.Name, Created: now.UTC().Truncate(time.Second), Version: h.Version, Reason: reason,
		Dataset: BaselineDataset{h.Dataset.Name, h.Dataset.Hash, len(ids)},
		Judge:   h.Judge, Embed: h.Embedder,
		Metrics: map[string]*BaselineMetric{}, Cases: map[string]map[string]float64{},
	}
	if h.Corpus != nil {
		b.Corpus = h.Corpus.Hash
	}
	for _, id := range ids {
		b.Cases[id] = map[string]float64{}
	}
	any := false
	for _, m := range r.Summary.Metrics {
		measured := false
		for _, v := range summary.Values(m.MetricInfo, r.Records) {
			if v.Known > 0 {
				b.Cases[v.Case][m.Name] = rounded(v.Mean)
				measured = true
			}
		}
		any = any || measured
		if !measured && m.Weight == 0 {
			continue
		}
		b.Metrics[m.Name] = &BaselineMetric{
			Mean: rounded(m.Mean), N: m.N, Failed: m.Failed, Better: m.Better, Unit: m.Unit, Range: m.Range,
			Version: m.Version, Judged: m.Judged, Prompts: m.Prompts, Pooled: m.Pooled, Scheme: m.Scheme, Weight: m.Weight,
		}
	}
	if !any {
		return nil, fmt.Errorf("run %q measured nothing: want a metric that applies to its cases", h.ID)
	}
	return b, nil
}

// unfinished reports whether a run of such a state may still lack cases. A run
// that does not say is taken to be whole.
func unfinished(state string) bool { return state == "running" || state == "interrupted" }

func allFailed(s summary.Summary) bool { return s.Cases > 0 && s.Errors == s.Cases }

// caseIDs lists the cases, each once however often it was asked, sorted.
func caseIDs(records []assay.Record) []string {
	ids := map[string]bool{}
	for _, r := range records {
		ids[r.Case.Base()] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

// rounded drops what lies behind the 13th decimal. Numbers so large that they
// have no such decimal stay as they are.
func rounded(v float64) float64 {
	const decimals, exact = 1e13, 1 << 53
	if math.Abs(v)*decimals >= exact {
		return v
	}
	return math.Round(v*decimals)/decimals + 0 // −0 is 0
}

// Records gives what the baseline remembers as records, so that it can be set
// beside runs, in the order of the cases' ids; they hold scores and nothing
// else. A metric without a value does not apply.
func (b *Baseline) Records() []assay.Record {
	var out []assay.Record
	for i, id := range slices.Sorted(maps.Keys(b.Cases)) {
		r := assay.Record{Seq: i, Case: assay.Case{ID: id}, Response: &assay.Response{NoAnswer: true}, Scores: map[string]assay.Score{}}
		for name := range b.Metrics {
			r.Scores[name] = assay.None("the baseline has no value")
			if v, ok := b.Cases[id][name]; ok {
				r.Scores[name] = assay.Value(v)
			}
		}
		out = append(out, r)
	}
	return out
}

// Header describes the run that the baseline was taken from, as far as it is
// remembered. Its metrics are in the order of their names.
func (b *Baseline) Header() assay.Header {
	h := assay.Header{
		ID: b.Run, Name: b.Name, Started: b.Created, Finished: b.Created, State: "finished", Version: b.Version,
		Dataset: assay.DatasetInfo{Name: b.Dataset.Name, Hash: b.Dataset.Hash, Cases: b.Dataset.Cases, Total: b.Dataset.Cases},
		Judge:   b.Judge, Embedder: b.Embed,
	}
	if b.Corpus != "" {
		h.Corpus = &assay.CorpusInfo{Hash: b.Corpus}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		h.Metrics = append(h.Metrics, b.Metrics[name].info(name))
	}
	return h
}

func (m *BaselineMetric) info(name string) assay.MetricInfo {
	return assay.MetricInfo{
		Name: name, Title: name, Better: m.Better, Unit: m.Unit, Range: m.Range, Pooled: m.Pooled, Judged: m.Judged, Prompts: m.Prompts,
		Version: m.Version, Scheme: m.Scheme, Weight: m.Weight,
	}
}

// check reports what makes a baseline hold nobody to anything, or to what it
// cannot mean; where is how to say which part of the file it is.
func (b *Baseline) check(where func(path ...string) string) error {
	var problems []error
	problem := func(format string, of []string, args ...any) {
		problems = append(problems, fmt.Errorf("%s"+format, append([]any{where(of...)}, args...)...))
	}
	if len(b.Metrics) == 0 {
		problem("no metrics: want at least one", []string{"metrics"})
	}
	if len(b.Cases) == 0 {
		problem("no cases: want the value of each", []string{"cases"})
	}
	if len(b.Cases) > 0 && b.Dataset.Cases != len(b.Cases) {
		problem("%d cases of the data set, but %d under \"cases\": want as many", []string{"dataset", "cases"}, b.Dataset.Cases, len(b.Cases))
	}
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		m, at := b.Metrics[name], []string{"metrics", name}
		switch {
		case name == "":
			problem("a metric without a name", at)
		case m == nil:
			problem("metric %q: null: want an object", at, name)
		case m.Better != "higher" && m.Better != "lower":
			problem("metric %q: better %q: want \"higher\" or \"lower\"", at, name, m.Better)
		case !(m.Range[0] < m.Range[1]):
			problem("metric %q: range %v: want the smallest and the largest value", at, name, m.Range)
		case m.N < 0 || m.Failed < 0:
			problem("metric %q: n %d, failed %d: want numbers from 0", at, name, m.N, m.Failed)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.Cases)) {
		if id == "" {
			problem("a case without an id", []string{"cases", id})
		}
		for _, name := range slices.Sorted(maps.Keys(b.Cases[id])) {
			v, m, at := b.Cases[id][name], b.Metrics[name], []string{"cases", id, name}
			switch {
			case m == nil:
				problem("case %q: %q is none of the metrics", at, id, name)
			case m.Range[0] < m.Range[1] && (v < m.Range[0]-rounding || v > m.Range[1]+rounding):
				problem("case %q: %s %g: want a number from %g to %g", at, id, name, v, m.Range[0], m.Range[1])
			}
		}
		if len(problems) > 5 {
			break
		}
	}
	return errors.Join(problems...)
}
