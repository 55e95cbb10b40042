package report

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// judged gives the grade of a passage by the labels of the case: for documents,
// that of its label; else 1 when a reference passage and its text
// hold one another. ok is false when no label speaks of it.
func judged(w assay.Want, p assay.Passage) (grade int, ok bool) {
	if label, ok := assay.Label(w.Documents, p.Document, p.Source); ok {
		return w.Documents[label], true
	}
	for _, want := range w.Passages {
		if text.Contains(want, p.Text, text.MatchLengthFor(want)) {
			return 1, true
		}
	}
	return 0, false
}

// passageName is what a reader calls a passage's document.
func passageName(p assay.Passage) string {
	for _, n := range []string{p.Source, p.Document, p.ID} {
		if n != "" {
			return n
		}
	}
	return ""
}
