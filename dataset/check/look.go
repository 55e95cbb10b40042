package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// look holds what several checks need, made once.
type look struct {
	*Input
	// forms are the documents' texts as passages are compared with them.
	forms []string
	// at finds a document by one of its names: id, source, or their last
	// element.
	at map[string]int
}

func newLook(in *Input) *look {
	l := &look{Input: in, at: map[string]int{}}
	for i, d := range in.Documents {
		l.forms = append(l.forms, text.MatchForm(d.Title+"\n"+d.Text))
		for _, name := range []string{base(d.Source), base(d.ID), d.Source, d.ID} {
			if name != "" {
				l.at[name] = i
			}
		}
	}
	return l
}

func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

// document finds the document that a label names.
func (l *look) document(label string) (int, bool) {
	i, ok := l.at[label]
	return i, ok
}

// nearest suggests the name of a document for one that is not there. Only ids
// are suggested; in a large corpus of numbers any guess would be a wrong one.
func (l *look) nearest(label string) string {
	const most = 2000
	if len(l.Documents) > most {
		return ""
	}
	for _, d := range l.Documents {
		if strings.EqualFold(base(d.ID), base(label)) {
			return d.ID
		}
	}
	return text.Nearest(label, slices.Sorted(maps.Keys(l.at)))
}

// holding lists the documents in whose text the passage stands, or that stand
// in it.
func (l *look) holding(passage string) []int {
	form, least := text.MatchForm(passage), text.MatchLengthFor(passage)
	if runes(form) < least {
		return nil
	}
	var out []int
	for i, d := range l.forms {
		if strings.Contains(d, form) || runes(d) >= least && strings.Contains(form, d) {
			out = append(out, i)
		}
	}
	return out
}

func runes(s string) int { return len([]rune(s)) }

// same is the form in which two questions are one: case, punctuation and white
// space do not count.
func same(question string) string {
	return strings.Join(strings.FieldsFunc(text.MatchForm(question), isPunctuation), " ")
}

// answerable reports whether the case says that the corpus holds an answer, or
// does not say that it holds none.
func answerable(c *assay.Case) bool { return c.Want.Answerable == nil || *c.Want.Answerable }
