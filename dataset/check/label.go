package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// labels finds labels that are probably wrong: expected documents that hold none
// of the expected keywords or not the reference passage while another document
// does, documents judged irrelevant that hold the reference passage, and expected
// documents that no retriever finds while all of them agree on another.
func labels(ctx context.Context, l *look) ([]Finding, error) {
	var out []Finding
	good := trusted(l)
	for i := range l.Cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := &l.Cases[i]
		if len(l.Documents) > 0 && len(relevant(c)) > 0 {
			out = append(out, elsewhere(l, c)...)
		}
		if f, ok := agreed(l, good, c); ok {
			out = append(out, f)
		}
	}
	return out, nil
}

// elsewhere compares the labels of a case with the text of the documents.
func elsewhere(l *look, c *assay.Case) []Finding {
	expected := map[int]bool{}
	for _, label := range relevant(c) {
		i, ok := l.document(label)
		if !ok {
			// That it is missing is said already, and its text is not known.
			return nil
		}
		expected[i] = true
	}
	var out []Finding
	for _, p := range c.Want.Passages {
		holding := l.holding(p)
		in := false
		for _, i := range holding {
			in = in || expected[i]
		}
		if !in && len(holding) > 0 {
			out = append(out, found(Doubtful, fmt.Sprintf("the passage %q stands in %q and in no expected document: want that document among "+
				"the expected ones", text.Shorten(p, 60), l.Documents[holding[0]].ID), c))
		}
	}
	if keywords := c.Want.Keywords; len(keywords) > 0 {
		for i := range expected {
			if slices.ContainsFunc(keywords, func(k string) bool { return text.HasKeyword(l.forms[i], k) }) {
				return out
			}
		}
		if other := l.withAll(keywords); other >= 0 {
			out = append(out, found(Doubtful, fmt.Sprintf("no expected document holds any of the keywords (%s), and %q holds them all: is "+
				"that the document?", list(keywords), l.Documents[other].ID), c))
		}
	}
	return out
}

// withAll gives the first document that holds all of the keywords, -1 for none.
func (l *look) withAll(keywords []string) int {
	may, every := l.index().keyword(keywords[0])
	first := -1
	holds := func(i int) {
		if (first < 0 || i < first) && all(keywords, func(k string) bool { return text.HasKeyword(l.forms[i], k) }) {
			first = i
		}
	}
	if every {
		for i := range l.forms {
			holds(i)
		}
		return first
	}
	for _, i := range may {
		holds(int(i))
	}
	return first
}

// deep is how many documents a ranking must hold for it to say something that no
// expected one is among them.
const deep = 50

// agreed finds a case none of whose expected documents any retriever gives, while
// all of them put the same other document first, or look deep. One retriever
// alone may just be bad; it is heard, about what it does not give at all, where the
// others proved to be. Ground: of 30 cases of SciFact whose labels were replaced by
// those of others at random this finds 28, and 7 others beside (TestResultsPlantedLabels).
func agreed(l *look, good []Ranking, c *assay.Case) (Finding, bool) {
	if len(good) == 0 || len(good) < 2 && len(l.Rankings) < 2 || len(relevant(c)) == 0 {
		return Finding{}, false
	}
	for _, label := range relevant(c) {
		if _, ok := l.document(label); !ok && len(l.Documents) > 0 {
			return Finding{}, false // it cannot be found, which is said already
		}
	}
	first, same, fewest := "", true, math.MaxInt
	for _, r := range good {
		names := ranked(r, c)
		if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return c.Want.Documents[name] > 0 }) {
			return Finding{}, false
		}
		same = same && (first == "" || names[0] == first)
		first, fewest = names[0], min(fewest, len(names))
	}
	expected := list(relevant(c))
	switch {
	case same && len(good) > 1:
		return found(Doubtful, fmt.Sprintf("%d retrievers put %q first, and none gives an expected document (%s): is the label right?",
			len(good), first, expected), c), true
	case fewest >= deep:
		return found(Doubtful, fmt.Sprintf("%s an expected document (%s) among the first %d: is the label right?", nobody(good), expected,
			fewest), c), true
	}
	return Finding{}, false
}

// nobody begins the sentence that no retriever gives a document.
func nobody(good []Ranking) string {
	if len(good) == 1 {
		return good[0].Name + " does not give"
	}
	return fmt.Sprintf("none of %d retrievers gives", len(good))
}

// few cases say nothing about a retriever.
const few = 10

// trusted lists the rankings that say something where they differ from the
// labels: those that give an expected document among the first Depth in at least
// half of the cases, where there are enough to say. What another finds, such as an English model in Chinese
// questions, is no evidence against a label.
func trusted(l *look) []Ranking {
	var out []Ranking
	for _, r := range l.Rankings {
		hits, asked := 0, 0
		for i := range l.Cases {
			c := &l.Cases[i]
			if _, ok := r.Passages[c.ID]; !ok || len(relevant(c)) == 0 {
				continue
			}
			asked++
			names := ranked(r, c)
			if slices.ContainsFunc(names[:min(l.Depth, len(names))], func(name string) bool { return c.Want.Documents[name] > 0 }) {
				hits++
			}
		}
		if asked > 0 && (2*hits >= asked || asked < few) {
			out = append(out, r)
		}
	}
	return out
}

// unheard names the rankings that are not trusted.
func unheard(l *look) []string {
	good := map[string]bool{}
	for _, r := range trusted(l) {
		good[r.Name] = true
	}
	var out []string
	for _, r := range l.Rankings {
		if !good[r.Name] {
			out = append(out, r.Name)
		}
	}
	return out
}
