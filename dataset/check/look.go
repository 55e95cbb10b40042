package check

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A look holds data that several checks share.
type look struct {
	*Input
	// forms are the document texts in match form.
	forms []string
	// at maps the names of a document (id, source, and their last elements) to
	// its index.
	at map[string]int
	// words is an inverted index of the documents; nil until it is needed.
	words words
	// held caches the results of holding, suggested those of nearest.
	held      map[string][]int
	suggested map[string]string
	names     []string
}

func newLook(in *Input) *look {
	l := &look{Input: in, at: map[string]int{}, held: map[string][]int{}, suggested: map[string]string{}}
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

// document returns the index of the document that a label names.
func (l *look) document(label string) (int, bool) {
	i, ok := l.at[label]
	return i, ok
}

// nearest suggests the name of an existing document for a missing one. It
// suggests only ids; in a large corpus with numeric ids any guess would be wrong.
func (l *look) nearest(label string) string {
	const most = 2000
	if len(l.Documents) > most {
		return ""
	}
	near, known := l.suggested[label]
	// When hundreds of names are wrong, they are usually wrong in the same way.
	if !known && len(l.suggested) < 200 {
		near = l.suggest(label)
		l.suggested[label] = near
	}
	return near
}

func (l *look) suggest(label string) string {
	for _, d := range l.Documents {
		if strings.EqualFold(base(d.ID), base(label)) {
			return d.ID
		}
	}
	if l.names == nil {
		l.names = slices.Sorted(maps.Keys(l.at))
	}
	return text.Nearest(label, l.names)
}

// holding lists the documents whose text contains the passage, or is contained in
// it.
func (l *look) holding(passage string) []int {
	if known, ok := l.held[passage]; ok {
		return known
	}
	form, least := text.MatchForm(passage), text.MatchLengthFor(passage)
	if runes(form) < least {
		return nil
	}
	may, all := l.index().rarest(whole(form))
	candidate := make(map[int]bool, len(may))
	for _, i := range may {
		candidate[int(i)] = true
	}
	var out []int
	for i, d := range l.forms {
		if (all || candidate[i]) && strings.Contains(d, form) || len(d) <= len(form) && runes(d) >= least && strings.Contains(form, d) {
			out = append(out, i)
		}
	}
	l.held[passage] = out
	return out
}

// index returns the inverted index and builds it on first use.
func (l *look) index() words {
	if l.words == nil {
		l.words = newWords(l.forms)
	}
	return l.words
}

// akin lists the documents that share the most words with a passage, weighted by
// rarity. A document with half of the passage is among them.
func (l *look) akin(passage string) []int {
	const most = 20
	weight := map[int]float64{}
	seen := map[string]bool{}
	for _, w := range split(text.MatchForm(passage)) {
		docs := l.index()[w.text]
		if seen[w.text] {
			continue
		}
		seen[w.text] = true
		for _, i := range docs {
			weight[int(i)] += math.Log(1 + float64(len(l.forms))/float64(len(docs)))
		}
	}
	out := slices.Collect(maps.Keys(weight))
	slices.SortFunc(out, func(a, b int) int { return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b)) })
	return out[:min(most, len(out))]
}

func runes(s string) int { return utf8.RuneCountInString(s) }

// same normalizes a question: case, punctuation and white space do not count.
func same(question string) string {
	return strings.Join(strings.FieldsFunc(text.MatchForm(question), isPunctuation), " ")
}

// answerable reports whether the case is not labelled as unanswerable.
func answerable(c *assay.Case) bool { return c.Want.Answerable == nil || *c.Want.Answerable }
