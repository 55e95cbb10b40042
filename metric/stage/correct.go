package stage

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/offline"
)

// byLabels decides by the labels of a case whether an answer is right, and names the label.
func byLabels(c *assay.Case, answer string) (of assay.Correctness, by string) {
	w := c.Want
	declines := offline.Declines(c.Question, answer)
	if w.Answerable != nil && !*w.Answerable {
		if declines {
			return assay.AnswerRight, outcomeRefusal
		}
		return assay.AnswerWrong, outcomeRefusal
	}
	answers := w.Answers
	if len(answers) == 0 && w.Ideal != nil && w.Ideal.Answer != "" {
		answers = []string{w.Ideal.Answer}
	}
	stated, by := "", ""
	var said saying
	if len(answers) > 0 || len(w.Keywords) > 0 {
		said = newSaying(c.Question, answer)
	}
	switch {
	case len(answers) > 0 && said.statesAny(answers):
		stated = outcomeReference
	case len(w.Keywords) > 0 && said.statesAll(w.Keywords):
		stated = outcomeKeywords
	case len(w.Passages) > 0 && w.Ideal == nil &&
		!slices.ContainsFunc(w.Passages, func(p string) bool { return !says(text.MatchForm(answer), text.MatchForm(p)) }):
		stated = outcomeFacts
	}
	switch {
	case len(answers) > 0:
		by = outcomeReference
	case len(w.Keywords) > 0:
		by = outcomeKeywords
	}
	switch {
	case declines && stated != "":
		// "The documents do not say whether it costs 40 dollars."
		return assay.AnswerUnknown, stated
	case declines && answerable(w):
		return assay.AnswerWrong, outcomeRefusal
	case stated != "":
		return assay.AnswerRight, stated
	case len(answers) > 0 && said.contradicts(answers):
		return assay.AnswerWrong, by
	case len(answers) == 0 && slices.ContainsFunc(w.Keywords, func(k string) bool { return said.contradicts(alternatives(k)) }):
		return assay.AnswerWrong, by
	}
	return assay.AnswerUnknown, by
}

// alternatives returns the forms of a keyword.
func alternatives(keyword string) []string {
	return slices.DeleteFunc(strings.Split(keyword, "|"), func(s string) bool { return strings.TrimSpace(s) == "" })
}

// answerable reports whether the labels say that a question has an answer.
func answerable(w assay.Want) bool {
	if w.Answerable != nil {
		return *w.Answerable
	}
	if len(w.Answers) > 0 || len(w.Keywords) > 0 || len(w.Passages) > 0 || w.Ideal != nil {
		return true
	}
	for _, grade := range w.Documents {
		if grade >= 1 {
			return true
		}
	}
	return false
}
