// Package metric defines what a metric is: a named, documented definition that
// turns one case and one response into a score. The metrics themselves are in
// the subpackages, one per file; metric/catalog lists them all.
package metric

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// A Def defines a metric: its name, its meaning, its requirements and its
// computation. Help texts, documentation, configuration and reports are all
// generated from it.
type Def struct {
	// Name is the metric's name in the literature, in lower case, without parameters.
	Name string
	// Title is the name shown in reports, such as "nDCG".
	Title string
	// Group is the heading under which the metric is listed.
	Group Group
	// Doc explains in one or two sentences what the metric measures.
	Doc string
	// Formula is the definition in plain text, where k is the cutoff.
	Formula string
	// Edges describes the cases that the formula does not cover: empty lists,
	// duplicates, no relevant document.
	Edges string
	// Source names the paper or the tool whose values the metric reproduces.
	Source string
	// Unit is "" for a ratio in 0…1 or a difference of two such ratios, else a word such as "points".
	Unit   string
	Better Direction
	// Range holds the smallest and the largest value; math.MaxFloat64 means unbounded.
	// The zero value means 0…1.
	Range [2]float64
	// Needs is the set of labels that a case must have. Whether a metric applies is
	// decided from the case alone, before the target is called.
	Needs Need
	// Reads is the set of response parts that the metric uses. If the target does
	// not report one of them, the metric is not applicable, unless it is in Optional: not every
	// case needs it.
	Reads, Optional Part
	// Embeds is set if the metric uses an embedder.
	Embeds bool
	// Asks lists the judge questions whose answers the metric reads. It is empty
	// for a metric that needs no judge.
	Asks judge.Asks
	// Unmarked lists those of Asks that are put about a case without the mark "answerable";
	// nil means all.
	Unmarked judge.Asks
	// Follows is set if the metric reads the attribution, which traces the case's
	// evidence through the pipeline stages.
	Follows bool
	// Pooled is set if cases are aggregated by summing Num and Den.
	Pooled bool
	// Estimate marks a formula that approximates a judgement. Every report labels
	// it as such, and it is never averaged with judged metrics.
	Estimate bool
	// LabelQuestion is what people decide when they label a case for the metric.
	LabelQuestion assay.LabelQuestion
	// Capped is set if the best response to a case can score below the best value, or any response
	// can have it: a low score alone does not show that something was lost. At most 1 of 10
	// passages is relevant if 1 document is, whatever is retrieved.
	Capped bool
	// Cutoff says whether a name may or must have "@k".
	Cutoff Cutoff
	// Chunks is set if k counts passages, not the documents that they are of.
	Chunks bool
	// Params lists the parameters that a name may have in parentheses.
	Params []Param
	// Documents says how the metric compares the names of documents with labels.
	Documents assay.Naming
	// Version is incremented by every change of the implementation that changes a score; 0 means 1.
	Version int
	// Scheme is "sha256:" and the hash of the user's definition, for a metric that has one.
	Scheme string
	// New returns the scoring function for the given parameters, which are complete
	// and already checked against Cutoff and Params.
	New func(Params) Func
}

// A Func scores one case. It is safe for concurrent use and has no side effects
// other than calls to the embedder. It is called only if the case has the labels
// in Needs, the target responded, and the response has the parts in Reads. An
// error means that the evaluator failed; the score is then a JudgeError.
type Func func(ctx context.Context, in Input) (assay.Score, error)

// Input is the input of a metric.
type Input struct {
	Case     *assay.Case
	Response *assay.Response
	// Embedder is set if the definition sets Embeds.
	Embedder assay.Embedder
	// Assessment holds the judge's answers. It is set if the definition has Asks.
	Assessment *judge.Assessment
	// Attribution says at which stage evidence was lost. It is set if the
	// definition sets Follows.
	Attribution *assay.Attribution
	// MaxGrade is the highest grade in the dataset, at least 1. It defines the
	// scale of graded measures such as ERR.
	MaxGrade int
	// Memo keeps what several metrics compute of the same case and response, such as the
	// tokens of the answer; nil keeps nothing. Use it by [Once].
	Memo Memo
}

// A Memo keeps values by keys that the packages of metrics choose. It belongs to one case
// with one response, and is not safe for concurrent use.
type Memo map[any]any

// Once returns what compute returns, and calls it only once for a key of the memo. Others
// get the same value, and must not change it.
func Once[T any](m Memo, key any, compute func() T) T {
	if v, known := m[key]; known {
		return v.(T)
	}
	v := compute()
	if m != nil {
		m[key] = v
	}
	return v
}

// Direction says which values of a metric are better.
type Direction uint8

const (
	// Higher means that larger values are better.
	Higher Direction = iota
	// Lower means that smaller values are better.
	Lower
)

// String returns "higher" or "lower".
func (d Direction) String() string {
	if d == Lower {
		return "lower"
	}
	return "higher"
}

// A Group is a heading in the list of metrics.
type Group string

// The groups, in the order in which they are listed.
const (
	Retrieval Group = "retrieval"
	Source    Group = "retrieval by source"
	Passage   Group = "retrieval by passage text"
	Answer    Group = "answer"
	Grounding Group = "answer against its context"
	Judged    Group = "judged"
	Speech    Group = "transcription"
	Stages    Group = "pipeline stages"
)

// Groups lists the groups in order.
func Groups() []Group {
	return []Group{Retrieval, Source, Passage, Answer, Grounding, Judged, Speech, Stages}
}

// Need is a set of labels.
type Need uint16

// The labels that a metric may need.
const (
	NeedAnswers Need = 1 << iota
	NeedDocuments
	NeedPassages
	NeedKeywords
	NeedSubQuestions
	NeedTranscript
	NeedAnswerable
	NeedIdeal
	NeedChecks
)

// needs describes each label: its name for readers, and whether a case has it.
var needs = []struct {
	bit  Need
	name string
	has  func(assay.Want) bool
}{
	{NeedAnswers, "a reference answer", func(w assay.Want) bool { return w.Answers != nil }},
	{NeedDocuments, "expected documents", func(w assay.Want) bool { return w.Documents != nil }},
	{NeedPassages, "reference passages", func(w assay.Want) bool { return w.Passages != nil }},
	{NeedKeywords, "expected keywords", func(w assay.Want) bool { return w.Keywords != nil }},
	{NeedSubQuestions, "key questions", func(w assay.Want) bool { return w.SubQuestions != nil }},
	{NeedTranscript, "a reference transcript", func(w assay.Want) bool { return w.Transcript != nil }},
	{NeedAnswerable, "a mark of whether it can be answered", func(w assay.Want) bool { return w.Answerable != nil }},
	{NeedIdeal, "an ideal answer", func(w assay.Want) bool { return w.Ideal != nil }},
	{NeedChecks, "checks", func(w assay.Want) bool { return w.Checks != nil }},
}

// Missing returns descriptions of the labels in n that w lacks, in a fixed order.
func (n Need) Missing(w assay.Want) []string {
	var out []string
	for _, l := range needs {
		if n&l.bit != 0 && !l.has(w) {
			out = append(out, l.name)
		}
	}
	return out
}

// Names returns descriptions of the labels in n, in a fixed order.
func (n Need) Names() []string { return n.Missing(assay.Want{}) }

// Part is a set of parts of a response.
type Part uint8

// The parts of a response that a metric may read.
const (
	ReadAnswer Part = 1 << iota
	ReadPassages
	ReadTrace
)

// Names returns descriptions of the parts in p, in a fixed order.
func (p Part) Names() []string {
	var out []string
	for i, n := range []string{"the answer", "the passages", "the trace"} {
		if p&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// A Metric is a definition with values for its parameters.
type Metric struct {
	Def *Def
	// Name is canonical: it omits parameters that have their default value and
	// lists the others in the order of the definition.
	Name   string
	Params Params
	score  Func
	// absent is why the run cannot measure the metric; "" if it can.
	absent string
}

// Unmeasured returns the metric with no score on any case, for a run that lacks
// what it needs, such as a judge. reason says what that is and how to provide it.
func (m Metric) Unmeasured(reason string) Metric {
	m.absent = reason
	return m
}

// Absent is the reason given to [Metric.Unmeasured]; "" if the run can measure the
// metric.
func (m Metric) Absent() string { return m.absent }

// Asks lists the questions that the metric puts to the judge of its run. There
// are none if the run cannot measure it.
func (m Metric) Asks() judge.Asks {
	if m.absent != "" {
		return nil
	}
	out := m.Def.Asks
	for _, p := range m.Def.Params {
		if more := p.Asks[m.Params.Word(p.Name)]; more != nil {
			out = out.Join(more)
		}
	}
	return out
}

// AsksAbout lists the questions of [Metric.Asks] that the metric puts about a case.
func (m Metric) AsksAbout(c *assay.Case) judge.Asks {
	if c.Want.Answerable == nil && m.absent == "" && m.Def.Unmarked != nil {
		return m.Def.Unmarked
	}
	return m.Asks()
}

// Define replaces the definition by one of the same name, for a run that asks more of it.
func (m Metric) Define(d *Def) Metric {
	m.Def, m.score = d, d.New(m.Params)
	return m
}

// Info returns the description of the metric for reports.
func (m Metric) Info() assay.MetricInfo {
	title := m.Def.Title + m.Name[len(m.Def.Name):]
	return assay.MetricInfo{
		Name: m.Name, Title: title, Better: m.Def.Better.String(), Unit: m.Def.Unit, Range: m.Def.Range,
		Pooled: m.Def.Pooled, Judged: len(m.Def.Asks) > 0, Prompts: m.Def.Asks.Prompts(), Rulings: m.Def.Asks.Rulings(),
		Estimate: m.Def.Estimate, Version: m.Def.Version, Documents: m.Def.Documents, Scheme: m.Def.Scheme,
		LabelQuestion: m.Def.LabelQuestion, Capped: m.Def.Capped,
	}
}

// Applies reports whether the case has the labels that the metric needs. If
// not, reason says which label is missing.
func (m Metric) Applies(c *assay.Case) (ok bool, reason string) {
	if missing := m.Def.Needs.Missing(c.Want); len(missing) > 0 {
		return false, "the case has no " + trimArticle(missing[0])
	}
	return true, ""
}

// Reported reports whether the response has the parts that the metric reads.
// If not, reason says which part is missing.
func (m Metric) Reported(r *assay.Response) (ok bool, reason string) {
	reads := m.Def.Reads &^ m.Def.Optional
	switch {
	case reads&ReadAnswer != 0 && r.NoAnswer:
		return false, assay.NoAnswer
	case reads&ReadAnswer != 0 && r.Withheld != "":
		return false, withheld(r)
	case reads&ReadPassages != 0 && r.Passages == nil:
		return false, assay.NoPassages
	case reads&ReadTrace != 0 && r.Trace == nil:
		return false, "the target reports no trace"
	}
	return true, ""
}

// Score scores one case. A nil response means that the target failed. The
// result always has a state: if the metric returns no state, a value that is not
// finite or a value out of range, the result is a JudgeError with the reason.
func (m Metric) Score(ctx context.Context, in Input) assay.Score {
	if ok, reason := m.Applies(in.Case); !ok {
		return assay.None(reason)
	}
	if m.absent != "" {
		return assay.None(m.absent)
	}
	if in.Response == nil {
		return assay.Score{State: assay.TargetError, Reason: assay.NoResponse}
	}
	if ok, reason := m.Reported(in.Response); !ok {
		return m.open(in.Response, assay.None(reason))
	}
	if m.Def.Embeds && in.Embedder == nil {
		return assay.Score{State: assay.JudgeError, Reason: "no embedder is configured"}
	}
	if len(m.Def.Asks) > 0 && in.Assessment == nil {
		return assay.Score{State: assay.JudgeError, Reason: "no judge is configured"}
	}
	s, err := m.score(ctx, in)
	var declined *judge.DeclinedError
	if errors.As(err, &declined) {
		return assay.None(declined.Reason)
	}
	if err != nil {
		return assay.Score{State: assay.JudgeError, Reason: err.Error()}
	}
	return m.open(in.Response, m.check(s))
}

// open returns a score that does not apply because a filter withheld the answer as one that can be anything in the range
// of the metric: the case stays in the bounds of the mean. It returns any other score as it is.
func (m Metric) open(r *assay.Response, s assay.Score) assay.Score {
	if r.Withheld != "" && s.State == assay.NotApplicable && s.Reason == withheld(r) {
		s.State, s.Lower, s.Upper = assay.JudgeError, m.Def.Range[0], m.Def.Range[1]
	}
	return s
}

func withheld(r *assay.Response) string {
	return "the target's server withheld the answer (" + r.Withheld + ")"
}

// rangeSlack allows for rounding errors in a sum of a few thousand terms.
const rangeSlack = 1e-9

func (m Metric) check(s assay.Score) assay.Score {
	if s.State == assay.Unset {
		return assay.Score{State: assay.JudgeError, Reason: fmt.Sprintf("metric %s returned no state", m.Name)}
	}
	if s.State != assay.Scored {
		if !(s.Lower >= m.Def.Range[0] && s.Upper <= m.Def.Range[1]) {
			// Discard bounds that are NaN or out of range.
			s.Lower, s.Upper = 0, 0
		}
		return s
	}
	for _, v := range []float64{s.Value, s.Num, s.Den, s.Lower, s.Upper} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return assay.Score{State: assay.JudgeError, Reason: fmt.Sprintf("metric %s computed %v", m.Name, v)}
		}
	}
	lo, hi := m.Def.Range[0], m.Def.Range[1]
	if s.Value < lo-rangeSlack || s.Value > hi+rangeSlack {
		return assay.Score{State: assay.JudgeError, Reason: fmt.Sprintf("metric %s computed %v: expected %v to %v", m.Name, s.Value, lo, hi)}
	}
	// Clamp, so that rounding does not show as 1.0000000000000002 in a report.
	s.Value = min(max(s.Value, lo), hi)
	s.Lower, s.Upper = max(s.Lower, lo), min(s.Upper, hi)
	return s
}

func trimArticle(s string) string {
	if len(s) > 2 && s[:2] == "a " {
		return s[2:]
	}
	return s
}
