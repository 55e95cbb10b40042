package model

import (
	"context"
	"strings"

	"github.com/assay-eval/assay/judge"
)

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
	ID    int    `json:"id"`
	Quote string `json:"quote"`
	Why   string `json:"why"`
	Score int    `json:"score"`
}

func (i relevanceItem) number() int                 { return i.ID }
func (i relevanceItem) agrees(o relevanceItem) bool { return i.Score == o.Score }

// Relevance grades passages, ten a call and ten calls at once. A quote that the
// passage does not hold is left out; the grade stands without it. A blank
// passage is unrelated, without a call.
func (j *Judge) Relevance(ctx context.Context, s judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	out := make([]judge.Grade, len(passages))
	l := list[relevanceItem]{
		task: "relevance", subject: s, size: passageBatch,
		data: func(numbers []int, again map[int]string) any {
			d := relevanceData{Question: s.Question}
			for _, n := range numbers {
				d.Passages = append(d.Passages, passageData{ID: n, Text: passages[n-1].Text, Again: again[n]})
			}
			return d
		},
		take: func(n int, r relevanceItem) string {
			g := judge.Grade{Known: true, Level: r.Score, Degree: float64(r.Score) / 3, Why: r.Why}
			if newQuotable(passages[n-1].Text).has(r.Quote) {
				g.Quote = r.Quote
			}
			out[n-1] = g
			return ""
		},
	}
	for i, p := range passages {
		if strings.TrimSpace(p.Text) == "" {
			out[i] = judge.Grade{Known: true, Why: "the passage is empty"}
			continue
		}
		l.numbers = append(l.numbers, i+1)
	}
	open, err := collect(ctx, j, l)
	if err != nil {
		return nil, err
	}
	for n, reason := range open {
		out[n-1] = judge.Grade{Why: "unknown: " + reason}
	}
	return out, nil
}
