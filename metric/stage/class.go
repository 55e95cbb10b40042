package stage

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
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

// narrowed returns a case without the labels of documents of which it labels chunks, too: the document of a labelled chunk
// is no other evidence. An id that no passage has is that of a chunk if it has the form of their ids, and of no document's
// name. It is of the labelled document with which it begins, or of any if ids do not begin with documents.
func narrowed(c *assay.Case, passages []assay.Passage) *assay.Case {
	chunks, ids, documents, begins := map[string]assay.Passage{}, map[string]bool{}, map[string]bool{}, false
	for _, p := range passages {
		if d := cmp.Or(p.Document, p.Source); p.ID != "" && d != "" && p.ID != d {
			chunks[p.ID], ids[signs(p.ID)], documents[signs(d)] = p, true, true
			begins = begins || strings.HasPrefix(p.ID, d)
		}
	}
	out, of, rest, open := *c, map[string]bool{}, map[string]bool{}, []string{}
	for id, grade := range c.Want.Documents {
		switch p, known := chunks[id]; {
		case grade < 1:
		case known:
			if label, ok := assay.Label(c.Want.Documents, p.Document, p.Source); ok && label != id {
				of[label] = true
			}
		case ids[signs(id)] && !documents[signs(id)]:
			open = append(open, id)
		default:
			rest[id] = true
		}
	}
	every := !begins && len(open)+len(of) >= len(rest)
	out.Want.Documents = maps.Clone(c.Want.Documents)
	maps.DeleteFunc(out.Want.Documents, func(d string, _ int) bool {
		return of[d] || rest[d] && (every || slices.ContainsFunc(open, func(id string) bool { return strings.HasPrefix(id, d) }))
	})
	return &out
}

// signs returns the form of a name: its signs, and x for each run of letters and digits.
func signs(name string) string { return lettered().ReplaceAllString(name, "x") }

var lettered = lazyregexp.New(`[\pL\pN]+`)
