package question

import (
	"context"
	"math"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// Grade grades passages for the question, 0 to 3.
var Grade = task(judge.Task[[]judge.Source, []judge.Grade]{
	Name: "relevance", Version: "v2", Model: grade, SaysSure: true,
	Combine: eachOf[judge.Source](gradeBallot),
	StandIn: played(playGrade),
})

// topScore is the highest grade.
const topScore = 3

// Relevance has a grade for each passage that is judged.
var Relevance = about(judge.Question[[]judge.Grade]{
	Name: "relevance", Title: "relevance of the passages", Tasks: []judge.AnyTask{Grade}, When: hasPassages,
	Find: grading(Grade),
})

// grading returns the function that puts a task about the passages that are judged.
func grading(t *judge.Task[[]judge.Source, []judge.Grade]) func(context.Context, *judge.Hearing) ([]judge.Grade, error) {
	return func(ctx context.Context, h *judge.Hearing) ([]judge.Grade, error) {
		if len(h.Sources) == 0 {
			return nil, nil
		}
		return t.Ask(ctx, h.Judge, h.Subject, h.Sources)
	}
}

type relevanceData struct {
	Question string        `json:"question"`
	Passages []passageData `json:"passages"`
}

type passageData struct {
	ID    int    `json:"id"`
	Text  string `json:"text"`
	Again string `json:"again,omitempty"`
}

type relevanceItem struct {
	ruled
	Quote string `json:"quote"`
	Score int    `json:"score"`
}

func (i relevanceItem) agrees(o relevanceItem) bool { return i.Score == o.Score }

// grade grades passages, ten a call and ten calls at once. A quote that the
// passage does not hold is left out; the grade stands without it. A blank
// passage is unrelated, without a call.
func grade(ctx context.Context, m judge.Asker, s judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	l := list[relevanceItem, judge.Grade]{
		subject: s, rulings: make([]judge.Grade, len(passages)), size: passageBatch, unknown: unknownGrade,
		data: func(numbers []int, again map[int]string) any {
			d := relevanceData{Question: s.Question}
			for _, n := range numbers {
				d.Passages = append(d.Passages, passageData{ID: n, Text: passages[n-1].Text, Again: again[n]})
			}
			return d
		},
		ruling: func(n int, r relevanceItem, again bool) (judge.Grade, string) {
			g := judge.Grade{Known: true, Level: r.Score, Degree: float64(r.Score) / topScore, Why: r.Why}
			if newQuotable(passages[n-1].Text).has(r.Quote) {
				g.Quote = r.Quote
			}
			g.Sure = !again && confident(r.Confidence) && (g.Quote != "" || r.Score < 2)
			return g, ""
		},
	}
	for i, p := range passages {
		if strings.TrimSpace(p.Text) == "" {
			l.rulings[i] = judge.Grade{Known: true, Why: "the passage is empty"}
			continue
		}
		l.numbers = append(l.numbers, i+1)
	}
	return collect(ctx, m, l)
}

// playGrade grades by the share of the question's words that a passage has:
// 3 from three quarters, 2 from a half, 1 from a quarter.
func playGrade(r relevanceData) object {
	q := standin.Read(r.Question)
	items := []object{}
	for _, p := range r.Passages {
		share := q.Share(standin.Read(p.Text)) * 4
		score := min(topScore, int(share))
		quote := ""
		if s, _ := standin.Best(q, standin.Sentences(p.Text)); score > 1 {
			quote = s.Text
		}
		items = append(items, object{"id": p.ID, "score": score, "quote": quote, "why": "by the words of the question",
			"confidence": playConfidence(math.Abs(share-math.Round(share)) / 2)})
	}
	return object{"items": items}
}
