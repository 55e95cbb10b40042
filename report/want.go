package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/assay-eval/assay"
)

// A label is what a case says about its answer, as a reader sees it.
type label struct {
	name   string
	values []string
}

// wanted lists the labels of a case; a label that is there and empty has no
// values.
func wanted(w assay.Want) []label {
	var out []label
	add := func(name string, values []string) {
		if values != nil {
			out = append(out, label{name, values})
		}
	}
	add("Reference answer", w.Answers)
	if w.Documents != nil {
		docs := slices.SortedFunc(maps.Keys(w.Documents), func(a, b string) int {
			return cmp.Or(w.Documents[b]-w.Documents[a], cmp.Compare(a, b))
		})
		for i, d := range docs {
			docs[i] = fmt.Sprintf("%s (grade %d)", d, w.Documents[d])
		}
		add("Expected documents", append([]string{}, docs...))
	}
	add("Reference passages", w.Passages)
	add("Expected keywords", w.Keywords)
	add("Key questions", w.SubQuestions)
	if w.Transcript != nil {
		add("Reference transcript", []string{*w.Transcript})
	}
	if w.Answerable != nil {
		word := "no: the corpus holds no answer"
		if *w.Answerable {
			word = "yes"
		}
		add("Answerable", []string{word})
	}
	return out
}
