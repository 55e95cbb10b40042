package judge

import (
	"cmp"
	"strconv"

	"github.com/assay-eval/assay"
)

// Thresholds are the degrees from which a judge that estimates says yes, by language, where
// labels of people gave one.
type Thresholds map[Language]float64

// Of returns the threshold in the language of a subject, else other.
func (t Thresholds) Of(s Subject, other float64) float64 {
	if v, ok := t[cmp.Or(s.Language, LanguageOf(s.Question))]; ok {
		return v
	}
	return other
}

// Describe adds the thresholds to the parameters of a judge: that in English, and that in
// Chinese if it is another. Languages without one have other.
func (t Thresholds) Describe(parameters map[string]string, other float64) {
	en := t.Of(Subject{Language: English}, other)
	parameters[assay.ParameterThreshold] = strconv.FormatFloat(en, 'g', -1, 64)
	if zh := t.Of(Subject{Language: Chinese}, other); zh != en {
		parameters[assay.ParameterThreshold+"."+string(Chinese)] = strconv.FormatFloat(zh, 'g', -1, 64)
	}
}
