package text

import (
	"context"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// NumberAgreement is the share of the answer's numbers that the passages have.
var NumberAgreement = grounded(metric.Def{
	Name:  "number_agreement",
	Title: "Number agreement",
	Doc: "How many of the numbers and dates in the answer are in the passages, with the others listed: an " +
		"estimate of faithfulness. It detects what embeddings miss.",
	Formula: "distinct numbers of the answer that the passages have / distinct numbers of the answer",
	Edges: "Numbers are compared by value: 1,200,000 is 1.2 million is 120萬, 3.09 percent is 3.09%, 二十三 is 23; a percentage is " +
		"not the plain number. " +
		"A date agrees with one of the same day and month whose year is the same or not said, or with its parts as numbers. " +
		"Reference marks such as [1] and the numbers of list items do not count; numbers in English words are not read. " +
		groundless + "An answer without a number has no value.",
	Source: "own definition: precision over normalised numbers",
}, func(_ context.Context, _ metric.Input, _ metric.Params, g grounding) (assay.Score, error) {
	said, unsupported := numbersOf(g.answer, g.texts)
	if len(said) == 0 {
		return assay.None("the answer has no number"), nil
	}
	s := assay.Value(float64(len(said)-len(unsupported)) / float64(len(said)))
	for _, n := range unsupported {
		s.Evidence = append(s.Evidence, assay.Evidence{Kind: "unsupported", Text: n.Text})
	}
	return s, nil
})

// numbersOf returns the distinct numbers of the answer, and those of them that are
// in no passage, both in the order of the answer.
func numbersOf(answer string, passages []string) (said, unsupported []text.Number) {
	var known NumberSet
	for _, p := range passages {
		known.Add(text.Numbers(p))
	}
	seen := map[string]bool{}
	for _, n := range text.Numbers(answer) {
		if seen[n.Key] {
			continue
		}
		seen[n.Key] = true
		said = append(said, n)
		if !known.Has(n) {
			unsupported = append(unsupported, n)
		}
	}
	return said, unsupported
}

// A NumberSet is a set of the numbers in texts. A date also counts as its parts.
// The zero value is empty.
type NumberSet struct {
	keys  map[string]bool
	dates []text.Date
}

// Add puts numbers into the set.
func (s *NumberSet) Add(numbers []text.Number) {
	if s.keys == nil {
		s.keys = map[string]bool{}
	}
	for _, n := range numbers {
		s.keys[n.Key] = true
		if d := n.Date; d.Month > 0 {
			s.dates = append(s.dates, d)
			s.keys[strconv.Itoa(d.Day)] = true
			if d.Year > 0 {
				s.keys[strconv.Itoa(d.Year)] = true
			}
		}
	}
}

// Has reports whether the set contains a number with the same value, or a date that
// agrees with it as defined by [NumberAgreement].
func (s *NumberSet) Has(n text.Number) bool {
	if s.keys[n.Key] {
		return true
	}
	d := n.Date
	if d.Month == 0 {
		return false
	}
	for _, o := range s.dates {
		if o.Month == d.Month && o.Day == d.Day && (o.Year == d.Year || o.Year == 0 || d.Year == 0) {
			return true
		}
	}
	return s.keys[strconv.Itoa(d.Month)] && s.keys[strconv.Itoa(d.Day)] && (d.Year == 0 || s.keys[strconv.Itoa(d.Year)])
}
