package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
)

// levels are the estimates from which a passage has level 1, 2 and 3. The
// second is where passages that hold an answer and others are told apart; the
// others are judgements.
var levels = [3]float64{0.2, 0.5, 0.8}

// grade estimates for each passage the probability that it answers the
// question, and grades by it.
func (j *Judge) grade(ctx context.Context, s judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	out := make([]judge.Grade, len(passages))
	e, q, err := j.ask(ctx, "relevance", s.Question, passages)
	if err != nil {
		return nil, err
	}
	for i, f := range e.look(q) {
		if f.best < 0 {
			out[i] = judge.Grade{Known: true, Why: "the passage has no text"}
			continue
		}
		m := &relevanceByWords
		if q.vector != nil {
			m = &relevance
		}
		g := judge.Grade{Known: true, Degree: m.probability(e.relevanceFeatures(q, i, f)), Quote: e.sentences[f.best].text}
		for _, from := range levels {
			if g.Degree >= from {
				g.Level++
			}
		}
		g.Why = q.why(f)
		if g.Level == 0 {
			g.Quote = ""
		}
		out[i] = g
	}
	return out, ctx.Err()
}

// ask makes a question and the passages ready.
func (j *Judge) ask(ctx context.Context, operation, question string, passages []judge.Source) (*evidence, *claim, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Text
	}
	e := newEvidence(texts)
	q := newQuestion(question)
	err := j.embed(ctx, operation, []*claim{q}, e)
	return e, q, err
}

// newQuestion makes a question ready, without the words that only make it one:
// no sentence that answers has them.
func newQuestion(s string) *claim {
	q := newClaim(s, nil)
	q.words = words(asking.Replace(s))
	q.terms = slices.DeleteFunc(terms(q.words), func(t string) bool { return askingWords[t] })
	return q
}

var askingWords = setOf("many much kind type name tell does did there about mean")

// asking replaces, longer ones first, by spaces, so that no pair of characters
// spans them.
var asking = strings.NewReplacer(
	"为什么", " ", "為什麼", " ", "为何", " ", "為何", " ", "什么时候", " ", "什麼時候", " ", "甚麼時候", " ", "什么", " ", "什麼", " ", "甚麼", " ", "哪一年", " ", "哪些", " ", "哪一", " ",
	"哪个", " ", "哪個", " ", "哪里", " ", "哪裡", " ", "哪種", " ", "哪种", " ", "哪", " ", "谁", " ", "誰", " ", "多少", " ", "几个", " ", "幾個", " ", "如何", " ", "怎么", " ", "怎麼", " ",
	"怎样", " ", "怎樣", " ", "何時", " ", "何时", " ", "何處", " ", "何处", " ", "是否", " ", "能否", " ", "请问", " ", "請問", " ", "吗", " ", "嗎", " ", "呢", " ", "边个", " ", "邊個", " ",
	"咩", " ", "點解", " ", "點樣", " ", "幾時", " ", "邊度", " ",
)

// relevanceFeatures of a question and what a passage has of it.
func (e *evidence) relevanceFeatures(q *claim, at int, f found) []feature {
	s := e.sources[at]
	best := e.sentences[f.best].text
	kind := expects(q)
	mean := 0.0
	for _, x := range e.sentences[s.first:s.end] {
		mean += dot(q.vector, x.vector)
	}
	mean /= float64(max(1, s.end-s.first))
	around := e.around(f.best)
	return []feature{
		{"cosine", f.cosine},
		{"mean cosine", mean},
		{"sentence terms", f.sentence},
		{"window terms", f.window},
		{"all terms", part(f.terms, 0)},
		{"pairs", part(f.pairs, 0)},
		{"run", f.run},
		{"names", part(f.names, 1)},
		{"has names", yes(len(f.names) > 0)},
		{"numbers", part(f.numbers, 1)},
		{"number wanted, near", yes(kind == number && otherNumber(around, q))},
		{"number wanted, missing", yes(kind == number && !otherNumber(around, q))},
		{"name wanted, near", yes(kind == person && newName(around, q))},
		{"name wanted, missing", yes(kind == person && !newName(around, q))},
		{"question repeated", yes(strings.HasSuffix(strings.TrimSpace(best), "?"))},
	}
}

// around gives a sentence with its neighbours in the source.
func (e *evidence) around(at int) string {
	s := e.sources[e.sentences[at].source]
	var b strings.Builder
	for i := max(at-1, s.first); i <= min(at+1, s.end-1); i++ {
		fmt.Fprintln(&b, e.sentences[i].text)
	}
	return b.String()
}

// wanted is what kind of thing a question asks for.
type wanted uint8

const (
	anything wanted = iota
	number
	person
)

var (
	numberCues = []string{"how many", "how much", "when ", "what year", "which year", "what date", "how long", "how old", "how far", "how tall", "how big", "how high", "what time", "population of",
		"多少", "几", "幾", "何时", "何時", "什么时候", "什麼時候", "甚麼時候", "哪一年", "哪年", "年份", "多大", "多長", "多长", "多高", "多遠", "多远", "时间", "時間", "幾時"}
	personCues = []string{"who ", "who's", "whose ", "whom ", "which person", "谁", "誰", "邊個", "哪位", "何人"}
)

// expects guesses from the words of a question what it asks for.
func expects(q *claim) wanted {
	s := plain(q.text) + " "
	for _, c := range numberCues {
		if strings.Contains(s, c) {
			return number
		}
	}
	for _, c := range personCues {
		if strings.Contains(s, c) {
			return person
		}
	}
	return anything
}

// newName reports whether a text has a name that the question lacks. Names in
// scripts without capitals are not seen, and any text may have one.
func newName(s string, q *claim) bool {
	if !reads(s) {
		return true
	}
	known := map[string]bool{}
	for _, w := range q.words {
		known[w] = true
	}
	for _, n := range names(s) {
		if !known[n] {
			return true
		}
	}
	return false
}
