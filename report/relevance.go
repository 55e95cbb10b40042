package report

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// judged gives the grade of a passage by the labels of the case: for documents,
// that of the label which equals the passage's document or source, or the last
// element of one that is a path; else 1 when a reference passage and its text
// hold one another. ok is false when no label speaks of it.
func judged(w assay.Want, p assay.Passage) (grade int, ok bool) {
	names := []string{p.Document, p.Source}
	for _, n := range []string{p.Document, p.Source} {
		names = append(names, n[strings.LastIndexAny(n, `/\`)+1:])
	}
	for _, n := range names {
		if g, found := w.Documents[n]; found && n != "" {
			return g, true
		}
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
