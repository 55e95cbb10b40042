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
	// topGrade is the highest grade of UMBRELA.
	topGrade = 3
	// relevantGrade is the lowest grade of a passage with an answer in it.
	relevantGrade = 2

	umbrela   = "UMBRELA (Upadhyay et al., 2024)"
	gradeEdge = "An empty list scores 0, and has no value when the case cannot be answered; passages without text give no value. " + depthEdge + unknownEdge
)

// graded defines a metric over the grades of the first k passages, of which
// there is one at least.
func graded(d metric.Def, f func(metric.Params) func([]judge.Grade) assay.Score) *metric.Def {
	d.Reads, d.Asks, d.Cutoff = metric.ReadPassages, judge.Asks{question.Relevance}, metric.OptionalCutoff
	return define(d, func(p metric.Params) formula {
		score := f(p)
		return func(in metric.Input) (assay.Score, error) {
			switch {
			case len(in.Response.Passages) == 0:
				return unretrieved(in), nil
			case !hasText(in.Response.Passages):
				return assay.None(noText), nil
			}
			grades, err := question.Relevance.Of(in.Assessment).Get()
			if err != nil {
				return assay.Score{}, err
			}
			n := shown(in)
			if len(grades) != n || n == 0 {
				return assay.Score{}, fmt.Errorf("the judge gave %d grades for %d passages", len(grades), n)
			}
			grades = grades[:cutAt(p.K, n)]
			s := score(grades)
			s.Evidence = gradesOf(grades)
			return s, nil
		}
	})
}

func known(g judge.Grade) bool { return g.Known && !math.IsNaN(g.Degree) }

// gradesOf lists the grades that a reader will want to see: of passages that are
// not relevant, that have no grade, and on which the votes differed.
func gradesOf(grades []judge.Grade) []assay.Evidence {
	var out []assay.Evidence
	for i, g := range grades {
		e := assay.Evidence{Text: g.Why, Where: passageNumber(i)}
		switch {
		case !known(g):
			e.Kind = "unknown"
		case g.Level < relevantGrade:
			e.Kind = fmt.Sprintf("grade %d", g.Level)
		case g.Split():
			e.Kind = "split"
		default:
			continue
		}
		if s := votesOf(g.Votes); s != "" {
			e.Where += ", " + s
		}
		out = append(out, e)
	}
	return out
}

// relevant tells whether a grade is that of a passage with an answer in it.
func relevant(g judge.Grade) bool { return known(g) && g.Level >= relevantGrade }

func unknowns(grades []judge.Grade) int {
	n := 0
	for _, g := range grades {
		if !known(g) {
			n++
		}
	}
	return n
}
