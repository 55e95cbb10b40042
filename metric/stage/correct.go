package stage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/offline"
)

// byLabels decides by the labels of a case whether an answer is right, and names the label.
func byLabels(c *assay.Case, answer string) (of assay.Correctness, by string) {
	w := c.Want
	declines, said := offline.Declines(c.Question, answer), newSaying(c.Question, answer)
	// Signs alone are no refusal.
	refuses := declines && (len(said.folded) > 0 || strings.TrimSpace(answer) == "")
	if w.Answerable != nil && !*w.Answerable {
		switch {
		case refuses:
			return assay.AnswerRight, outcomeRefusal
		case !offline.Evades(answer) && said.values():
			return assay.AnswerWrong, outcomeRefusal
		}
		return assay.AnswerUnknown, outcomeRefusal
	}
	answers := w.Answers
	if len(answers) == 0 && w.Ideal != nil && w.Ideal.Answer != "" {
		answers = []string{w.Ideal.Answer}
	}
	var groups [][]string // what the answer must say, and the label that says so
	switch {
	case len(answers) > 0:
		groups, by = [][]string{answers}, outcomeReference
	case len(w.Keywords) > 0:
		by = outcomeKeywords
		for _, k := range w.Keywords {
			groups = append(groups, alternatives(k))
		}
	case w.Ideal == nil:
		for _, p := range w.Passages {
			groups = append(groups, []string{p})
		}
	}
	sure := func(says func([][]string) bool) bool { return says(groups) && says(said.kept(groups)) }
	switch {
	case sure(said.repeats):
		return assay.AnswerRight, cmp.Or(by, outcomeFacts)
	case refuses && w.Answerable == nil && offline.Refuses(c.Question, answers...):
		return assay.AnswerRight, outcomeRefusal
	case declines && (mentions(said.form, answers, w.Keywords) || slices.ContainsFunc(slices.Concat(answers, w.Keywords), said.nothing)):
		// "The documents do not say whether it costs 40 dollars.", and "none" for "no fee".
		return assay.AnswerUnknown, by
	case declines && answerable(w):
		return assay.AnswerWrong, outcomeRefusal
	case sure(said.asserts):
		return assay.AnswerRight, cmp.Or(by, outcomeFacts)
	case by != "" && slices.ContainsFunc(groups, said.contradicts):
		return assay.AnswerWrong, by
	}
	return assay.AnswerUnknown, by
}

// mentions reports whether an answer, in match form, has a reference answer or all keywords
// in it, whatever it says of them.
func mentions(form string, answers, keywords []string) bool {
	return mentionsAny(form, referencesOf(answers)) || len(keywords) > 0 && hasAll(form, phrasesOf(keywords))
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
