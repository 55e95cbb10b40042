package generate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

const (
	// An answer is written from leastSources documents or more, by relevance, and
	// from at most mostSources.
	leastSources = 3
	mostSources  = 5
)

// A Corpus finds documents by the names in labels.
type Corpus struct {
	byName map[string]assay.Document
	// doubtful are names that several documents share.
	doubtful map[string]bool
}

// NewCorpus indexes documents. As in scoring, a document can be named by its id,
// its source, and the last elements of both, except a short name that several
// documents share.
func NewCorpus(documents []assay.Document) *Corpus {
	c := &Corpus{byName: map[string]assay.Document{}, doubtful: map[string]bool{}}
	for _, short := range []bool{false, true} {
		for _, d := range documents {
			for _, name := range []string{d.ID, d.Source} {
				if short {
					name = name[strings.LastIndexByte(name, '/')+1:]
				}
				was, known := c.byName[name]
				switch {
				case name == "" || known && was.ID == d.ID:
				case known && short && !c.doubtful[name]:
					// A full name, or the short name of another document.
					c.doubtful[name] = was.ID != name && was.Source != name
				case !known:
					c.byName[name] = d
				}
			}
		}
	}
	return c
}

// Find returns the document with that name.
func (c *Corpus) Find(name string) (assay.Document, bool) {
	d, ok := c.byName[name]
	return d, ok && !c.doubtful[name]
}

// Sources returns the documents from which the answer to a case is written: those
// with the highest grade, at most five; if there are fewer than three, also those
// with the next grades. Equal grades are ordered by id. A case without documents
// returns its reference passages. It is an error if there is nothing to write
// from; expected documents that are missing from the corpus are only a warning.
func (c *Corpus) Sources(k *assay.Case) (sources []assay.Document, warnings []string, err error) {
	type graded struct {
		id    string
		grade int
	}
	var relevant []graded
	for id, grade := range k.Want.Documents {
		if grade > 0 {
			relevant = append(relevant, graded{id, grade})
		}
	}
	slices.SortFunc(relevant, func(a, b graded) int { return cmp.Or(b.grade-a.grade, cmp.Compare(a.id, b.id)) })
	var missing []string
	top := 0
	for _, g := range relevant {
		d, ok := c.Find(g.id)
		if !ok || strings.TrimSpace(d.Title+d.Text) == "" {
			missing = append(missing, g.id)
			continue
		}
		top = max(top, g.grade)
		if len(sources) == mostSources || g.grade < top && len(sources) >= leastSources {
			break
		}
		d.ID = g.id
		sources = append(sources, d)
	}
	if missing != nil {
		warnings = append(
			warnings, fmt.Sprintf("expected documents missing from the corpus: %s", strings.Join(missing[:min(3, len(missing))], ", ")),
		)
	}
	if sources == nil {
		for i, p := range k.Want.Passages[:min(mostSources, len(k.Want.Passages))] {
			sources = append(sources, assay.Document{ID: fmt.Sprintf("passage %d", i+1), Text: p})
		}
	}
	switch {
	case sources != nil:
		return sources, warnings, nil
	case missing != nil:
		return nil, nil, fmt.Errorf("none of its expected documents is in the corpus: %s", strings.Join(missing[:min(3, len(missing))], ", "))
	}
	return nil, nil, errors.New("it has no expected documents and no reference passages to write from")
}

// Passages returns the texts from which the ideal answer to a case is written:
// its reference passages, or else its [Corpus.Sources].
func (c *Corpus) Passages(k *assay.Case) (passages []assay.Passage, warnings []string, err error) {
	for i, p := range k.Want.Passages {
		if strings.TrimSpace(p) != "" {
			passages = append(passages, assay.Passage{ID: fmt.Sprintf("passage %d", i+1), Text: p})
		}
	}
	if passages != nil {
		return passages, nil, nil
	}
	sources, warnings, err := c.Sources(k)
	for _, d := range sources {
		passages = append(passages, assay.Passage{ID: d.ID, Document: d.ID, Title: d.Title, Text: d.Text})
	}
	return passages, warnings, err
}

// whole is a document as a model reads it.
func whole(d assay.Document) string {
	return strings.TrimSpace(d.Title + "\n" + d.Text)
}
