package assay

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// A State says what a Score's numbers mean. The zero value is Unset, so that a
// forgotten return shows up as a defect and is never read as 0.
type State uint8

const (
	// Unset is not a valid state; a metric that returns it has a defect.
	Unset State = iota
	// Scored means that Value is a measurement.
	Scored
	// NotApplicable means that there was nothing to measure: a label or a part of
	// the response is absent, or the quantity is undefined. The case is excluded
	// from numerator and denominator, and counted.
	NotApplicable
	// Abstained means that the target declined to answer, rightly or wrongly, so
	// the quality of the answer has no value.
	Abstained
	// TargetError means that the target failed. A metric for which higher is
	// better scores the case 0 and keeps it in the mean.
	TargetError
	// JudgeError means that the evaluator failed. There is no value; the mean
	// excludes the case and its bounds account for it.
	JudgeError
)

var stateNames = [...]string{"unset", "scored", "not_applicable", "abstained", "target_error", "judge_error"}

// String returns the state's name in reports, such as "not_applicable".
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// MarshalText returns the state's name, or an error for an invalid state.
func (s State) MarshalText() ([]byte, error) {
	if int(s) >= len(stateNames) {
		return nil, fmt.Errorf("state %d: expected one of %q", uint8(s), stateNames)
	}
	return []byte(stateNames[s]), nil
}

// UnmarshalText parses a state's name.
func (s *State) UnmarshalText(b []byte) error {
	for i, n := range stateNames {
		if n == string(b) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("state %q: expected one of %q", b, stateNames)
}

// The reasons of scores that are not applicable because the response lacks a part.
const (
	NoAnswer   = "the target reports no answer"
	NoPassages = "the target reports no passages"
	// NoSources is NoPassages of a run whose responses list sources, and each none.
	NoSources = "the list of sources is empty in every response, so what was retrieved is not known: if it has what was retrieved, set read.passages"
	NoTexts   = "the passages have no text"
	NoNames   = `no passage names its document: expected "document", "source" or "id" with each passage (read.document says where it is)`
)

// CountsAsEmpty is the warning of a response without an answer in a run whose others have one.
const CountsAsEmpty = "no answer is reported: it counts as empty, because other responses have one"

// CompositeName is the name of the weighted mean of several metrics.
const CompositeName = "composite"

// A Score is the result of one metric on one case.
type Score struct {
	State State `json:"state"`
	// Value is meaningful if State is Scored, and 0 if it is TargetError.
	Value float64 `json:"value"`
	// Num and Den are the counts behind Value if it is a ratio and the metric is
	// pooled over cases: Value = Num/Den. A case with a Num but no Den, such as
	// words recognized in silence, is NotApplicable, but its Num is still pooled.
	Num float64 `json:"num,omitempty"`
	Den float64 `json:"den,omitempty"`
	// Lower and Upper bound the value if part of it is unknown; otherwise they
	// equal Value.
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	// Reason says why there is no value, or gives a remark for the reader.
	Reason string `json:"reason,omitempty"`
	// Evidence shows what the value is based on.
	Evidence []Evidence `json:"evidence,omitempty"`
}

// Evidence is one observation behind a score: an unsupported claim, a missing
// keyword, a document that was not found.
type Evidence struct {
	// Kind is a word such as "missing", "unsupported" or "matched".
	Kind string `json:"kind"`
	Text string `json:"text"`
	// Where is a position in the response, such as "passage 3".
	Where string `json:"where,omitempty"`
	// Spans are the words of the response that the observation is about: those that make a
	// claim, and those that a ruling rests on. They are empty where no place is known, and in
	// records of earlier versions.
	Spans []Span `json:"spans,omitempty"`
}

// KindSupported is the kind of evidence that is a claim with support. Other claims are
// evidence of what lowers a score; these are listed so that all claims of an answer are.
const KindSupported = "supported"

// KindUnproven is the kind of evidence that keeps checks that pass from showing an answer to be right.
const KindUnproven = "unproven"

// Unproven reports whether the checks behind the score show no answer to be right.
func (s Score) Unproven() bool {
	return slices.ContainsFunc(s.Evidence, func(e Evidence) bool { return e.Kind == KindUnproven })
}

// A Span is a place in a text of a [Response].
type Span struct {
	// Passage is the passage of the response, from 1; 0 is the answer.
	Passage int `json:"passage"`
	// Start and End are bytes of the text, with Start < End, at the borders of characters.
	Start int `json:"start"`
	End   int `json:"end"`
	// Against is set for words that deny a claim which others support.
	Against bool `json:"against,omitempty"`
}

// Words returns the text of a span, and whether the response has it: a response may have been
// stored without the texts of some passages.
func (r *Response) Words(s Span) (string, bool) {
	text := ""
	switch {
	case r == nil || s.Passage < 0 || s.Passage > len(r.Passages):
		return "", false
	case s.Passage == 0:
		text = r.Answer
	default:
		text = r.Passages[s.Passage-1].Text
	}
	if s.Start < 0 || s.End <= s.Start || s.End > len(text) || !utf8.RuneStart(text[s.Start]) ||
		s.End < len(text) && !utf8.RuneStart(text[s.End]) {
		return "", false
	}
	return text[s.Start:s.End], true
}

// Value returns a fully known score. A v that is not finite is a defect of the
// metric, so Value then returns a JudgeError.
func Value(v float64) Score {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Score{State: JudgeError, Reason: fmt.Sprintf("the metric computed %v", v)}
	}
	return Score{State: Scored, Value: v, Lower: v, Upper: v}
}

// Ratio returns the score num/den and keeps both for pooling. den must not be 0;
// the metric decides what an empty denominator means.
func Ratio(num, den float64) Score {
	s := Value(num / den)
	s.Num, s.Den = num, den
	return s
}

// Bounded reports whether the value lies from Lower to Upper: it is known, or only they are.
func (s Score) Bounded() bool {
	return s.State == Scored || s.State == JudgeError && s.Upper > s.Lower
}

// None returns a NotApplicable score with its reason.
func None(reason string) Score { return Score{State: NotApplicable, Reason: reason} }
