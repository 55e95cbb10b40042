package question

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/standin"
)

// PreferInput is two answers to one question, and what they are held against.
type PreferInput struct {
	First, Second string
	// References are reference answers, Passages texts from which the systems answered; both
	// may be empty.
	References, Passages []string
}

// Prefer rules which of two answers is better, or that neither is. There are three levels and
// no "much better": see docs/results/pairwise.md.
var Prefer = task(judge.Task[PreferInput, judge.Choice]{
	Name: "preference", Model: prefer,
	Combine: judge.One[PreferInput, judge.Choice]{Ballot: choiceBallot},
	StandIn: played(playPrefer),
})

// choiceBallot puts choices to a vote: "neither" is between the two answers.
var choiceBallot = judge.Ballot[judge.Choice]{
	Label:   func(c judge.Choice) (float64, string, bool) { return float64(c.First), c.Why, true },
	Votes:   func(c *judge.Choice) *judge.Votes { return &c.Votes },
	Ordered: true, Merge: mergeChoices, Level: 1,
}

// mergeChoices decides between the two middle votes of a panel: of votes that differ, none
// prefers an answer.
func mergeChoices(low, high judge.Choice) (decision, voted judge.Choice) {
	if low.First == high.First {
		return low, low
	}
	for _, c := range []judge.Choice{low, high} {
		if c.First == 0 {
			return c, c
		}
	}
	return judge.Choice{Why: "the judges are divided"}, judge.Choice{}
}

// The words for a choice in the reply of a model.
const (
	preferFirst  = "first"
	preferSecond = "second"
	preferNone   = "same"
)

type preferData struct {
	Question   string   `json:"question"`
	First      string   `json:"first"`
	Second     string   `json:"second"`
	References []string `json:"references"`
	Passages   []string `json:"passages"`
}

// prefer makes one call.
func prefer(ctx context.Context, m judge.Asker, s judge.Subject, in PreferInput) (judge.Choice, error) {
	data := preferData{s.Question, in.First, in.Second, append([]string{}, turn(in.References, m.Draw())...),
		append([]string{}, turn(in.Passages, m.Draw())...)}
	reply, err := askObject(ctx, m, s, data, preferReply.check)
	return judge.Choice{First: choices[reply.Better], Why: reply.Why}, err
}

type preferReply struct {
	Why    string `json:"why"`
	Better string `json:"better"`
}

func (r preferReply) check() error {
	if _, ok := choices[r.Better]; !ok {
		return fmt.Errorf("better is %q: want %q, %q or %q", r.Better, preferFirst, preferSecond, preferNone)
	}
	return nil
}

// choices are the words of a reply with what they mean.
var choices = map[string]int{preferFirst: 1, preferSecond: -1, preferNone: 0}

// playPrefer prefers the answer with more of the words and numbers of the material. It takes
// no notice of the order.
func playPrefer(d preferData) object {
	of := d.References
	if len(of) == 0 {
		of = d.Passages
	}
	if len(of) == 0 {
		of = []string{d.Question}
	}
	measure := func(answer string) (most float64) {
		if standin.Declines(answer) {
			return 0
		}
		a := standin.Read(answer)
		for _, s := range of {
			r := standin.Read(s)
			if share := r.Share(a); a.Agrees(r) {
				most = max(most, share)
			} else {
				most = max(most, share/2)
			}
		}
		return most
	}
	switch first, second := measure(d.First), measure(d.Second); {
	case first > second:
		return object{"why": "the first answer has more of the words", "better": preferFirst}
	case second > first:
		return object{"why": "the second answer has more of the words", "better": preferSecond}
	}
	return object{"why": "both have as many of the words", "better": preferNone}
}
