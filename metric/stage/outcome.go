package stage

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// An Outcome decides by a metric whether a case is right.
type Outcome struct {
	// Metric is its canonical name; "" selects the default.
	Metric string
	// Op is ">=", "<=", ">" or "<".
	Op    string
	Limit float64
}

// String returns "answer_correctness >= 0.5", or "" for the default.
func (o Outcome) String() string {
	if o.Metric == "" {
		return ""
	}
	return o.Metric + " " + o.Op + " " + strconv.FormatFloat(o.Limit, 'f', -1, 64)
}

func (o Outcome) met(v float64) bool {
	switch o.Op {
	case "<=":
		return v <= o.Limit
	case ">":
		return v > o.Limit
	case "<":
		return v < o.Limit
	}
	return v >= o.Limit
}

// correctness is the outcome if a judge rules whether answers are right.
var correctness = Outcome{Metric: "answer_correctness", Op: ">=", Limit: 0.5}

// The names of the outcomes by formula.
const (
	outcomeKeywords  = "answer_keyword_recall >= 1"
	outcomeReference = "reference answer"
	outcomeFacts     = "facts"
)

// A decision is how one case is decided.
type decision struct {
	a    *Attributor
	name string
	// metric is the deciding metric, "" for a formula.
	metric string
	by     Outcome
	facts  []fact
}

// decide chooses how a case is decided; the name is "" if it cannot be.
func (a *Attributor) decide(c *assay.Case, scores map[string]assay.Score, facts []fact) decision {
	w := c.Want
	d := decision{a: a, facts: facts, by: a.o.Outcome}
	if s, ok := scores[correctness.Metric]; d.by.Metric == "" && ok && s.State != assay.NotApplicable {
		d.by = correctness
	}
	switch {
	case d.by.Metric != "":
		d.metric, d.name = d.by.Metric, d.by.String()
	case w.Answerable != nil && !*w.Answerable:
		// There is no evidence, so none is lost.
	case len(w.Keywords) > 0:
		d.name = outcomeKeywords
	case len(w.Answers) > 0:
		d.name = outcomeReference
	case len(facts) > 0:
		d.name = outcomeFacts
	}
	return d
}

// actual reports whether the case is right; known is false if it has no score.
func (d decision) actual(
	c *assay.Case, r *assay.Response, scores map[string]assay.Score, at *assay.Attribution,
) (right, known bool) {
	switch {
	case d.metric != "":
		return d.scored(scores[d.metric])
	case d.name == outcomeFacts && len(at.Facts) > 0:
		return !slices.ContainsFunc(at.Facts, func(f assay.Fact) bool { return f.Lost != "" && !f.SelfKnowledge }), true
	}
	return d.formula(c, r), true
}

func (d decision) scored(s assay.Score) (right, known bool) {
	switch s.State {
	case assay.Scored:
		return d.by.met(s.Value), true
	case assay.Abstained, assay.TargetError:
		return false, true
	}
	return false, false
}

// formula decides by the words of the answer.
func (d decision) formula(c *assay.Case, r *assay.Response) bool {
	form := text.MatchForm(r.Answer)
	switch d.name {
	case outcomeKeywords:
		return hasAll(form, c.Want.Keywords)
	case outcomeReference:
		return mentionsAny(form, c.Want.Answers)
	}
	f := d.a.funnel(c, r, d.facts)
	f.place()
	for i := range d.facts {
		if f.lost[i] != "" && !f.self[i] {
			return false
		}
	}
	return true
}

// again decides on another response to the case.
func (d decision) again(ctx context.Context, c *assay.Case, r *assay.Response) (right bool, err error) {
	if d.metric == "" {
		return d.formula(c, r), nil
	}
	s, err := d.a.o.Score(ctx, d.metric, c, r)
	if err != nil {
		return false, err
	}
	right, known := d.scored(s)
	if !known {
		return false, fmt.Errorf("%s has no score: %s", d.metric, s.Reason)
	}
	return right, nil
}
