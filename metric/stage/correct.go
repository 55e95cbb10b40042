package stage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
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

// States reports whether an answer states one text of each group, by the rule of reference answers. A word of a
// question that asks for others answers nothing, and a number may lack the unit that the question names.
func States(question, answer string, groups [][]string) bool {
	said, form := newSaying(question, answer), text.MatchForm(question)
	asked, _ := said.asked()
	wants := slices.ContainsFunc(asked, func(t text.Token) bool { return wanting[t.Text] })
	var of [][]string
	for _, g := range groups {
		if wants && mentionsAny(form, referencesOf(g)) {
			continue
		}
		for _, w := range strings.Fields(form) {
			if one := text.Folded("1 " + w); len(g) == 1 && len(one) == 1 && one[0].Value != nil && one[0].Value.Unit != "" {
				g = append(g[:1:1], g[0]+" "+w)
			}
		}
		if right, _ := byLabels(&assay.Case{Question: question, Want: assay.Want{Answers: g}}, answer); right == assay.AnswerRight {
			return true // any other text is in words that change nothing
		}
		of = append(of, g)
	}
	return !offline.Declines(question, answer) && said.asserts(of) && said.asserts(said.kept(of))
}

// wanting words ask for what the question does not say.
var wanting = text.Set("what how why who whom whose when where")

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
	return len(w.Answers) > 0 || len(w.Keywords) > 0 || len(w.Passages) > 0 || w.Ideal != nil || w.Relevant() > 0
}
