package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

var jsonFormat = Format{
	Name: "json", Ext: ".json", Media: "application/json",
	Doc:   "everything, documented and versioned; can be read back",
	Write: JSON, Compare: CompareJSON, Gate: GateJSON,
}

// JSON writes the report in the format of [Schema]. [Read] can restore the whole
// report from it. Text is unchanged, except that bytes that are not UTF-8 become
// U+FFFD.
func JSON(w io.Writer, r *Report, _ Options) error {
	return encodeCases(w, newReportJSON(r), func(yield func(*caseJSON, error) bool) {
		if r.Cases == nil || r.Cases.Len() == 0 {
			return
		}
		for rec, err := range r.Records() {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(newCaseJSON(r, rec), nil) {
				return
			}
		}
	})
}

// encodeCases encodes a document whose last field is an empty list, and the cases in this
// list, one at a time, because encoding/json needs several times the memory of what it
// encodes.
func encodeCases[T any](w io.Writer, doc any, cases iter.Seq2[T, error]) error {
	var b bytes.Buffer
	if err := encode(&b, doc); err != nil {
		return err
	}
	head, ok := bytes.CutSuffix(b.Bytes(), []byte("[]\n}\n"))
	if !ok {
		return errors.New("the cases are not the last field of the report's JSON")
	}
	if _, err := w.Write(append(head, '[')); err != nil {
		return err
	}
	b = bytes.Buffer{}
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", " ")
	separator, end := "\n  ", "]\n}\n"
	for c, err := range cases {
		if err != nil {
			return err
		}
		b.Reset()
		b.WriteString(separator)
		if err := enc.Encode(c); err != nil {
			return err
		}
		if _, err := w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n"))); err != nil {
			return err
		}
		separator, end = ",\n  ", "\n ]\n}\n"
	}
	_, err := io.WriteString(w, end)
	return err
}

// GateJSON writes the outcome of the gate: the member "gate" of the JSON report, or null.
func GateJSON(w io.Writer, r *Report, _ Options) error { return encode(w, r.listed()) }

// listed returns the outcome of the gate with a list of rules, which may be empty.
func (r *Report) listed() *gate.Outcome {
	if r.Gate == nil || r.Gate.Results != nil {
		return r.Gate
	}
	out := *r.Gate
	out.Results = []gate.Result{}
	return &out
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(v)
}

// newReportJSON returns everything except the cases.
func newReportJSON(r *Report) *reportJSON {
	s := r.Summary
	d := &reportJSON{
		Schema: Schema, Run: r.Header,
		Counts:   s.Counts,
		Summary:  estimatesJSON(s.Metrics),
		Warnings: append([]string{}, s.Warnings...),
		Cases:    []*caseJSON{},
	}
	for _, t := range s.Tags {
		d.ByTag.put(t.Tag, &sliceJSON{t.Cases, estimatesJSON(t.Metrics)})
	}
	if l := s.Latency; l.N > 0 {
		d.Latency = &latencyJSON{l.N, milliseconds(l.Mean), milliseconds(l.P50), milliseconds(l.P95), milliseconds(l.P99), l.Slow}
	}
	for _, m := range s.Metrics {
		e := d.Summary.values[m.Name]
		e.Weight, e.Share, e.Threshold = m.Weight, m.Share, m.Threshold
		if v := r.ruling(m); v != nil {
			e.Verdict = v.Verdict
		}
	}
	d.Repeats = newRepeatsJSON(s.Repeats, r.Level())
	d.Lost = s.Waterfall
	d.Gate = r.listed()
	d.Cost = newCostJSON(r.Header, s)
	if s.Judged > 0 {
		d.Judging = newJudgingJSON(s.Judging)
		d.Judging.Cases = s.Judged
	}
	for _, st := range r.Stages {
		d.Stages.put(st.Name, &stageJSON{st.N, milliseconds(st.Mean), milliseconds(st.P50), milliseconds(st.P95)})
	}
	return d
}

func newCostJSON(h assay.Header, s summary.Summary) costJSON {
	var c costJSON
	c.Actual, c.InputTokens, c.OutputTokens = usageJSON(s.Usage)
	b := billOf(h, s)
	c.Estimated, c.Judging, c.Total = dollars(b.Estimated), dollars(b.Judging), dollars(b.Target+b.Judging)
	if b.Free {
		total := usd(b.Target)
		c.Estimated, c.Judging, c.Total = new(usd), new(usd), &total
	}
	return c
}

// dollars leaves out 0, which also means unknown.
func dollars(micro int64) *usd { return unlessZero(usd(micro)) }

func estimatesJSON(metrics []summary.Metric) object[*estimateJSON] {
	var o object[*estimateJSON]
	for _, m := range metrics {
		e := &estimateJSON{
			Title: m.Title, CI: m.CI, Bounds: m.Bounds, Level: m.Level, N: m.N, Failed: m.Failed,
			TargetErrors: m.TargetErrors, Answered: m.Answered, NotApplicable: m.NotApplicable, Abstained: m.Abstained,
			Unit: m.Unit, Better: m.Better, Pooled: m.Pooled, Estimate: m.MetricInfo.Estimate,
			Partial: m.Partial, NearChance: m.NearChance, Warnings: m.Warnings, Reasons: m.Reasons,
		}
		if m.N > 0 {
			e.Mean = &m.Mean
		}
		o.put(m.Name, e)
	}
	return o
}

// usageJSON leaves out values of 0, which also mean that the target reports none.
func usageJSON(u assay.Usage) (cost *usd, in, out *int) {
	return dollars(u.Cost), unlessZero(u.InputTokens), unlessZero(u.OutputTokens)
}

func unlessZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func newCaseJSON(rep *Report, r assay.Record) *caseJSON {
	c, metrics := r.Case, rep.Header.Metrics
	out := &caseJSON{
		ID: c.ID, Draw: c.Draw, Seq: r.Seq, Status: summary.Status(metrics, r), Critical: c.Critical, Tags: append([]string{},
			c.Tags...), Group: c.Group,
		Question: c.Question, Audio: c.Audio, Want: c.Want, Metadata: c.Metadata, Origin: c.Origin,
		Slow: r.Slow, Started: r.Started, Attempts: r.Attempts, Failure: r.Failure,
	}
	check := rep.Check(r)
	if out.Outcome = check.Outcome(); c.Critical {
		out.Check = &check
	}
	for _, t := range r.Tries {
		out.Tries = append(out.Tries, tryJSON{t.Failure, milliseconds(t.Latency), milliseconds(t.Wait)})
	}
	out.Remarks = r.Warnings
	out.Correctness, out.Retrieved, out.Attribution = r.Answer, r.Retrieved, r.Attribution
	if r.Judging != nil {
		out.Judging = newJudgingJSON(*r.Judging)
	}
	for _, name := range scoreNames(metrics, r) {
		out.Scores.put(name, newScoreJSON(r.Scores[name]))
	}
	out.Cost, out.InputTokens, out.OutputTokens = usageJSON(r.Usage())
	p := r.Response
	if p == nil {
		return out
	}
	out.Answer, out.NoAnswer, out.Latency, out.Warnings = &p.Answer, p.NoAnswer, took(p), p.Warnings
	out.Passages = finite(p.Passages)
	if p.Trace != nil {
		out.Trace = &traceJSON{Stages: []traceStageJSON{}}
		for _, s := range p.Trace.Stages {
			out.Trace.Stages = append(out.Trace.Stages, traceStageJSON{
				Name: s.Name, SubQuestion: s.SubQuestion, Model: s.Model, Prompt: s.Prompt, Latency: milliseconds(s.Latency),
				Input: valid(s.Input), Output: valid(s.Output), Note: s.Note, InputTokens: s.Usage.InputTokens, OutputTokens: s.Usage.OutputTokens,
			})
		}
	}
	return out
}

// scoreNames returns the names of a record's scores: those of the run's metrics in
// order, then any others by name.
func scoreNames(metrics []assay.MetricInfo, r assay.Record) []string {
	var names []string
	for _, m := range metrics {
		if _, ok := r.Scores[m.Name]; ok {
			names = append(names, m.Name)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(r.Scores)) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

func newScoreJSON(s assay.Score) *scoreJSON {
	out := &scoreJSON{State: s.State, Reason: s.Reason, Evidence: s.Evidence}
	if s.Lower != s.Value || s.Upper != s.Value {
		out.Bounds = &stats.Interval{Lo: s.Lower, Hi: s.Upper}
	}
	if s.State != assay.Scored {
		// Errors are pooled even if there is nothing to divide by.
		if s.State == assay.NotApplicable && s.Num != 0 {
			out.Num, out.Den = &s.Num, &s.Den
		}
		return out
	}
	out.Value = &s.Value
	if s.Num != 0 || s.Den != 0 {
		out.Num, out.Den = &s.Num, &s.Den
	}
	return out
}

// finite replaces a passage's score that JSON cannot represent by 0, which means
// "none". It copies the passages before a change.
func finite(passages []assay.Passage) []assay.Passage {
	copied := false
	for i, p := range passages {
		if !math.IsNaN(p.Score) && !math.IsInf(p.Score, 0) {
			continue
		}
		if !copied {
			passages, copied = slices.Clone(passages), true
		}
		passages[i].Score = 0
	}
	return passages
}

// valid makes a stage's input or output valid JSON: a value that is not JSON becomes a
// string.
func valid(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) {
		return raw
	}
	quoted, _ := json.Marshal(string(raw)) // a string always marshals
	return quoted
}

func newJudgingJSON(s assay.Spending) *judgingJSON {
	j := &judgingJSON{Calls: s.Calls, Cached: s.Cached, Failed: s.Failed, Rechecked: s.Rechecked, Overturned: s.Overturned,
		InputTokens: s.Usage.InputTokens, OutputTokens: s.Usage.OutputTokens}
	j.Cost, _, _ = usageJSON(s.Usage)
	return j
}

func (j *judgingJSON) spending() assay.Spending {
	return assay.Spending{
		Calls: j.Calls, Cached: j.Cached, Failed: j.Failed, Rechecked: j.Rechecked, Overturned: j.Overturned,
		Usage: usage(j.Cost, &j.InputTokens, &j.OutputTokens),
	}
}
