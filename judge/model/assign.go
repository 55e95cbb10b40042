package model

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/judge"
)

type assignData struct {
	Question string      `json:"question"`
	Points   []pointData `json:"points"`
	Answer   string      `json:"answer"`
}

type pointData struct {
	ID    int    `json:"id"`
	Point string `json:"point"`
	Again string `json:"again,omitempty"`
}

type assignItem struct {
	ID      int    `json:"id"`
	Quote   string `json:"quote"`
	Why     string `json:"why"`
	Verdict string `json:"verdict"`
}

func (i assignItem) number() int              { return i.ID }
func (i assignItem) agrees(o assignItem) bool { return i.Verdict == o.Verdict }

// credits are what a point is worth by its verdict.
var credits = map[string]float64{"support": 1, "partial_support": 0.5, "not_support": 0}

// Assign rules on points, twenty a call. A point counts as made, or made in
// part, only with a quote that the answer holds; one without is asked about
// once more, and unknown after that.
func (j *Judge) Assign(ctx context.Context, s judge.Subject, points []string, answer string) ([]judge.Assignment, error) {
	out := make([]judge.Assignment, len(points))
	said := newQuotable(answer)
	open, err := collect(ctx, j, list[assignItem]{
		task: "assign", subject: s, numbers: numbered(len(points)), size: batchSize,
		data: func(numbers []int, again map[int]string) any {
			d := assignData{Question: s.Question, Answer: answer}
			for _, n := range numbers {
				d.Points = append(d.Points, pointData{ID: n, Point: points[n-1], Again: again[n]})
			}
			return d
		},
		take: func(n int, r assignItem) string {
			a := judge.Assignment{Known: true, Credit: credits[r.Verdict], Why: r.Why}
			if a.Credit > 0 {
				if !said.has(r.Quote) {
					return fmt.Sprintf("it was ruled %q, but the quote does not stand word for word in the answer", r.Verdict)
				}
				a.Quote = r.Quote
			}
			out[n-1] = a
			return ""
		},
	})
	if err != nil {
		return nil, err
	}
	for n, reason := range open {
		out[n-1] = judge.Assignment{Why: "unknown: " + reason}
	}
	return out, nil
}
