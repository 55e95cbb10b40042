package report

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
	"github.com/assay-eval/assay/metric/stage"
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

// remarks count the remarks of adapters and the engine on responses, and of judges on
// cases, the most frequent first.
type remarks struct{ responses, cases tally }

func newRemarks() remarks { return remarks{tally{}, tally{}} }

func (x remarks) add(r *assay.Record) {
	x.cases.add(append(slices.Clip(r.Warnings), summary.Alike(r)...))
	if r.Response != nil {
		x.responses.add(r.Response.Warnings)
	}
}

func (x remarks) list() []string { return append(x.responses.list(true), x.cases.list(false)...) }

// A tally counts remarks by their text without numbers and quotations, because details
// such as the length of a cut text differ in every case.
type tally map[string]*tallied

// tallied is one kind of remark.
type tallied struct {
	n int
	// text is the first remark of the kind in alphabetical order; many is set if there
	// are others.
	text string
	many bool
}

var particulars = lazyregexp.New(`"[^"]*"|[0-9]+`)

// add counts the remarks on one response or case, each kind once.
func (t tally) add(remarks []string) {
	seen := map[string]bool{}
	for _, text := range remarks {
		kind := particulars().ReplaceAllString(text, "#")
		of := t[kind]
		if of == nil {
			of = &tallied{text: text}
			t[kind] = of
		}
		of.many = of.many || of.text != text
		of.text = min(of.text, text)
		if !seen[kind] {
			of.n++
		}
		seen[kind] = true
	}
}

// list returns the remarks with the number of responses, or cases, that have them.
// They are in English, like everything that a run stores.
func (t tally) list(responses bool) []string {
	kinds := slices.SortedFunc(maps.Values(t), func(a, b *tallied) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.text, b.text))
	})
	const most = 10
	var out []string
	for i, k := range kinds {
		if i == most {
			return append(out, words.English.Say("MoreRemarks", words.V{"n": len(kinds) - most, "responses": responses}))
		}
		out = append(out, words.English.Say("Remarked", words.V{"n": k.n, "responses": responses, "text": k.text, "many": k.many}))
	}
	return out
}

// A Source has the records of a run. It may read them again for every call.
type Source interface {
	// Records yields all records in the order of Seq. An error ends the sequence.
	Records() iter.Seq2[assay.Record, error]
	// At returns the records of rows, which count from 0 in their order; seqs are their Seqs.
	At(rows, seqs []int) ([]assay.Record, error)
}

// Loaded are records in memory, in the order of Seq.
type Loaded []assay.Record

// Records implements [Source].
func (l Loaded) Records() iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		for _, r := range l {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// At implements [Source].
func (l Loaded) At(rows, _ []int) ([]assay.Record, error) {
	out := make([]assay.Record, len(rows))
	for k, row := range rows {
		out[k] = l[row]
	}
	return out, nil
}

// Records yields the records in the order of the dataset, with the scores of the report:
// those that depend on names of documents are not applicable where the names mean nothing.
// An error ends the sequence.
func (r *Report) Records() iter.Seq2[assay.Record, error] {
	return func(yield func(assay.Record, error) bool) {
		for rec, err := range r.Source.Records() {
			if !yield(r.reported(rec), err) || err != nil {
				return
			}
		}
	}
}

// Record returns the record of row i of the cases, as [Report.Records] would.
func (r *Report) Record(i int) (assay.Record, error) {
	out, err := r.at([]int{i})
	if err != nil {
		return assay.Record{}, err
	}
	return out[0], nil
}

// at returns the records of some rows of the cases, as [Report.Records] would.
func (r *Report) at(rows []int) ([]assay.Record, error) {
	seqs := make([]int, len(rows))
	for k, i := range rows {
		seqs[k] = r.Cases.Seq(i)
	}
	out, err := r.Source.At(rows, seqs)
	for k := range out {
		out[k] = r.reported(out[k])
	}
	return out, err
}

// whole is Record for documents, which are built without errors. The first error is
// returned by failed when the document is written; the record is then in its short form.
func (r *Report) whole(i int) assay.Record {
	rec, err := r.Record(i)
	if err == nil {
		return rec
	}
	if *r.fault == nil {
		*r.fault = err
	}
	return r.Cases.Record(i)
}

// failed joins the error of a writer with that of reading a record for it.
func (r *Report) failed(err error) error { return errors.Join(err, *r.fault) }

// Load reads all records into memory, so that the report needs its source no more.
func (r *Report) Load() error {
	var loaded Loaded
	for rec, err := range r.Source.Records() {
		if err != nil {
			return err
		}
		loaded = append(loaded, rec)
	}
	r.Source = loaded
	return nil
}

func (r *Report) reported(rec assay.Record) assay.Record {
	rec.Case.Critical = rec.Case.Critical || r.allCritical
	if r.unnamed != "" {
		rec = summary.Unname(r.Header.Metrics, rec, r.unnamed)
	}
	if r.unnamed == "" {
		rec = withFound(rec)
	}
	if rec.Response != nil && rec.Response.NoAnswer && slices.Contains(r.unknown, assay.NoAnswer) {
		rec = unanswered(r.Header.Metrics, rec)
	}
	if r.unknown != nil {
		rec = summary.Unreported(r.Header.Metrics, rec, r.unknown)
	}
	if rec.Response != nil && rec.Response.Cites && slices.Contains(r.unknown, assay.NoSources) {
		rec = unlisted(r.Header.Metrics, rec)
	}
	return rec
}

// unanswered returns a record as of an empty answer, since the target answers other cases. What a judge or an embedder
// reads of it stays unknown.
func unanswered(metrics []assay.MetricInfo, rec assay.Record) assay.Record {
	empty := *rec.Response
	empty.NoAnswer, empty.Warnings = false, append(slices.Clip(empty.Warnings), assay.CountsAsEmpty)
	rec.Response, rec.Answer, rec.Scores = &empty, stage.Outcome{}.Correct(&rec.Case, &empty, nil, nil), maps.Clone(rec.Scores)
	var all []metric.Metric
	weights := map[string]float64{}
	for _, info := range metrics {
		m, err := definitions().Parse(info.Name)
		if err != nil {
			continue
		}
		all, weights[info.Name] = append(all, m), info.Weight
		if s := rec.Scores[info.Name]; s.State == assay.NotApplicable && s.Reason == assay.NoAnswer && len(m.Def.Asks) == 0 && !m.Def.Embeds {
			rec.Scores[info.Name] = m.Score(context.Background(), metric.Input{Case: &rec.Case, Response: &empty, Attribution: rec.Attribution})
		}
	}
	if c, err := metric.NewComposite(all, weights); err == nil && rec.Scores[assay.CompositeName].State != assay.Unset {
		rec.Scores[assay.CompositeName] = c.Score(rec.Scores)
	}
	return rec
}

// unlisted returns a record as of a response that reports no passages.
func unlisted(metrics []assay.MetricInfo, rec assay.Record) assay.Record {
	response, weighted := *rec.Response, false
	response.Passages = nil
	rec.Response, rec.Retrieved, rec.Attribution, rec.Scores = &response, nil, nil, maps.Clone(rec.Scores)
	for _, info := range metrics {
		m, err := definitions().Parse(info.Name)
		if err != nil || rec.Scores[info.Name].State == assay.NotApplicable {
			continue
		}
		if reported, _ := m.Reported(&response); !reported || m.Def.Follows {
			rec.Scores[info.Name] = assay.None(assay.NoSources)
			weighted = weighted || info.Weight > 0
		}
	}
	if _, ok := rec.Scores[assay.CompositeName]; ok && weighted {
		rec.Scores[assay.CompositeName] = assay.None(assay.NoSources)
	}
	return rec
}

// withFound counts the evidence in a record of an earlier version.
func withFound(rec assay.Record) assay.Record {
	if rec.Retrieved == nil {
		rec.Retrieved = retrieval.Found(&rec.Case, rec.Response, retrieval.Everywhere)
	}
	return rec
}
