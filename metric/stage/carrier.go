package stage

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// The values of [assay.Fact].Match.
const (
	byID       = "id"
	byText     = "text"
	byCoverage = "coverage"
	byJudge    = "judge"
)

// carriers returns the passages that carry each fact, in order, and how the first of
// them matched.
func carriers(facts []fact, w assay.Want, passages []assay.Passage) (of [][]assay.Passage, match []string) {
	of, match = make([][]assay.Passage, len(facts)), make([]string, len(facts))
	add := func(i int, p assay.Passage, by string) {
		if of[i] = append(of[i], p); match[i] == "" {
			match[i] = by
		}
	}
	if len(facts) == 0 || len(passages) == 0 {
		return of, match
	}
	if facts[0].kind == document {
		at := make(map[string]int, len(facts))
		for i := range facts {
			at[facts[i].id] = i
		}
		for _, p := range passages {
			i, ok := at[p.Document]
			if p.Document == "" || !ok && (p.Source != "" || p.ID != "" || strings.ContainsAny(p.Document, `/\`)) {
				// This is slower: rankings are deep, and most names are plain ids.
				label, _ := assay.Label(w.Documents, p.ID, p.Document, p.Source)
				i, ok = at[label]
			}
			if ok && facts[i].holds(p) {
				add(i, p, byID)
			}
		}
		return of, match
	}
	for _, p := range passages {
		form := text.MatchForm(p.Text)
		for i := range facts {
			if by := facts[i].in(p, form); by != "" {
				add(i, p, by)
			}
		}
	}
	return of, match
}

// holds reports whether a passage of the fact's document holds the answer.
func (f *fact) holds(p assay.Passage) bool {
	return len(f.answering) == 0 || slices.ContainsFunc(f.answering, p.Same)
}

// in says how a passage carries the fact, "" if it does not. form is the match form of
// the passage's text.
func (f *fact) in(p assay.Passage, form string) string {
	switch f.kind {
	case keyword:
		if text.HasKeyword(form, f.text) {
			return byText
		}
		return ""
	case point:
		if f.source.ID != "" && f.source.ID == p.ID {
			return byID
		}
		if f.source.Text != "" {
			source := newFact(passage, 0, f.source.Text)
			if by := source.in(p, form); by != "" {
				return by
			}
		}
		if f.form != "" && says(form, f.form) {
			return byText
		}
		return ""
	}
	switch {
	case text.Contains(form, f.form, f.least):
		return byText
	case f.covered(form):
		return byCoverage
	}
	return ""
}

// covered reports whether a text covers half of the fact's. A common stretch of twice
// the least length contains a whole anchor; searching for the anchors first avoids most
// full comparisons.
func (f *fact) covered(form string) bool {
	if len(f.anchors) > 1 && !slices.ContainsFunc(f.anchors, func(a string) bool { return strings.Contains(form, a) }) {
		return false
	}
	return text.Coverage(f.form, []string{form}, f.least) >= tolerance
}
