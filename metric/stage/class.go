package stage

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// Labels that this many questions share, and at least this share of all cases, name a class: "SUPPORT", "eligible".
const (
	fewestOfClass  = 5
	leastShareOfIt = 0.01
)

// Classes returns the reference answers and keywords, in match form, that name a class of questions. Documents have
// their words by chance. What has a number is a value that many questions may have.
func Classes(cases *assay.Cases) map[string]bool {
	questions := map[string][]string{}
	for _, c := range cases.All() {
		for _, label := range slices.Concat(c.Want.Answers, c.Want.Keywords) {
			if form := formOf(label); len(questions[form]) < max(fewestOfClass, int(leastShareOfIt*float64(cases.Len()))) &&
				!slices.Contains(questions[form], c.Question) {
				questions[form] = append(questions[form], c.Question)
			}
		}
	}
	out := map[string]bool{}
	for form, of := range questions {
		if len(of) >= max(fewestOfClass, int(leastShareOfIt*float64(cases.Len()))) && len(valuesOf(text.Folded(form))) == 0 {
			out[form] = true
		}
	}
	return out
}

// worded returns a case without the labels that texts do not have word for word: those of a class, and reference
// answers that no labelled passage has.
func (a *Attributor) worded(c *assay.Case) *assay.Case {
	if len(c.Want.Answers) == 0 && len(c.Want.Keywords) == 0 || len(a.o.Classes) == 0 && len(c.Want.Passages) == 0 {
		return c
	}
	out := *c
	class := func(label string) bool { return a.o.Classes[formOf(label)] }
	var forms []string
	for _, p := range c.Want.Passages {
		forms = append(forms, formOf(p))
	}
	out.Want.Answers = slices.DeleteFunc(slices.Clone(c.Want.Answers), func(s string) bool {
		return class(s) || forms != nil && !slices.ContainsFunc(forms, referenceOf(s).in)
	})
	if !slices.ContainsFunc(c.Want.Keywords, func(k string) bool { return !class(k) }) {
		out.Want.Keywords = nil
	}
	return &out
}
