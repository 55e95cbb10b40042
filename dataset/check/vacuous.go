package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// vacuous finds cases that do not discriminate between systems: those without
// labels, those passed by repeating the question or by random retrieval, and
// those with contradictory labels.
func vacuous(_ context.Context, l *look) ([]Finding, error) {
	var out []Finding
	answers := map[string][]*assay.Case{}
	for i := range l.Cases {
		c := &l.Cases[i]
		for _, says := range emptiness(l, c) {
			out = append(out, found(Wrong, says, c))
		}
		if len(c.Want.Answers) > 0 {
			form := text.MatchForm(c.Want.Answers[0])
			answers[form] = append(answers[form], c)
		}
	}
	// With fewer than ten cases, half of them may share an answer by chance.
	if len(l.Cases) >= 10 {
		for i := range l.Cases {
			c := &l.Cases[i]
			if len(c.Want.Answers) == 0 {
				continue
			}
			form := text.MatchForm(c.Want.Answers[0])
			if sharing := answers[form]; 2*len(sharing) > len(l.Cases) && sharing[0] == c {
				out = append(out, found(Doubtful, fmt.Sprintf("%d of %d cases have the answer %q: a system that always gives it is right as often",
					len(sharing), len(l.Cases), text.Shorten(c.Want.Answers[0], 60)), sharing...))
			}
		}
	}
	return out, nil
}

func emptiness(l *look, c *assay.Case) []string {
	w := c.Want
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	documents := relevant(c)
	if w.Answers == nil && w.Documents == nil && w.Passages == nil && w.Keywords == nil && w.SubQuestions == nil &&
		w.Transcript == nil && w.Answerable == nil && w.Ideal == nil {
		say("no labels, so only metrics without labels apply: expected an answer, documents, passages or keywords")
	}
	if !answerable(c) {
		if len(documents) > 0 || len(w.Passages) > 0 {
			say("labelled unanswerable, but has documents or passages that answer it: expected one or the other")
		}
		return out
	}
	if w.Documents != nil && len(documents) == 0 {
		say("none of its judged documents is relevant, so no retriever can find any: expected a relevant document, or answerable: false")
	}
	if n := len(l.Documents); n >= 4 && 2*len(documents) >= n {
		say("%d of the %d documents of the corpus are relevant: random retrieval finds some", len(documents), n)
	}
	if len(w.Keywords) > 0 && all(w.Keywords, func(k string) bool { return text.HasKeyword(c.Question, k) }) {
		say("the question contains all of its keywords (%s): an answer that repeats it passes", list(w.Keywords))
	}
	for _, a := range w.Answers {
		// "yes" or a year may be in a question by chance.
		if form := text.MatchForm(a); runes(form) >= text.MatchLengthFor(a) && strings.Contains(text.MatchForm(c.Question), form) {
			say("the question contains its answer %q", text.Shorten(a, 60))
			break
		}
	}
	return out
}

func all(list []string, is func(string) bool) bool {
	for _, s := range list {
		if !is(s) {
			return false
		}
	}
	return true
}
