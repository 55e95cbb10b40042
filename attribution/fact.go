package attribution

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// kind is what a fact is taken from.
type kind uint8

const (
	point kind = iota
	passage
	document
	keyword
)

// The words of [assay.Fact].Match.
const (
	byID       = "id"
	byText     = "text"
	byCoverage = "coverage"
	byJudge    = "judge"
)

// A fact is one piece of evidence.
type fact struct {
	kind kind
	// at is its place among the points, passages or keywords of the labels.
	at int
	// id names it, text is what it says; a document has no text.
	id, text string
	// form is the text as it is compared, least the length of a stretch that
	// counts, anchors are stretches of it.
	form    string
	least   int
	anchors []string
	// source is the ground truth that a point was taken from; its zero value is
	// none.
	source assay.Passage
	// bearing are the chunks of a document that hold the answer, when not all do.
	bearing []assay.Passage
}

// longest is how much of a fact's text is kept in a record.
const longest = 160

// factsOf gives the facts of a case, in the order of its labels.
func (a *Attributor) factsOf(c *assay.Case) []fact {
	w := c.Want
	var out []fact
	switch {
	case w.Ideal != nil && len(w.Ideal.Points) > 0:
		vital := slices.ContainsFunc(w.Ideal.Points, func(p assay.Point) bool { return p.Vital })
		for i, p := range w.Ideal.Points {
			if vital && !p.Vital {
				continue
			}
			f := newFact(point, i, p.Text)
			f.id, f.source.ID = p.Passage, p.Passage
			if j := slices.IndexFunc(w.Ideal.Passages, func(q assay.Passage) bool { return q.ID == p.Passage && p.Passage != "" }); j >= 0 {
				f.source = w.Ideal.Passages[j]
			}
			out = append(out, f)
		}
	case len(w.Passages) > 0:
		for i, p := range w.Passages {
			out = append(out, newFact(passage, i, p))
		}
	case len(w.Documents) > 0:
		for _, id := range slices.Sorted(maps.Keys(w.Documents)) {
			if w.Documents[id] >= 1 {
				out = append(out, fact{kind: document, id: id, bearing: a.library.bearing(id, w)})
			}
		}
	default:
		for i, k := range w.Keywords {
			if strings.Trim(k, "| ") != "" {
				out = append(out, fact{kind: keyword, at: i, text: k})
			}
		}
	}
	return out
}

func newFact(k kind, at int, s string) fact {
	f := fact{kind: k, at: at, text: s, form: text.MatchForm(s), least: text.MatchLengthFor(s)}
	runes := []rune(f.form)
	for i := 0; i+f.least <= len(runes); i += f.least {
		f.anchors = append(f.anchors, string(runes[i:i+f.least]))
	}
	return f
}

// name is how a reader knows the fact.
func (f *fact) name() string {
	return cmp.Or(text.Shorten(text.Collapse(f.text), 60), f.id)
}

// carriers gives for each fact the passages that carry it, in order, and how that
// was seen of the first.
func carriers(facts []fact, w assay.Want, passages []assay.Passage) (of [][]assay.Passage, how []string) {
	of, how = make([][]assay.Passage, len(facts)), make([]string, len(facts))
	add := func(i int, p assay.Passage, by string) {
		if of[i] = append(of[i], p); how[i] == "" {
			how[i] = by
		}
	}
	if len(facts) == 0 || len(passages) == 0 {
		return of, how
	}
	if facts[0].kind == document {
		at := make(map[string]int, len(facts))
		for i := range facts {
			at[facts[i].id] = i
		}
		for _, p := range passages {
			i, ok := at[p.Document]
			if p.Document == "" || !ok && (p.Source != "" || strings.ContainsAny(p.Document, `/\`)) {
				// Rankings are deep, and most names are plain ids.
				label, _ := assay.Label(w.Documents, p.Document, p.Source)
				i, ok = at[label]
			}
			if ok && facts[i].bears(p) {
				add(i, p, byID)
			}
		}
		return of, how
	}
	for _, p := range passages {
		form := text.MatchForm(p.Text)
		for i := range facts {
			if by := facts[i].in(p, form); by != "" {
				add(i, p, by)
			}
		}
	}
	return of, how
}

// bears reports whether a passage of the fact's document holds the answer.
func (f *fact) bears(p assay.Passage) bool {
	return len(f.bearing) == 0 || slices.ContainsFunc(f.bearing, p.Same)
}

// in tells how a passage carries the fact; "" when it does not. form is the
// passage's text as it is compared.
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

// tolerance is the share of a labelled passage that a chunk must cover, as in
// passage_recall(match=coverage).
const tolerance = 0.5

// covered reports whether a text covers half of the fact's. A common stretch of
// twice the least length holds an anchor whole; looking for these first spares
// most texts the full comparison.
func (f *fact) covered(form string) bool {
	if len(f.anchors) > 1 && !slices.ContainsFunc(f.anchors, func(a string) bool { return strings.Contains(form, a) }) {
		return false
	}
	return text.Coverage(f.form, []string{form}, f.least) >= tolerance
}
