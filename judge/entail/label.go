package entail

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A class is a class of a classifier with its score.
type class struct {
	Label string   `json:"label"`
	Score *float64 `json:"score"`
}

// The labels that models give the classes, as in their id2label.
var (
	entailedLabel     = lazyregexp.New(`(?i)^(entail(s|ed|ment)?|support(s|ed)?|consistent|yes)$`)
	contradictedLabel = lazyregexp.New(`(?i)^(contradict(s|ed|ion)?|contradictory|refut(e|es|ed))$`)
	numberedLabel     = lazyregexp.New(`(?i)^LABEL_[0-9]+$`)
)

// scoreOf reads the classes of a pair. label is the one that means entailment; "" looks for
// a usual one: a label that says so, LABEL_1 of two, and the only one if it has no name of
// its own. of turns the scores into probabilities.
func scoreOf(row []class, label string, of func([]float64) []float64) (Score, error) {
	at, contradicted := -1, -1
	var names []string
	for i, c := range row {
		names = append(names, c.Label)
		switch {
		case c.Score == nil || math.IsNaN(*c.Score) || math.IsInf(*c.Score, 0):
			return Score{}, fmt.Errorf("label %q has no score: expected a number", c.Label)
		case contradictedLabel().MatchString(c.Label):
			contradicted = i
		}
		wanted := entailedLabel().MatchString(c.Label)
		if label != "" {
			wanted = strings.EqualFold(c.Label, label)
		}
		if wanted && at >= 0 {
			return Score{}, fmt.Errorf("labels %q: two of them mean entailment; use --set entailment-label with the one", names)
		}
		if wanted {
			at = i
		}
	}
	switch {
	case len(row) == 0:
		return Score{}, errors.New("a pair without labels: expected one score or more")
	case at < 0 && label == "" && len(row) == 1 && (row[0].Label == "" || numbered(row)):
		at = 0
	case at < 0 && label == "" && len(row) == 2 && numbered(row):
		at = slices.IndexFunc(row, func(c class) bool { return strings.EqualFold(c.Label, "LABEL_1") })
	}
	if at < 0 {
		return Score{}, fmt.Errorf("labels %q: none is known to mean entailment; use --set entailment-label with the one (id2label in the model's "+
			"config.json tells)", names)
	}
	values := make([]float64, len(row))
	for i, c := range row {
		values[i] = *c.Score
	}
	p := of(values)
	s := Score{Entailed: p[at]}
	if contradicted >= 0 && contradicted != at {
		s.Contradicted = &p[contradicted]
	}
	return s, nil
}

func numbered(row []class) bool {
	return !slices.ContainsFunc(row, func(c class) bool { return !numberedLabel().MatchString(c.Label) })
}

// rounded is how far probabilities may be from 1 together: servers compute with 16 bits.
const rounded = 0.02

// probabilities returns the scores of a server that was asked for probabilities; what can be
// none, or has another sum than 1, is taken for logits.
func probabilities(values []float64) []float64 {
	sum, outside := 0.0, false
	for _, v := range values {
		sum += v
		outside = outside || v < 0 || v > 1
	}
	if outside || len(values) > 1 && math.Abs(sum-1) > rounded {
		return softmax(values)
	}
	return values
}

// softmax returns the probabilities of logits; of one logit, the logistic function.
func softmax(logits []float64) []float64 {
	if len(logits) == 1 {
		return []float64{1 / (1 + math.Exp(-logits[0]))}
	}
	greatest, sum := math.Inf(-1), 0.0
	for _, v := range logits {
		greatest = max(greatest, v)
	}
	out := make([]float64, len(logits))
	for i, v := range logits {
		out[i] = math.Exp(v - greatest)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
