// Package canary tells whether the model behind a name has changed: it puts a frozen set of
// questions to a judge and compares the answers with those that it gave before. Rulings on
// clear questions seldom change, so the words of the answers are compared too, with how far
// two answers to the same question differ anyway.
package canary

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/suite"
	"github.com/assay-eval/assay/judge/question"
)

// Alpha is the level of the test: how often a model that has not changed is said to differ.
const Alpha = 0.01

// An Item is a claim and the passage that it is compared with. Items of one passage are asked
// about in one call.
type Item struct {
	Passage  string
	Language judge.Language
	Question string
	Source   string
	Claim    string
}

// Items returns n items in the given languages, of which there may be none: half of the claims
// are true, and each passage has as few of them as can be. There are at most 60 in each
// language. The items are those of [suite.Items], which are this project's own: no change of
// them may go without a change of Version.
func Items(n int, languages ...judge.Language) []Item {
	var of []suite.Item
	for _, it := range suite.Items() {
		if len(languages) == 0 || slices.Contains(languages, it.Language) {
			of = append(of, it)
		}
	}
	var out []Item
	for round := range 6 {
		for i, it := range of {
			if len(out) == n {
				break
			}
			claims := it.Statements
			if (i/2+round)%2 == 1 {
				claims = it.Corrupted
			}
			out = append(out, Item{it.ID, it.Language, it.Question, it.Passage, claims[(i/4+round/2)%3]})
		}
	}
	// The claims of a passage stand together.
	slices.SortStableFunc(out, func(a, b Item) int { return strings.Compare(a.Passage, b.Passage) })
	return out
}

// Version is that of the items and of what is compared.
const Version = "canary-1"

// An Answer is what a judge said of an item.
type Answer struct {
	// Known is false if there was no usable ruling.
	Known  bool   `json:"known"`
	Ruling string `json:"ruling"`
	// Words are the reason and the quotes.
	Words string `json:"words"`
}

// Ask puts the items to a judge. An item without a ruling has an answer that is not known; the
// error is fatal, or that of ctx.
func Ask(ctx context.Context, j judge.Judge, items []Item) ([]Answer, error) {
	out := make([]Answer, len(items))
	var batches [][]int // the places of the items of each passage
	for i, it := range items {
		if i == 0 || it.Passage != items[i-1].Passage {
			batches = append(batches, nil)
		}
		batches[len(batches)-1] = append(batches[len(batches)-1], i)
	}
	return out, judge.ForEach(ctx, 10, len(batches), func(ctx context.Context, k int) error {
		of := items[batches[k][0]]
		in := question.SupportInput{Sources: []judge.Source{{Name: "passage 1", Text: of.Source}}}
		for _, i := range batches[k] {
			in.Claims = append(in.Claims, judge.Claim{Text: items[i].Claim})
		}
		found, err := question.Support.Ask(ctx, j, judge.Subject{Question: of.Question, Language: of.Language}, in)
		if judge.Over(ctx, err) {
			return err
		}
		for n, f := range found {
			out[batches[k][n]] = answerOf(f)
		}
		return nil
	}, nil)
}

func answerOf(f judge.Finding) Answer {
	words := []string{f.Why}
	for _, q := range slices.Concat(f.Quotes, f.Contrary, f.Parts) {
		words = append(words, q.Text)
	}
	ruling := f.Verdict.String()
	switch {
	case f.Conflict():
		ruling = "conflict"
	case f.Partly():
		ruling = "partly"
	}
	return Answer{Known: f.Verdict != judge.Unknown, Ruling: ruling, Words: strings.Join(words, "\n")}
}

// Now compares answers with the frozen ones. Items that lack one of the three answers do not
// count.
func (s Set) Now(now []Answer) assay.Canary {
	c, items := s.LeftOut(""), s.Items()
	c.Past = s.Past
	if s.Version != Version || len(s.Answers[0]) != len(items) || len(s.Answers[1]) != len(items) || len(now) != len(items) {
		c.Why = "the frozen answers are to other questions"
		return c
	}
	var passages []likenesses
	for i, it := range items {
		first, second := s.Answers[0][i], s.Answers[1][i]
		if !first.Known || !second.Known || !now[i].Known {
			continue
		}
		if c.Items == 0 || passages[len(passages)-1].passage != it.Passage {
			passages = append(passages, likenesses{passage: it.Passage})
		}
		c.Items++
		like := [3]float64{likeness(first, now[i]), likeness(second, now[i]), likeness(first, second)}
		for k, v := range like {
			passages[len(passages)-1].of[k] += v
		}
		c.Likeness += (like[0] + like[1]) / 2
		c.Usual += like[2]
		if first.Ruling != second.Ruling {
			c.Noise++
		}
		if first.Ruling != now[i].Ruling && second.Ruling != now[i].Ruling {
			c.Changed++
		}
	}
	if c.Items == 0 {
		c.Why = fmt.Sprintf("none of %d items has a ruling then and now", len(items))
		return c
	}
	c.Usual /= float64(c.Items)
	c.Likeness /= float64(c.Items)
	if p, ok := apart(passages); ok {
		c.P, c.Differs = &p, p < Alpha
	}
	return c
}

// likeness is the share of different words that two answers have in common, 0 if they rule
// differently.
func likeness(a, b Answer) float64 {
	if a.Ruling != b.Ruling {
		return 0
	}
	x, y := wordsOf(a.Words), wordsOf(b.Words)
	if len(x)+len(y) == 0 {
		return 1
	}
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

func wordsOf(s string) map[string]bool {
	out := map[string]bool{}
	for w := range text.Words(strings.ToLower(s)) {
		out[w] = true
	}
	return out
}
