package judge

import (
	"cmp"
	"strconv"

	"github.com/assay-eval/assay"
)

// A Threshold is the degree from which a judge that estimates says yes. Lo and Hi are the ends
// of its interval, the same if it has none.
type Threshold struct{ At, Lo, Hi float64 }

// Exactly returns a threshold without an interval.
func Exactly(at float64) Threshold { return Threshold{at, at, at} }

// Ends returns the rulings at both ends of the interval of a threshold, nil if it has none.
func Ends[T any](t Threshold, rule func(threshold float64) T) *[2]T {
	if t.Lo == t.Hi {
		return nil
	}
	return &[2]T{rule(t.Lo), rule(t.Hi)}
}

// Thresholds are the thresholds of a judge by language, where labels of people gave one.
type Thresholds map[Language]Threshold

// Of returns the threshold in the language of a subject, else other, and whether it is from
// labels.
func (t Thresholds) Of(s Subject, other float64) (_ Threshold, labelled bool) {
	if v, ok := t[cmp.Or(s.Language, LanguageOf(s.Question))]; ok {
		return v, true
	}
	return Exactly(other), false
}

// Describe adds the thresholds to the parameters of a judge: that in English, and that in
// Chinese if it is another. Languages without one have other.
func (t Thresholds) Describe(parameters map[string]string, other float64) {
	en, _ := t.Of(Subject{Language: English}, other)
	parameters[assay.ParameterThreshold] = strconv.FormatFloat(en.At, 'g', -1, 64)
	if zh, _ := t.Of(Subject{Language: Chinese}, other); zh.At != en.At {
		parameters[assay.ParameterThreshold+"."+string(Chinese)] = strconv.FormatFloat(zh.At, 'g', -1, 64)
	}
}
