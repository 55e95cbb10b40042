package question

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// AssignInput is an answer, and the points that it may make.
type AssignInput struct {
	Points []string
	Answer string
}

// Assign rules for each point how far the answer makes it.
var Assign = task(judge.Task[AssignInput, []judge.Assignment]{
	Name: "assign", Version: "v2", Model: assign, SaysSure: true,
	Combine: judge.Each[AssignInput, judge.Assignment]{
		Ballot: judge.Ballot[judge.Assignment]{
			Label:   func(a judge.Assignment) (float64, string, bool) { return a.Credit, a.Why, a.Known },
			Unknown: unknownAssignment,
			Votes:   func(a *judge.Assignment) *judge.Votes { return &a.Votes },
			// Credits are 0, 0.5 and 1: a level is 0.5.
			Ordered: true, Merge: meanCredit, Level: 0.5,
		},
		Len: func(in AssignInput) int { return len(in.Points) },
		Some: func(in AssignInput, items []int) AssignInput {
			return AssignInput{judge.Pick(in.Points, items), in.Answer}
		},
	},
	StandIn: played(playAssign),
})

// Points has an entry for each point of the case's ideal answer. A blank answer
// makes none, without a call.
var Points = about(judge.Question[[]judge.Assignment]{
	Name: "points", Title: "points of the ideal answer", Tasks: []judge.AnyTask{Assign}, When: hasIdeal,
	Find: func(ctx context.Context, h *judge.Hearing) ([]judge.Assignment, error) {
		in := AssignInput{Answer: h.Response.Answer}
		for _, p := range h.Case.Want.Ideal.Points {
			in.Points = append(in.Points, p.Text)
		}
		if strings.TrimSpace(in.Answer) == "" || len(in.Points) == 0 {
			missed := make([]judge.Assignment, len(in.Points))
			for i := range missed {
				missed[i] = judge.Assignment{Known: true, Why: "the answer is empty"}
			}
			return missed, nil
		}
		return Assign.Ask(ctx, h.Judge, h.Subject, in)
	},
})

// meanCredit takes the mean of two credits, in the words of the higher.
func meanCredit(low, high judge.Assignment) (decision, voted judge.Assignment) {
	decision = high
	decision.Credit = (low.Credit + high.Credit) / 2
	return decision, high
}

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
	ruled
	Quote   string `json:"quote"`
	Verdict string `json:"verdict"`
}

func (i assignItem) agrees(o assignItem) bool { return i.Verdict == o.Verdict }

// credits are what a point is worth by its verdict.
var credits = map[string]float64{"support": 1, "partial_support": 0.5, "not_support": 0}

// assign rules on points, twenty a call. A point counts as made, or made in
// part, only with a quote that the answer holds; one without is asked about
// once more, and unknown after that.
func assign(ctx context.Context, m judge.Asker, s judge.Subject, in AssignInput) ([]judge.Assignment, error) {
	said := newQuotable(in.Answer)
	return collect(ctx, m, list[assignItem, judge.Assignment]{
		subject: s, rulings: make([]judge.Assignment, len(in.Points)), numbers: numbered(len(in.Points)), size: batchSize,
		data: func(numbers []int, again map[int]string) any {
			d := assignData{Question: s.Question, Answer: in.Answer}
			for _, n := range numbers {
				d.Points = append(d.Points, pointData{ID: n, Point: in.Points[n-1], Again: again[n]})
			}
			return d
		},
		ruling: func(n int, r assignItem, again bool) (judge.Assignment, string) {
			a := judge.Assignment{Known: true, Credit: credits[r.Verdict], Why: r.Why}
			if a.Credit > 0 {
				if !said.has(r.Quote) {
					return a, fmt.Sprintf("it was ruled %q, but the quote does not stand word for word in the answer", r.Verdict)
				}
				a.Quote = r.Quote
			}
			point := numbersOf(in.Points[n-1])
			a.Sure = !again && confident(r.Confidence) && (len(point) == 0 || point.in(numbersOf(in.Answer)) == (a.Credit == 1))
			return a, ""
		},
		unknown: unknownAssignment,
	})
}

func unknownAssignment(why string) judge.Assignment { return judge.Assignment{Why: why} }

// playAssign returns credit for the share of a point's words that one sentence of
// the answer has, or the whole answer for a part.
func playAssign(r assignData) object {
	all, whole := standin.Sentences(r.Answer), standin.Read(r.Answer)
	items := []object{}
	for _, p := range r.Points {
		c := standin.Read(p.Point)
		s, share := standin.Best(c, all)
		verdict, quote, confidence := "not_support", "", 95
		switch {
		case share >= supports && s.Agrees(c):
			verdict, quote, confidence = "support", s.Text, playConfidence(share-supports)
		case c.Share(whole) >= 0.4:
			verdict, quote, confidence = "partial_support", s.Text, 80
		}
		items = append(items, object{"id": p.ID, "verdict": verdict, "quote": quote, "why": "by the words of the point", "confidence": confidence})
	}
	return object{"items": items}
}
