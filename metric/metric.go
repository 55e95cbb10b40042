// Package metric says what a metric is: a named, documented definition that
// turns one case and one response into a score. The metrics themselves live in
// the packages below, one a file; metric/catalog lists them all.
package metric

import (
	"context"
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// A Def defines a metric: what it is called, what it means, what it needs, and
// how it is computed. Help texts, documentation, configuration and reports are
// made from it, so that it is the one place that knows a metric.
type Def struct {
	// Name is the literature's name in lower case, without parameters.
	Name string
	// Title is the name in a report: "nDCG".
	Title string
	// Group is the heading under which the metric is listed.
	Group Group
	// Doc says in one or two sentences what the metric tells its reader.
	Doc string
	// Formula is the definition in plain text, with k the cutoff.
	Formula string
	// Edges says what happens where the formula does not speak: empty lists,
	// duplicates, no relevant document.
	Edges string
	// Source names the paper or the tool whose numbers the metric matches.
	Source string
	// Unit is "" for a ratio in 0…1 and a difference of two, else a word such as "points".
	Unit   string
	Better Direction
	// Range holds the smallest and largest value; math.MaxFloat64 is an open end. The
	// zero value means 0…1.
	Range [2]float64
	// Needs are the labels that a case must have. Whether a metric applies is
	// decided from the case alone, before the target is asked.
	Needs Need
	// Reads are the parts of a response that the metric looks at. A target
	// that does not report one makes the metric not applicable.
	Reads Part
	// Embeds is set if the metric uses an embedder.
	Embeds bool
	// Asks are the questions to a judge whose answers the metric reads; none
	// for a formula.
	Asks judge.Asks
	// Follows is set if the metric reads what became of the case's evidence
	// at each stage.
	Follows bool
	// Pooled is set if cases are aggregated by pooling Num and Den.
	Pooled bool
	// Estimate marks a formula that stands in for a judgement. It is labelled
	// so in every report, and never averaged with judged metrics.
	Estimate bool
	// Cutoff says whether a name may or must carry "@k".
	Cutoff Cutoff
	// Params are the parameters that a name may carry in parentheses.
	Params []Param
	// Version counts changes of the implementation that change a score; 0 means 1.
	Version int
	// New returns the function for the given parameters, which are complete
	// and have been checked against Cutoff and Params.
	New func(Params) Func
}

// A Func scores one case. It is safe for concurrent use and pure but for the
// embedder it may call. It is called only when the case has the labels in
// Needs, the target responded, and the response has the parts in Reads. An
// error means that the evaluator failed, and makes the score a JudgeError.
type Func func(ctx context.Context, in Input) (assay.Score, error)

// Input is what a metric sees.
type Input struct {
	Case     *assay.Case
	Response *assay.Response
	// Embedder is set if the definition says Embeds.
	Embedder assay.Embedder
	// Assessment holds what the judge said; set when the definition has Asks.
	Assessment *judge.Assessment
	// Attribution says what became of the case's evidence; set when the
	// definition says Follows.
	Attribution *assay.Attribution
	// MaxGrade is the highest grade in the dataset, at least 1, which fixes
	// the scale of graded measures such as ERR.
	MaxGrade int
}

// Direction returns which values are better.
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
)

// needs describes each label: how a reader names it, and whether a case has it.
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
}

// Missing describes the labels of n that w lacks, in a fixed order.
func (n Need) Missing(w assay.Want) []string {
	var out []string
	for _, l := range needs {
		if n&l.bit != 0 && !l.has(w) {
			out = append(out, l.name)
		}
	}
	return out
}

// Names describes the labels of n, in a fixed order.
func (n Need) Names() []string { return n.Missing(assay.Want{}) }

// Part is a set of parts of a response.
type Part uint8

// The parts of a response that a metric may read.
const (
	ReadAnswer Part = 1 << iota
	ReadPassages
	ReadTrace
)

// Names describes the parts of p, in a fixed order.
func (p Part) Names() []string {
	var out []string
	for i, n := range []string{"the answer", "the passages", "the trace"} {
		if p&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// A Metric is a definition with its parameters filled in.
type Metric struct {
	Def *Def
	// Name is canonical: parameters at their default are left out, the others
	// stand in the order of the definition.
	Name   string
	Params Params
	score  Func
}

// Info describes the metric for a report.
func (m Metric) Info() assay.MetricInfo {
	title := m.Def.Title + m.Name[len(m.Def.Name):]
	return assay.MetricInfo{
		Name: m.Name, Title: title, Better: m.Def.Better.String(), Unit: m.Def.Unit, Range: m.Def.Range,
		Pooled: m.Def.Pooled, Judged: len(m.Def.Asks) > 0, Prompts: m.Def.Asks.Prompts(), Estimate: m.Def.Estimate, Version: m.Def.Version,
	}
}

// Applies reports whether the case has the labels that the metric needs, and
// if not, why.
func (m Metric) Applies(c *assay.Case) (ok bool, reason string) {
	if missing := m.Def.Needs.Missing(c.Want); len(missing) > 0 {
		return false, "the case has no " + trimArticle(missing[0])
	}
	return true, ""
}

// Reported reports whether the response has the parts that the metric reads,
// and if not, why.
func (m Metric) Reported(r *assay.Response) (ok bool, reason string) {
	switch {
	case m.Def.Reads&ReadAnswer != 0 && r.NoAnswer:
		return false, "the target reports no answer"
	case m.Def.Reads&ReadPassages != 0 && r.Passages == nil:
		return false, "the target reports no passages"
	case m.Def.Reads&ReadTrace != 0 && r.Trace == nil:
		return false, "the target reports no trace"
	}
	return true, ""
}

// Score scores one case. A nil response means that the target failed. The
// result always has a state: what a metric must not do (no state, a value that
// is not finite or out of its range) becomes a JudgeError that says so.
func (m Metric) Score(ctx context.Context, in Input) assay.Score {
	if ok, reason := m.Applies(in.Case); !ok {
		return assay.None(reason)
	}
	if in.Response == nil {
		return assay.Score{State: assay.TargetError, Reason: "the target gave no response"}
	}
	if ok, reason := m.Reported(in.Response); !ok {
		return assay.None(reason)
	}
	if m.Def.Embeds && in.Embedder == nil {
		return assay.Score{State: assay.JudgeError, Reason: "no embedder is configured"}
	}
	if len(m.Def.Asks) > 0 && in.Assessment == nil {
		return assay.Score{State: assay.JudgeError, Reason: "no judge is configured"}
	}
	s, err := m.score(ctx, in)
	if err != nil {
		return assay.Score{State: assay.JudgeError, Reason: err.Error()}
	}
	return m.check(s)
}

// rangeSlack allows for the rounding of a sum of a few thousand terms.
const rangeSlack = 1e-9

func (m Metric) check(s assay.Score) assay.Score {
	if s.State == assay.Unset {
		return assay.Score{State: assay.JudgeError, Reason: fmt.Sprintf("metric %s returned no state", m.Name)}
	}
	if s.State != assay.Scored {
		if !(s.Lower >= m.Def.Range[0] && s.Upper <= m.Def.Range[1]) {
			// Bounds that are no numbers, or no values, bound nothing.
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
		return assay.Score{State: assay.JudgeError, Reason: fmt.Sprintf("metric %s computed %v: want %v to %v", m.Name, s.Value, lo, hi)}
	}
	// Rounding must not show as 1.0000000000000002 in a report.
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
