package offline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
)

// levels are the estimates from which a passage has level 1, 2 and 3. The second
// separates passages that hold an answer from others; the other two are set by
// judgement.
var levels = [3]float64{0.2, 0.5, 0.8}

// grade grades each passage by the estimated probability that it answers the
// question.
func (j *Judge) grade(ctx context.Context, s judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	if err := unmeasured(ofRelevance, s); err != nil {
		return nil, err
	}
	out := make([]judge.Grade, len(passages))
	e, q, err := j.prepare(ctx, s.Question, passages)
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

// prepare prepares a question and passages for comparison.
func (j *Judge) prepare(ctx context.Context, question string, passages []judge.Source) (*evidence, *claim, error) {
	e, q := newEvidence(textsOf(passages)), newQuestion(question)
	return e, q, j.embed(ctx, "relevance", []*claim{q}, e)
}

// newQuestion prepares a question, without the question words, which no answer
// has.
func newQuestion(s string) *claim {
	q := newClaim(s)
	q.words = words(known().asking.Replace(s))
	q.terms = slices.DeleteFunc(terms(q.words), func(t string) bool { return known().question[t] })
	return q
}

// relevanceFeatures returns the features of a question and a passage.
func (e *evidence) relevanceFeatures(q *claim, at int, f found) []feature {
	s := e.sources[at]
	best := e.sentences[f.best].text
	number, name := wanted(q)
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
		{"numbers", part(f.numbers, 1)},
		{"number wanted, missing", indicator(number && !otherNumber(around, q))},
		{"name wanted, near", indicator(name && newName(around, q))},
		{"name wanted, missing", indicator(name && !newName(around, q))},
		{"question repeated", indicator(strings.HasSuffix(strings.TrimSpace(best), "?"))},
	}
}

// around returns a sentence with its neighbours in the source.
func (e *evidence) around(at int) string {
	s := e.sources[e.sentences[at].source]
	var b strings.Builder
	for i := max(at-1, s.first); i <= min(at+1, s.end-1); i++ {
		fmt.Fprintln(&b, e.sentences[i].text)
	}
	return b.String()
}

// wanted guesses from its words whether a question asks for a number, or for a name.
func wanted(q *claim) (number, name bool) {
	s := plain(q.text) + " "
	cued := func(cue string) bool { return strings.Contains(s, cue) }
	number = slices.ContainsFunc(known().Number, cued)
	return number, !number && slices.ContainsFunc(known().Person, cued)
}

// newName reports whether a text has a name that the question lacks. Any text in a
// script without capitals may have one.
func newName(s string, q *claim) bool {
	return !latin(s) || slices.ContainsFunc(names(s), func(n string) bool { return !slices.Contains(q.words, n) })
}
