package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/schema"
	"github.com/assay-eval/assay/summary"
)

var format = schema.Format{Noun: "report", Schema: Schema}

// Read reads a report that [JSON] wrote. Every format writes the same bytes for it as
// for the original. Its Source is [Loaded]. Numbers in the metadata of cases become
// [json.Number]. Read
// returns an error for a file of a later version of the format and for a file whose
// summary lacks a metric of the run. It ignores unknown members.
func Read(r io.Reader) (*Report, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if data, err = format.Check(data); err != nil {
		return nil, err
	}
	var d reportJSON
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&d); err != nil {
		return nil, format.Located(data, err)
	}
	return d.report()
}

// rename gives the metrics of a report their present names, see [assay.MetricName].
func (d *reportJSON) rename() {
	d.Run.Rename()
	d.Summary.rename()
	for _, tag := range d.ByTag.values {
		if tag != nil {
			tag.Summary.rename()
		}
	}
	if d.Repeats != nil {
		d.Repeats.Metrics.rename()
	}
	if d.Gate != nil {
		for _, results := range [][]gate.Result{d.Gate.Results, d.Gate.Tracked} {
			for i := range results {
				results[i].Metric = assay.MetricName(results[i].Metric)
			}
		}
	}
	for _, c := range d.Cases {
		if c != nil {
			c.Scores.rename()
		}
	}
}

func (d *reportJSON) report() (*Report, error) {
	d.rename()
	r := &Report{Header: d.Run, fault: new(error), Summary: summary.Summary{Counts: d.Counts, Warnings: d.Warnings}}
	if len(d.Warnings) == 0 {
		r.Summary.Warnings = nil
	}
	r.Gate = d.Gate
	r.Summary.Waterfall = d.Lost
	var err error
	if r.Summary.Repeats, err = d.Repeats.repeats(d.Run.Metrics); err != nil {
		return nil, err
	}
	if r.Summary.Metrics, err = d.Summary.metrics(d.Run.Metrics, "summary"); err != nil {
		return nil, err
	}
	for _, tag := range d.ByTag.keys {
		in := d.ByTag.values[tag]
		if in == nil {
			return nil, fmt.Errorf("report: by_tag: %q: null: expected an object", tag)
		}
		metrics, err := in.Summary.metrics(d.Run.Metrics, fmt.Sprintf("by_tag: %q", tag))
		if err != nil {
			return nil, err
		}
		r.Summary.Tags = append(r.Summary.Tags, summary.Slice{Tag: tag, Cases: in.Cases, Metrics: metrics})
	}
	if l := d.Latency; l != nil {
		r.Summary.Latency = summary.Latency{
			N: l.N, Mean: time.Duration(l.Mean), P50: time.Duration(l.P50), P95: time.Duration(l.P95), P99: time.Duration(l.P99), Slow: l.Slow,
		}
	}
	r.Summary.Usage = usage(d.Cost.Actual, d.Cost.InputTokens, d.Cost.OutputTokens)
	if j := d.Judging; j != nil {
		r.Summary.Judging, r.Summary.Judged = j.spending(), j.Cases
	}
	for _, name := range d.Stages.keys {
		if s := d.Stages.values[name]; s != nil {
			r.Stages = append(r.Stages, Stage{name, s.N, time.Duration(s.Mean), time.Duration(s.P50), time.Duration(s.P95)})
		}
	}
	var loaded Loaded
	for i, c := range d.Cases {
		if c == nil || c.ID == "" {
			return nil, fmt.Errorf("report: cases[%d]: it has no id", i)
		}
		loaded = append(loaded, c.record())
	}
	slices.SortStableFunc(loaded, func(a, b assay.Record) int { return a.Seq - b.Seq })
	r.Source, r.Cases = loaded, columns.Of(loaded)
	if r.checks = r.Gate.Checks(); r.Gate == nil {
		o, _ := gate.Policy{}.Judge(r.Run())
		r.checks = o.Checks()
	}
	summary.Weigh(r.Summary.Metrics, r.Cases)
	return r, nil
}

// metrics returns the estimates in the order of the run's metrics.
func (o object[V]) metrics(infos []assay.MetricInfo, where string) ([]summary.Metric, error) {
	out := make([]summary.Metric, 0, len(infos))
	for _, info := range infos {
		e, _ := any(o.values[info.Name]).(*estimateJSON)
		if e == nil {
			return nil, fmt.Errorf("report: %s: it lacks the metric %q of the run", where, info.Name)
		}
		out = append(out, e.metric(info))
	}
	return out, nil
}

func (e *estimateJSON) metric(info assay.MetricInfo) summary.Metric {
	m := summary.Metric{MetricInfo: info, Reasons: e.Reasons}
	m.Mean = orZero(e.Mean)
	m.CI, m.Bounds, m.Level, m.N, m.Failed, m.Partial = e.CI, e.Bounds, e.Level, e.N, e.Failed, e.Partial
	m.TargetErrors, m.Answered, m.NotApplicable, m.Abstained = e.TargetErrors, e.Answered, e.NotApplicable, e.Abstained
	m.Warnings = e.Warnings
	return m
}

func (c *caseJSON) record() assay.Record {
	r := assay.Record{
		Seq: c.Seq, Attempts: c.Attempts, Started: c.Started, Slow: c.Slow, Failure: c.Failure,
		Case: assay.Case{
			ID: c.ID, Draw: c.Draw, Question: c.Question, Want: c.Want, Critical: c.Critical, Group: c.Group,
			Audio: c.Audio, Metadata: c.Metadata, Origin: c.Origin,
		},
		Scores: map[string]assay.Score{},
	}
	if len(c.Tags) > 0 {
		r.Case.Tags = c.Tags
	}
	for _, t := range c.Tries {
		r.Tries = append(r.Tries, assay.Try{Failure: t.Failure, Latency: time.Duration(t.Latency), Wait: time.Duration(t.Wait)})
	}
	r.Warnings, r.Answer, r.Retrieved, r.Attribution = c.Remarks, c.Correctness, c.Retrieved, c.Attribution
	if c.Judging != nil {
		s := c.Judging.spending()
		r.Judging = &s
	}
	for name, s := range c.Scores.values {
		if s != nil {
			r.Scores[name] = s.score()
		}
	}
	used := usage(c.Cost, c.InputTokens, c.OutputTokens)
	if c.Answer == nil {
		if n := len(r.Tries); n > 0 {
			r.Tries[n-1].Usage = used // of all attempts
		}
		return r
	}
	r.Response = &assay.Response{Answer: *c.Answer, NoAnswer: c.NoAnswer, Passages: c.Passages, Warnings: c.Warnings,
		Usage: used, Latency: time.Duration(orZero(c.Latency))}
	if c.Trace != nil {
		r.Response.Trace = &assay.Trace{}
		for _, s := range c.Trace.Stages {
			r.Response.Trace.Stages = append(r.Response.Trace.Stages, assay.Stage{
				Name: s.Name, SubQuestion: s.SubQuestion, Model: s.Model, Prompt: s.Prompt, Latency: time.Duration(s.Latency), Input: s.Input,
				Output: s.Output, Note: s.Note, Usage: assay.Usage{InputTokens: s.InputTokens, OutputTokens: s.OutputTokens},
			})
		}
	}
	return r
}

func (s *scoreJSON) score() assay.Score {
	out := assay.Score{State: s.State, Reason: s.Reason, Evidence: s.Evidence}
	if s.State == assay.Scored {
		if s.Value == nil {
			return assay.Score{State: assay.JudgeError, Reason: "the report has no value for this score"}
		}
		out.Value, out.Lower, out.Upper = *s.Value, *s.Value, *s.Value
	}
	if s.Bounds != nil {
		out.Lower, out.Upper = s.Bounds.Lo, s.Bounds.Hi
	}
	if s.Num != nil && s.Den != nil {
		out.Num, out.Den = *s.Num, *s.Den
	}
	return out
}

func usage(cost *usd, in, out *int) assay.Usage {
	return assay.Usage{Cost: int64(orZero(cost)), InputTokens: orZero(in), OutputTokens: orZero(out)}
}

// orZero returns what p points to; 0 for nil.
func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// scaled reads a number, multiplies it and rounds it to an integer.
func scaled(b []byte, by float64, unit string) (int64, error) {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.Abs(v*by) > math.MaxInt64/2 {
		return 0, fmt.Errorf("%s: expected %s, a number", clip(string(b), 40), unit)
	}
	return int64(math.Round(v * by)), nil
}
