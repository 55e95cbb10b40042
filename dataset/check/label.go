package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/offline"
)

// labels finds labels that are probably wrong: reference answers that say that there is no
// answer, expected documents without any expected keyword or without the reference passage when
// another document has them, documents judged irrelevant that contain the reference passage, and
// expected documents that no retriever finds while all agree on another.
func labels(ctx context.Context, l *look) ([]Finding, error) {
	var out []Finding
	good := trusted(l)
	for i := range l.Cases {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := &l.Cases[i]
		if w := c.Want; w.Answerable == nil && offline.Refuses(c.Question, w.Answers...) {
			out = append(out, found(Doubtful, fmt.Sprintf("the reference answer %q says that there is no answer: expected answerable: false, or "+
				"answerable: true if it is the answer", text.Shorten(w.Answers[0], 60)), c))
		}
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
			// missingDocuments reports these, and their text is unknown.
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
			out = append(out, found(Doubtful, fmt.Sprintf("the passage %q is in %q and in no expected document: expected that document among "+
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
			out = append(out, found(Doubtful, fmt.Sprintf("no expected document contains any of the keywords (%s), and %q contains them all: is "+
				"that the right document?", list(keywords), l.Documents[other].ID), c))
		}
	}
	return out
}

// withAll returns the first document that contains all of the keywords, or -1.
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

// deep is the length from which a ranking without any expected document counts as
// evidence.
const deep = 50

// agreed finds cases whose expected documents no retriever returns while all of
// them rank the same other document first, or return long rankings. A single
// retriever may just be bad; it counts, for what it does not return at all, if it
// does well on the other cases. On SciFact with the labels of 30 cases replaced
// at random, this finds 28 of them and reports 7 others
// (TestResultsPlantedLabels).
func agreed(l *look, good []Ranking, c *assay.Case) (Finding, bool) {
	if len(good) == 0 || len(good) < 2 && len(l.Rankings) < 2 || len(relevant(c)) == 0 {
		return Finding{}, false
	}
	for _, label := range relevant(c) {
		if _, ok := l.document(label); !ok && len(l.Documents) > 0 {
			return Finding{}, false // missingDocuments reports this case
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
		return found(Doubtful, fmt.Sprintf("%d retrievers rank %q first, and none returns an expected document (%s): is the label right?",
			len(good), first, expected), c), true
	case fewest >= deep:
		return found(Doubtful, fmt.Sprintf("%s an expected document (%s) among the first %d: is the label right?", nobody(good), expected,
			fewest), c), true
	}
	return Finding{}, false
}

// nobody starts the sentence that no retriever returns a document.
func nobody(good []Ranking) string {
	if len(good) == 1 {
		return good[0].Name + " does not return"
	}
	return fmt.Sprintf("none of %d retrievers returns", len(good))
}

// enough is the number of cases below which a retriever cannot be assessed.
const few = 10

// trusted lists the rankings whose disagreement with labels is evidence: those
// with an expected document among the first Depth in at least half of the cases,
// if there are enough cases. What an unsuitable retriever finds, such as an
// English model on Chinese questions, is no evidence against a label.
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
