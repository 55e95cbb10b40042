package question

import (
	"context"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// CompareInput is an answer with one or more references.
type CompareInput struct {
	Answer     string
	References []string
}

// Compare rules whether the answer says what one of the references does.
var Compare = task(judge.Task[CompareInput, judge.Ruling]{
	Name: "equivalence", Version: "v2", Model: compare, SaysSure: true,
	Combine: judge.One[CompareInput, judge.Ruling]{Ballot: rulingBallot},
	StandIn: played(playCompare),
})

// Equivalence reports whether the answer says what a reference answer does. A blank
// answer does not, without a call.
var Equivalence = about(judge.Question[judge.Ruling]{
	Name: "equivalence", Title: "equivalence with the reference", Tasks: []judge.AnyTask{Compare}, When: hasAnswers,
	Find: comparing(Compare),
})

// comparing returns the function that puts a task about the answer and the references. A blank
// answer is not put.
func comparing(t *judge.Task[CompareInput, judge.Ruling]) func(context.Context, *judge.Hearing) (judge.Ruling, error) {
	return func(ctx context.Context, h *judge.Hearing) (judge.Ruling, error) {
		if strings.TrimSpace(h.Response.Answer) == "" {
			return judge.Ruling{Why: "the answer is empty"}, nil
		}
		return t.Ask(ctx, h.Judge, h.Subject, CompareInput{h.Response.Answer, h.Case.Want.Answers})
	}
}

type equivalenceData struct {
	Question   string   `json:"question"`
	Answer     string   `json:"answer"`
	References []string `json:"references"`
}

// compare makes one call.
func compare(ctx context.Context, m judge.Asker, s judge.Subject, in CompareInput) (judge.Ruling, error) {
	if len(in.References) == 0 {
		return judge.Ruling{}, m.Fails("no reference: want at least one")
	}
	type equivalenceReply struct {
		Why        string `json:"why"`
		Equivalent bool   `json:"equivalent"`
		Confidence int    `json:"confidence"`
	}
	reply, err := askObject[equivalenceReply](ctx, m, s, equivalenceData{s.Question, in.Answer, turn(in.References, m.Draw())}, nil)
	if err != nil {
		return judge.Ruling{}, err
	}
	r := judge.Ruling{Holds: reply.Equivalent, Degree: yes(reply.Equivalent), Why: reply.Why}
	r.Sure = confident(reply.Confidence) && in.fits(r.Holds)
	return r, nil
}

// fits reports whether the numbers speak for the ruling: an answer that is equivalent has
// those of a reference; of one that is not, no reference has numbers that are all in the
// answer.
func (in CompareInput) fits(equivalent bool) bool {
	given := numbersOf(in.Answer)
	return equivalent == slices.ContainsFunc(in.References, func(r string) bool {
		want := numbersOf(r)
		return (equivalent || len(want) > 0) && want.in(given)
	})
}

// playCompare wants the numbers and negations of a reference, and more than half
// of its words.
func playCompare(r equivalenceData) object {
	a := standin.Read(r.Answer)
	most := 0.
	for _, ref := range r.References {
		w := standin.Read(ref)
		share := w.Share(a)
		if !standin.Declines(r.Answer) && a.Agrees(w) && share > 0.5 {
			return object{"equivalent": true, "why": "the answer has the words of a reference", "confidence": playConfidence(share - 0.5)}
		}
		most = max(most, min(share, 0.5))
	}
	return object{"equivalent": false, "why": "the answer lacks words of the references", "confidence": playConfidence(0.5 - most)}
}
