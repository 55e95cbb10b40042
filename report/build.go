package report

import (
	"slices"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// Of returns the report of a run. It reads the records once, and keeps their columns. Where
// names of documents mean nothing, the report shows the records without scores and evidence
// that depend on these, see [summary.Unnamed]. The confidence level is the one in the header's
// config ("level"), else [stats.DefaultLevel].
func Of(h assay.Header, source Source) (*Report, error) {
	b := NewBuilder()
	for rec, err := range source.Records() {
		if err != nil {
			return nil, err
		}
		b.Add(&rec)
	}
	return b.Report(h, source)
}

// A Builder makes the report of a run whose records come one by one, in any order, such as
// while the run goes on. It keeps only their columns. Several goroutines can use one.
type Builder struct {
	mu      sync.Mutex
	cases   *columns.Builder
	times   stageTimes
	remarks remarks
	// labelled is set if a case labels documents, and named if a record names one of these.
	labelled, named bool
	parts           summary.Parts
}

// NewBuilder returns a builder without records.
func NewBuilder() *Builder {
	return &Builder{cases: columns.NewBuilder(), times: stageTimes{}, remarks: newRemarks()}
}

// Add adds a record.
func (b *Builder) Add(rec *assay.Record) {
	found := withFound(*rec)
	b.add(&found)
}

func (b *Builder) add(rec *assay.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cases.Add(rec)
	b.times.add(rec)
	b.remarks.add(rec)
	b.parts.Add(rec)
	b.labelled = b.labelled || rec.Case.Want.Documents != nil
	b.named = b.named || summary.Names(rec)
}

// Report returns the report of the records that were added so far, which source has, too. It
// is that of [Of], and reads the source only if no record names a labelled document.
func (b *Builder) Report(h assay.Header, source Source) (*Report, error) {
	b.mu.Lock()
	cases, times, remarks, doubtful := b.cases.Table(), b.times.clone(), b.remarks.list(), b.labelled && !b.named
	r := &Report{Header: h, Source: source, unknown: b.parts.Unknown(), fault: new(error)}
	b.mu.Unlock()
	if doubtful {
		var err error
		if r.unnamed, err = summary.Unnamed(source.Records(), h.Corpus != nil); err != nil {
			return nil, err
		}
	}
	if r.unnamed != "" || r.unknown != nil {
		known := NewBuilder()
		for rec, err := range r.Records() {
			if err != nil {
				return nil, err
			}
			known.add(&rec)
		}
		cases, times, remarks = known.cases.Table(), known.times, known.remarks.list()
	}
	r.complete(cases, times.stages(), remarks)
	return r, nil
}

func (r *Report) complete(cases *columns.Table, stages []Stage, remarks []string) {
	r.Cases, r.Stages, r.remarks = cases, stages, remarks
	r.Summary = summary.Of(r.Header.Metrics, r.Cases, LevelOf(r.Header))
	own := slices.Concat(r.Summary.Warnings, summary.Overconfident(r.Header.Judge, r.Summary.Judging), remarks)
	// Metrics of documents give it as the reason why they never applied.
	if r.unnamed != "" && !slices.ContainsFunc(r.Header.Metrics, func(m assay.MetricInfo) bool { return m.Documents != "" }) {
		own = append(own, r.unnamed)
	}
	r.warn(own)
	if r.Header.Config["gate.critical"] == "all" {
		r.Cases, r.allCritical = r.Cases.AllCritical(), true
	}
	r.Judge(gate.Policy{})
}

// Finished gives the report the header that the run has at its end. Scores and cases are
// those of before.
func (r *Report) Finished(h assay.Header) {
	of := slices.Concat(canaryWarnings(words.English, r.Header), r.Header.Warnings)
	own := slices.DeleteFunc(slices.Clone(r.Summary.Warnings), func(w string) bool { return slices.Contains(of, w) })
	r.Header = h
	r.warn(own)
}

// warn joins the warnings of the run and those of its header. A terminal shows the first few:
// what the scores and responses show comes before what was known at the start, and trivial
// warnings come last.
func (r *Report) warn(own []string) {
	all := slices.Concat(own, canaryWarnings(words.English, r.Header), r.Header.Warnings)
	r.Summary.Warnings = slices.Concat(slices.DeleteFunc(slices.Clone(all), summary.Trivial),
		slices.DeleteFunc(all, func(w string) bool { return !summary.Trivial(w) }))
}

// A Derived is what a report takes from the records beside their columns.
type Derived struct {
	Stages  []Stage  `json:"stages,omitempty"`
	Remarks []string `json:"remarks,omitempty"`
	// Unnamed is why the names of documents mean nothing in the run; "" if they do.
	Unnamed string `json:"unnamed,omitempty"`
	// Unknown are the reasons for which scores are not known, see [summary.Unreported].
	Unknown []string `json:"unknown,omitempty"`
}

// Derived returns what the report took from the records beside their columns.
func (r *Report) Derived() Derived { return Derived{r.Stages, r.remarks, r.unnamed, r.unknown} }

// From returns the report of a run from the columns of its records and what was derived
// with them: that of [Of], without reading the records.
func From(h assay.Header, cases *columns.Table, d Derived, source Source) *Report {
	r := &Report{Header: h, Source: source, unnamed: d.Unnamed, unknown: d.Unknown, fault: new(error)}
	r.complete(cases, d.Stages, d.Remarks)
	return r
}
