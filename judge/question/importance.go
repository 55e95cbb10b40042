package question

import (
	"context"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// Weigh rules for each point whether an answer to the question needs it. It is put when a
// dataset is made, and about no case.
var Weigh = task(judge.Task[[]string, []judge.Weight]{
	Name: "importance", Model: weigh, SaysSure: true,
	Combine: eachOf[string](weightBallot),
	StandIn: played(playWeigh),
})

type importanceData struct {
	Question string      `json:"question"`
	Points   []pointData `json:"points"`
}

type importanceItem struct {
	ruled
	Importance string `json:"importance"`
}

func (i importanceItem) agrees(o importanceItem) bool { return i.Importance == o.Importance }

// weigh rules on points, ten a call, as AutoNuggetizer does (Pradeep et al., arXiv
// 2411.09607).
func weigh(ctx context.Context, m judge.Asker, s judge.Subject, points []string) ([]judge.Weight, error) {
	return collect(ctx, m, list[importanceItem, judge.Weight]{
		subject: s, rulings: make([]judge.Weight, len(points)), numbers: numbered(len(points)), size: pointWindow, unknown: unknownWeight,
		data: func(numbers []int, again map[int]string) any {
			d := importanceData{Question: s.Question}
			for _, n := range numbers {
				d.Points = append(d.Points, pointData{ID: n, Point: points[n-1], Again: again[n]})
			}
			return d
		},
		ruling: func(_ int, r importanceItem, again bool) (judge.Weight, string) {
			sure := judge.Votes{Sure: !again && confident(r.Confidence)}
			return judge.Weight{Known: true, Vital: r.Importance == "vital", Why: r.Why, Votes: sure}, ""
		},
	})
}

// playWeigh takes a point for vital that has a third of the words of the question.
func playWeigh(r importanceData) object {
	asked := standin.Read(r.Question)
	items := []object{}
	for _, p := range r.Points {
		share, importance := asked.Share(standin.Read(p.Point)), "okay"
		if share >= 1./3 {
			importance = "vital"
		}
		items = append(items, object{"id": p.ID, "importance": importance, "why": "by the words of the question", "confidence": 95})
	}
	return object{"items": items}
}
