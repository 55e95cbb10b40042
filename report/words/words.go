// Package words is the catalogue of the text in reports: titles, headings of tables,
// sentences. A language is a type that has every method of [Words], so a catalogue
// that lacks a sentence does not compile. Numbers, names and ids are passed in as they
// are to be shown.
package words

import (
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/query"
)

// Words has everything that a report says, in one language.
type Words interface {
	// Language returns the BCP 47 code of the language, Name its name in the language
	// itself.
	Language() string
	Name() string
	gate.Words
	query.Words
	general
	results
	gates
	accounts
	certified
	canaries
	ci
	lost
	draws
	times
	cases
	checks
	pages
	webs
	labs
	shells
	trends
	sliced
	comparisons
	preferring
	corrections
	claims
	calls
	sets
	points
	starts
}

// Findings returns the findings as sentences.
func Findings(w Words, list []gate.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.In(w))
	}
	return out
}

// All lists the languages, the default first. To add one, write its type and its line
// here.
var All = []Words{English{}, TraditionalChinese{}}

// In returns the words of a language by its code. ok is false if there is none; w is
// then the default, as for "".
func In(language string) (w Words, ok bool) {
	for _, w := range All {
		if w.Language() == language {
			return w, true
		}
	}
	return All[0], language == ""
}
