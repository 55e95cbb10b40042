// Package canary tells whether the model behind a name has changed: it puts a frozen set of
// questions to a judge and compares the answers with those that it gave before. Rulings on
// clear questions seldom change, so the words of the answers are compared too, with how far
// two answers to the same question differ anyway.
package canary

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

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

// A Set is the frozen answers of one judge, with all that they depend on.
type Set struct {
	// Judge identifies the judge, with the prompt of support alone.
	Judge assay.JudgeInfo `json:"judge"`
	// N is the number of items that was asked for.
	N         int              `json:"n"`
	Languages []judge.Language `json:"languages,omitempty"`
	// Run is what froze the answers, those to the items, given twice in a row.
	Run     string      `json:"run"`
	Version string      `json:"version"`
	Since   time.Time   `json:"since"`
	Answers [2][]Answer `json:"answers"`
	// Past are the times of the sets before this one to which the answers were not alike.
	Past []time.Time `json:"past,omitempty"`
}

// Of returns a set without answers: that of a judge, a number of items and languages, of which
// there may be none.
func Of(j assay.JudgeInfo, n int, languages ...judge.Language) Set {
	return Set{Judge: j.For(question.Support.Operation()).About([]string{question.Support.Operation()}), N: n, Languages: languages}
}

// ID returns the hash of what the answers depend on: the judge with its parameters and the
// version of the question, the items and their languages.
func (s Set) ID() string {
	key, err := json.Marshal(struct {
		Version   string
		Judge     assay.JudgeInfo
		N         int
		Languages []judge.Language
	}{Version, s.Judge, s.N, s.Languages})
	if err != nil {
		panic(err) // texts and numbers
	}
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:])
}

// Items returns the items of the set.
func (s Set) Items() []Item { return Items(s.N, s.Languages...) }

// Asked returns the languages of the items.
func (s Set) Asked() []judge.Language {
	var out []judge.Language
	for _, it := range s.Items() {
		out = append(out, it.Language)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Freeze keeps two rounds of answers. It is an error if a quarter of the items or more lack one
// of the two: such a set would tell little, and forever.
func (s *Set) Freeze(run string, since time.Time, answers [2][]Answer) error {
	items := s.Items()
	both := 0
	for i := range items {
		if answers[0][i].Known && answers[1][i].Known {
			both++
		}
	}
	if 4*both <= 3*len(items) {
		return fmt.Errorf("%d of %d items have a ruling in both rounds: expected more than three quarters to freeze the answers", both, len(items))
	}
	s.Run, s.Version, s.Since, s.Answers = run, Version, since, answers
	return nil
}

// First describes the run that froze the answers.
func (s Set) First() assay.Canary {
	c := s.Now(s.Answers[1])
	c.First, c.Likeness, c.Changed, c.P, c.Differs = true, 0, 0, nil, false
	return c
}

// LeftOut says why nothing was asked or compared.
func (s Set) LeftOut(why string) assay.Canary {
	return assay.Canary{Provider: s.Judge.Provider, Model: s.Judge.Model, Since: s.Since, Why: why}
}

// Draw returns a draw of a judge for a round of answers: another for each key, so that no reply
// of another key is taken from the ledger, and the same each time, so that a run that is resumed
// pays for nothing twice. All draws show the claims of a passage in one order: lists are turned
// by the number of the draw, and none has as many claims as the draws are apart.
func Draw(key string, round int) int {
	sum := sha256.Sum256([]byte(key))
	const most, apart = 1 << 23, 60 // 60 is divided by 1 to 6, the claims of a passage
	return apart * (1<<20 + 2*int(binary.BigEndian.Uint32(sum[:])%most) + round)
}
