package stage

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
)

// An Outcome decides by a metric whether a case is right.
type Outcome struct {
	// Metric is its canonical name; "" selects the default.
	Metric string
	// Op is ">=", "<=", ">" or "<".
	Op    string
	Limit float64
	// Estimated is set if formulas stand in for the judge. By default an estimate decides
	// nothing: it would turn what is unknown into wrong. A metric that is named does.
	Estimated bool
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

// correctness are the outcomes if a judge rules whether answers are right; the first whose
// score decides is taken.
var correctness = []Outcome{
	{Metric: "answer_correctness", Op: ">=", Limit: 0.5},
	{Metric: "binary_correctness", Op: ">=", Limit: 0.5},
}

// The names of what decides without a metric.
const (
	outcomeKeywords  = "keywords"
	outcomeReference = "reference answer"
	outcomeRefusal   = "refusal"
	outcomeFacts     = "facts"
)

// Correct says whether the answer of a case is right: by the metric of the outcome if its
// score or the bounds of it decide, and it is no estimate by default, else by the labels of the case. Without a
// judge an answer is right if it states a reference answer or all keywords and nothing else,
// or all points of the ideal answer; wrong if it asserts another value of the kind that the
// label states (an amount, a date, a time, yes or no), if it declines although the case is labelled, or if it answers
// what is labelled as not answerable. Everything else, and an answer that a server withheld, is unknown. at is the attribution of
// the case, nil if there is none. The result is "" if there is no answer, and unknown if one may be unread.
func (o Outcome) Correct(
	c *assay.Case, r *assay.Response, scores map[string]assay.Score, at *assay.Attribution,
) assay.Correctness {
	switch {
	case r == nil || r.NoAnswer && r.Unread == "":
		return ""
	case r.NoAnswer:
		return assay.AnswerUnknown
	}
	of, _ := o.by(scores).correct(c, r, scores, at)
	return of
}

// A decision is how one case is decided: by a metric, or by labels if metric is "".
type decision struct {
	metric string
	rule   Outcome
}

// by chooses how a case is decided.
func (o Outcome) by(scores map[string]assay.Score) decision {
	for _, rule := range o.rules() {
		if d := (decision{metric: rule.Metric, rule: rule}); d.scored(scores[rule.Metric]) != assay.AnswerUnknown {
			return d
		}
	}
	return decision{}
}

// rules lists what decides, the first whose score can.
func (o Outcome) rules() []Outcome {
	switch {
	case o.Metric != "":
		return []Outcome{o}
	case o.Estimated:
		return nil
	}
	return correctness
}

// Reads reports whether the outcome may be decided by a metric.
func (o Outcome) Reads(metric string) bool {
	return slices.ContainsFunc(o.rules(), func(rule Outcome) bool { return rule.Metric == metric })
}

// correct decides, and says by what.
func (d decision) correct(
	c *assay.Case, r *assay.Response, scores map[string]assay.Score, at *assay.Attribution,
) (of assay.Correctness, by string) {
	if r.Withheld != "" {
		return assay.AnswerUnknown, ""
	}
	if d.metric != "" {
		return d.scored(scores[d.metric]), d.rule.String()
	}
	if of, by = byLabels(c, r.Answer); of != assay.AnswerUnknown || !onlyPoints(c.Want) || at == nil || len(at.Facts) == 0 || at.Unknown != "" {
		return of, by
	}
	if !slices.ContainsFunc(at.Facts, func(f assay.Fact) bool { return f.Lost != "" && !f.SelfKnowledge }) {
		return assay.AnswerRight, outcomeFacts
	}
	return of, by
}

// scored decides by a score. Without a value its bounds do, if no value between them decides otherwise.
func (d decision) scored(s assay.Score) assay.Correctness {
	lowest, highest := d.rule.met(s.Lower), d.rule.met(s.Upper)
	if s.State == assay.Scored {
		lowest = d.rule.met(s.Value)
		highest = lowest
	}
	switch {
	case s.State == assay.Abstained, s.State == assay.TargetError:
		return assay.AnswerWrong
	case !s.Bounded() || lowest != highest:
		return assay.AnswerUnknown
	case lowest:
		return assay.AnswerRight
	}
	return assay.AnswerWrong
}

// again decides on another response to the case.
func (a *Attributor) again(ctx context.Context, d decision, c *assay.Case, r *assay.Response, facts []fact) (assay.Correctness, error) {
	if d.metric == "" {
		var at *assay.Attribution
		if onlyPoints(c.Want) {
			f := a.funnel(c, r, facts)
			f.place()
			at = f.attribution()
		}
		of, _ := d.correct(c, r, nil, at)
		return of, nil
	}
	s, err := a.o.Score(ctx, d.metric, c, r)
	if err != nil {
		return "", err
	}
	of := d.scored(s)
	if of == assay.AnswerUnknown {
		return "", fmt.Errorf("%s has no score: %s", d.metric, s.Reason)
	}
	return of, nil
}

// onlyPoints reports whether points of an ideal answer are the only label of the answer.
func onlyPoints(w assay.Want) bool {
	return w.Ideal != nil && len(w.Ideal.Points) > 0 && len(w.Answers) == 0 && len(w.Keywords) == 0
}
