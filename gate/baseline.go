package gate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/summary"
)

// BaselineSchema is the version of the format of baseline files.
const BaselineSchema = "assay.baseline/1"

// A Baseline is the part of a run that later runs are compared with, small enough to
// commit: what the run was on, what judged it, and the score of every case, so that
// comparisons with it are paired.
type Baseline struct {
	Schema  string    `json:"schema"`
	Run     string    `json:"run"`
	Name    string    `json:"name,omitempty"`
	Created time.Time `json:"created"`
	Version string    `json:"assay"`
	// Reason says why this is the baseline; approving a baseline requires one.
	Reason  string           `json:"reason,omitempty"`
	Dataset BaselineDataset  `json:"dataset"`
	Corpus  string           `json:"corpus,omitempty"`
	Judge   *assay.JudgeInfo `json:"judge,omitempty"`
	// Canaries tell of each model that judged whether it was the one that it had been.
	Canaries []assay.Canary             `json:"canaries,omitempty"`
	Embed    string                     `json:"embedder,omitempty"`
	Metrics  map[string]*BaselineMetric `json:"metrics"`
	// Cases holds every case's value of every metric, by the case's id. A metric that
	// does not apply to a case or was not scored is absent. Several draws of a case
	// are one value, their mean. Values are rounded to 13 decimals. That hides
	// differences in rounding between processors and is far below 1e-9, the distance
	// within which the gate treats two numbers as equal, so an unchanged run never
	// fails because of it.
	Cases map[string]map[string]float64 `json:"cases"`
	// Failed are the cases to which the target gave no answer in any draw, so that people can say nothing of it.
	Failed []string `json:"failed,omitempty"`
	// Groups are the clusters of the cases that have one, by the case's id. It is nil in older files, which do not tell.
	Groups map[string]string `json:"groups"`
}

// A BaselineDataset describes what a baseline was measured on.
type BaselineDataset struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
	// Cases is the number of cases of the run, without repetitions.
	Cases int `json:"cases"`
}

// A BaselineMetric is one metric of a baseline.
type BaselineMetric struct {
	Mean float64 `json:"mean"`
	// First is the mean that was approved first on the same dataset; nil if the
	// baseline succeeds none.
	First  *float64   `json:"first,omitempty"`
	N      int        `json:"n"`
	Failed int        `json:"failed,omitempty"`
	Better string     `json:"better"`
	Unit   string     `json:"unit,omitempty"`
	Range  [2]float64 `json:"range"`
	// Version, Scheme and Weight are those of [assay.MetricInfo]. A metric is compared
	// only if version and scheme are the same and, for the composite, the weights.
	Version int  `json:"version"`
	Judged  bool `json:"judged,omitempty"`
	// Prompts are those of [assay.MetricInfo].
	Prompts []string `json:"prompts,omitempty"`
	Pooled  bool     `json:"pooled,omitempty"`
	Scheme  string   `json:"scheme,omitempty"`
	Weight  float64  `json:"weight,omitempty"`
	// Ends are the smallest and the largest value of the cases whose value rests on the exact threshold of the judge, by id.
	Ends map[string][2]float64 `json:"ends,omitempty"`
}

// NewBaseline returns a run as a baseline. It returns an error if the run is not
// finished, if the target failed every case, or if no metric was measured: such a
// baseline would require nothing. now, truncated to seconds, becomes Created. Of a
// metric that was measured on no case, only its weight in the composite is kept.
func NewBaseline(r Run, reason string, now time.Time) (*Baseline, error) {
	h := r.Header
	ids := caseIDs(r.Cases)
	switch {
	case unfinished(h.State):
		return nil, fmt.Errorf("run %q is %s; finish it with assay run --resume", h.ID, h.State)
	case r.Cases.Len() == 0:
		return nil, fmt.Errorf("run %q has no cases: a baseline of it would hold nobody to anything", h.ID)
	case r.Cases.Len() < h.Asked():
		return nil, fmt.Errorf("run %q has %d of its %d records: expected a run that is complete", h.ID, r.Cases.Len(), h.Asked())
	case allFailed(r.Summary):
		return nil, fmt.Errorf("the target failed all %d cases of run %q: expected one that works", r.Summary.Cases, h.ID)
	}
	b := &Baseline{
		Schema: BaselineSchema, Run: h.ID, Name: h.Name, Created: now.UTC().Truncate(time.Second), Version: h.Version, Reason: reason,
		Dataset: BaselineDataset{h.Dataset.Name, h.Dataset.Hash, len(ids)},
		Judge:   h.Judge, Canaries: h.Canaries, Embed: h.Embedder,
		Metrics: map[string]*BaselineMetric{}, Cases: map[string]map[string]float64{}, Groups: map[string]string{},
	}
	if h.Corpus != nil {
		b.Corpus = h.Corpus.Hash
	}
	for _, id := range ids {
		b.Cases[id] = map[string]float64{}
	}
	any := false
	failed := map[string]bool{}
	for _, m := range r.Summary.Metrics {
		measured, ends := false, map[string][2]float64(nil)
		for _, v := range summary.Values(m.MetricInfo, r.Cases) {
			if v.Group != "" {
				b.Groups[v.Case] = v.Group
			}
			if v.Known > 0 {
				failed[v.Case] = failed[v.Case] || v.Failed == v.Known
				b.Cases[v.Case][m.Name] = rounded(v.Mean)
				measured = true
			}
			if m.OpenThreshold && v.Known == v.Draws && !v.Settled() {
				if ends == nil {
					ends = map[string][2]float64{}
				}
				ends[v.Case] = [2]float64{rounded(v.Lower), rounded(v.Upper)}
			}
		}
		any = any || measured
		if !measured && m.Weight == 0 {
			continue
		}
		b.Metrics[m.Name] = &BaselineMetric{
			Mean: rounded(m.Mean), N: m.N, Failed: m.Failed, Better: m.Better, Unit: m.Unit, Range: m.Range,
			Version: m.Version, Judged: m.Judged, Prompts: m.Prompts, Pooled: m.Pooled, Scheme: m.Scheme, Weight: m.Weight,
			Ends: ends,
		}
	}
	for _, id := range ids {
		if failed[id] {
			b.Failed = append(b.Failed, id)
		}
	}
	if !any {
		return nil, fmt.Errorf("run %q measured nothing: expected a metric that applies to its cases", h.ID)
	}
	return b, nil
}

// unfinished reports whether a run in such a state may still lack cases. A run without
// a state is taken to be complete.
func unfinished(state string) bool { return state == "running" || state == "interrupted" }

func allFailed(s summary.Summary) bool { return s.Cases > 0 && s.Errors == s.Cases }

// caseIDs returns the sorted ids of the cases, without repetitions.
func caseIDs(t *columns.Table) []string {
	ids := make([]string, t.Len())
	for i := range ids {
		ids[i] = t.Base(i)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// rounded rounds to the 13th decimal. Numbers so large that they have no such decimal
// are unchanged.
func rounded(v float64) float64 {
	const decimals, exact = 1e13, 1 << 53
	if math.Abs(v)*decimals >= exact {
		return v
	}
	return math.Round(v*decimals)/decimals + 0 // −0 is 0
}

// Records returns the baseline's scores as records, in the order of the cases' ids, so
// that it can be compared like a run. They hold scores and groups. A metric without a value
// does not apply.
func (b *Baseline) Records() []assay.Record {
	var out []assay.Record
	failed := make(map[string]bool, len(b.Failed))
	for _, id := range b.Failed {
		failed[id] = true
	}
	for i, id := range slices.Sorted(maps.Keys(b.Cases)) {
		r := assay.Record{Seq: i, Case: assay.Case{ID: id, Group: b.Groups[id]}, Response: &assay.Response{NoAnswer: true}, Scores: map[string]assay.Score{}}
		for name := range b.Metrics {
			r.Scores[name] = assay.None("the baseline has no value")
			if v, ok := b.Cases[id][name]; ok && failed[id] {
				r.Scores[name] = assay.Score{State: assay.TargetError}
			} else if ok {
				at := b.Metrics[name].at(id, v)
				r.Scores[name] = assay.Score{State: assay.Scored, Value: v, Lower: at[0], Upper: at[1]}
			}
		}
		out = append(out, r)
	}
	return out
}

// Header returns what the baseline has of the header of its run. The metrics are in
// the order of their names.
func (b *Baseline) Header() assay.Header {
	h := assay.Header{
		ID: b.Run, Name: b.Name, Started: b.Created, Finished: b.Created, State: "finished", Version: b.Version,
		Dataset: assay.DatasetInfo{Name: b.Dataset.Name, Hash: b.Dataset.Hash, Cases: b.Dataset.Cases, Total: b.Dataset.Cases},
		Judge:   b.Judge, Canaries: b.Canaries, Embedder: b.Embed,
	}
	if b.Corpus != "" {
		h.Corpus = &assay.CorpusInfo{Hash: b.Corpus}
	}
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		h.Metrics = append(h.Metrics, b.Metrics[name].info(name))
	}
	return h
}

// at returns the ends of a case's value v, which are equal if it rests on no threshold.
func (m *BaselineMetric) at(id string, v float64) [2]float64 {
	if ends, ok := m.Ends[id]; ok {
		return [2]float64{min(v, ends[0]), max(v, ends[1])}
	}
	return [2]float64{v, v}
}

func (m *BaselineMetric) info(name string) assay.MetricInfo {
	return assay.MetricInfo{
		Name: name, Title: name, Better: m.Better, Unit: m.Unit, Range: m.Range, Pooled: m.Pooled, Judged: m.Judged, Prompts: m.Prompts,
		Version: m.Version, Scheme: m.Scheme, Weight: m.Weight,
	}
}

// check returns an error if the baseline would require nothing or has values that make
// no sense. where returns the position of a member in the file, for messages.
func (b *Baseline) check(where func(path ...string) string) error {
	var problems []error
	problem := func(format string, of []string, args ...any) {
		problems = append(problems, fmt.Errorf("%s"+format, append([]any{where(of...)}, args...)...))
	}
	if len(b.Metrics) == 0 {
		problem("no metrics: expected at least one", []string{"metrics"})
	}
	if len(b.Cases) == 0 {
		problem("no cases: expected the value of each", []string{"cases"})
	}
	if len(b.Cases) > 0 && b.Dataset.Cases != len(b.Cases) {
		problem("%d cases of the data set, but %d under \"cases\": expected as many", []string{"dataset", "cases"}, b.Dataset.Cases, len(b.Cases))
	}
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		m, at := b.Metrics[name], []string{"metrics", name}
		switch {
		case name == "":
			problem("a metric without a name", at)
		case m == nil:
			problem("metric %q: null: expected an object", at, name)
		case m.Better != "higher" && m.Better != "lower":
			problem("metric %q: better %q: expected \"higher\" or \"lower\"", at, name, m.Better)
		case !(m.Range[0] < m.Range[1]):
			problem("metric %q: range %v: expected the smallest and the largest value", at, name, m.Range)
		case m.N < 0 || m.Failed < 0:
			problem("metric %q: n %d, failed %d: expected numbers from 0", at, name, m.N, m.Failed)
		}
	}
	for _, id := range b.Failed {
		if _, ok := b.Cases[id]; !ok {
			problem("failed case %q: none of the cases", []string{"failed"}, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.Groups)) {
		if _, ok := b.Cases[id]; !ok {
			problem("group of case %q: none of the cases", []string{"groups", id}, id)
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
				problem("case %q: %s %g: expected a number from %g to %g", at, id, name, v, m.Range[0], m.Range[1])
			}
		}
		if len(problems) > 5 {
			break
		}
	}
	return errors.Join(problems...)
}

// A Drift is what a metric has lost over several approved baselines.
type Drift struct {
	Metric, Unit string
	// First is the mean that was approved first, Now that of the baseline.
	First, Now float64
	// Tolerance is how far a run may fall behind its baseline.
	Tolerance float64
}

// Follow makes b the successor of an approved baseline: a metric keeps the mean that
// was approved first. A metric with another dataset, version, marking scheme or judge
// begins anew, since its means are not comparable; old may be nil.
func (b *Baseline) Follow(old *Baseline) {
	if old == nil || old.Dataset.Hash != b.Dataset.Hash {
		return
	}
	for name, m := range b.Metrics {
		was := old.Metrics[name]
		switch {
		case was == nil || was.N == 0 || was.Version != m.Version || was.Scheme != m.Scheme || was.Weight != m.Weight:
			continue
		case m.Judged && !assay.SameJudge(old.Judge, b.Judge, m.Prompts):
			continue
		}
		first := was.Mean
		if was.First != nil {
			first = *was.First
		}
		m.First = &first
	}
}

// Drifts returns the gated metrics whose mean in the baseline is worse than the mean
// approved first by more than the metric's tolerance, by name.
func (p Policy) Drifts(b *Baseline) []Drift {
	var out []Drift
	for _, name := range slices.Sorted(maps.Keys(b.Metrics)) {
		m := b.Metrics[name]
		t, _, ok := p.tolerance(name)
		if m.First == nil || !ok || t < 0 {
			continue
		}
		lost := *m.First - m.Mean
		if m.Better == "lower" {
			lost = -lost
		}
		if lost > t+rounding {
			out = append(out, Drift{name, m.Unit, *m.First, m.Mean, t})
		}
	}
	return out
}
