package judged

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	nuggetSource = "AutoNuggetizer, TREC 2024 RAG (Pradeep et al., SIGIR 2025)"
	nuggetEdge   = "Nuggets are the points of the case's ideal answer. " + pointsEdge + unknownEdge +
		"An estimate of 0.75 and above counts as made. It rewards length, and is for comparing systems, not for single answers."
	vitalEdge = "Without a vital point there is no value: nugget_strict and nugget_all have one. "

	// fullCredit is the credit from which a point is fully made: nearer to a
	// whole than to a half.
	fullCredit = 0.75
)

// NuggetVital is the share of vital points, half for a point made in part.
var NuggetVital = points(metric.Def{
	Name:    "nugget_vital",
	Title:   "Vital nuggets",
	Doc:     "How many of the things that an answer must say the answer says, with half the credit for what it says in part.",
	Formula: "(vital points that are made + 0.5 * vital points that are made in part) / vital points",
	Edges:   vitalEdge + nuggetEdge,
	Source:  nuggetSource,
}, vital(partly))

// NuggetVitalStrict is the share of vital points that are fully made.
var NuggetVitalStrict = points(metric.Def{
	Name:    "nugget_vital_strict",
	Title:   "Vital nuggets, strict",
	Doc:     "How many of the things that an answer must say the answer fully says. The primary nugget score.",
	Formula: "vital points that are made / vital points",
	Edges:   vitalEdge + nuggetEdge,
	Source:  nuggetSource,
}, vital(strict))

// NuggetAll is the share of points, half for a point made in part.
var NuggetAll = points(metric.Def{
	Name:  "nugget_all",
	Title: "Nuggets",
	Doc: "How many of the things that a complete answer says the answer says, vital or not, with half the credit for what it " +
		"says in part.",
	Formula: "(points that are made + 0.5 * points that are made in part) / points",
	Edges:   nuggetEdge,
	Source:  nuggetSource,
}, partly)

// NuggetStrict is the share of points that are fully made.
var NuggetStrict = points(metric.Def{
	Name:    "nugget_strict",
	Title:   "Nuggets, strict",
	Doc:     "How many of the things that a complete answer says the answer fully says, vital or not.",
	Formula: "points that are made / points",
	Edges:   nuggetEdge,
	Source:  nuggetSource,
}, strict)

// Completeness is the weighted share of the ideal answer's points.
var Completeness = points(metric.Def{
	Name:  "completeness",
	Title: "Completeness",
	Doc: "How much of what a complete answer says the answer says, with what is missing listed. " +
		"It rewards length: read it together with factual_accuracy or addition_rate.",
	Formula: "sum of weight * credit / sum of weight; weight 1 for a vital point and 0.5 for another; " +
		"credit 1 for a point that is made, 0.5 in part, 0 not",
	Edges:  pointsEdge + idealEdge + unknownEdge,
	Source: idealOwn + "; the same as nugget Weighted of AutoNuggetizer (Pradeep et al., SIGIR 2025)",
}, weighted)

// point is a point of the ideal answer with how far the answer makes it.
type point struct {
	assay.Point
	credit float64
	known  bool
	ruling judge.Assignment
}

// counting returns what a point weighs and what making it is worth. A weight of
// 0 leaves the point out.
type counting func(point) (weight, worth float64)

func partly(p point) (weight, worth float64)   { return 1, p.credit }
func strict(p point) (weight, worth float64)   { return 1, indicator(p.credit >= fullCredit) }
func weighted(p point) (weight, worth float64) { return p.Weight(), p.credit }

// vital leaves out the points that are not vital.
func vital(c counting) counting {
	return func(p point) (weight, worth float64) {
		if !p.Vital {
			return 0, 0
		}
		return c(p)
	}
}

// points defines a metric over the points of the ideal answer.
func points(d metric.Def, c counting) *metric.Def {
	d.Needs, d.Reads, d.Asks, d.LabelQuestion = metric.NeedIdeal, metric.ReadAnswer, judge.Asks{question.Points}, assay.LabelComplete
	return define(d, func(in metric.Input, _ metric.Params) (assay.Score, error) { return pointShare(in, c) })
}

func completeness(in metric.Input, _ metric.Params) (assay.Score, error) {
	return pointShare(in, weighted)
}

// pointShare is the weighted mean worth of the points, with those that the
// answer does not fully make as evidence.
func pointShare(in metric.Input, c counting) (assay.Score, error) {
	given, err := question.Points.Of(in.Assessment).Get()
	if err != nil {
		return assay.Score{}, err
	}
	want := in.Case.Want.Ideal.Points
	switch {
	case len(given) != len(want):
		return assay.Score{}, fmt.Errorf("the judge gave %d rulings on %d points", len(given), len(want))
	case len(want) == 0:
		return assay.None("the ideal answer has no point"), nil
	}
	var t tally
	for i, a := range given {
		p := point{Point: want[i], known: a.Known && !math.IsNaN(a.Credit), ruling: a}
		if p.known {
			p.credit = clip(a.Credit)
		}
		weight, worth := c(p)
		if weight == 0 {
			continue
		}
		t.add(weight, worth, p.known)
		if kind := p.lack(); kind != "" {
			where := ""
			if p.Vital {
				where = "vital"
			}
			t.note(kind, withReason(p.Text, a.Why), withVotes(where, a.Votes))
		}
	}
	if t.n == 0 {
		return assay.None("the ideal answer has no vital point"), nil
	}
	return t.score(), nil
}

// lack names what the answer lacks of a point, "" if it fully makes it.
func (p point) lack() string {
	switch {
	case !p.known:
		return "unknown"
	case p.credit >= fullCredit && p.ruling.Split():
		return "split"
	case p.credit >= fullCredit:
		return ""
	case p.credit > 0.25:
		return "in part"
	}
	return "missing"
}
