package stage

import (
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A library looks up facts in the index of a target.
type library struct {
	index assay.Index
	// read fills the fields below when the first text is looked up.
	read  sync.Once
	all   []assay.Passage
	forms []string
	byID  map[string]int
	// cache holds what was looked up: cases share passages.
	cache sync.Map
}

func newLibrary(index assay.Index) *library { return &library{index: index} }

// most is the number of passages to look up for a fact.
const most = 5

// lookup returns the first few passages of the index that carry a fact. ok is false if
// there is no index.
func (l *library) lookup(f *fact) (passages []assay.Passage, ok bool) {
	if l.index == nil {
		return nil, false
	}
	if f.kind == document {
		if len(f.answering) > 0 {
			return f.answering, true
		}
		return l.index.Chunks(f.id), true
	}
	type key struct {
		kind               kind
		id, text, of, form string
	}
	k := key{f.kind, f.id, f.text, f.source.Text, f.form}
	if found, ok := l.cache.Load(k); ok {
		return found.([]assay.Passage), true
	}
	l.read.Do(l.open)
	var out []assay.Passage
	if i, ok := l.byID[f.source.ID]; ok && f.source.ID != "" {
		out = append(out, l.all[i])
	}
	take := func(is func(form string) bool) {
		for i := 0; i < len(l.all) && len(out) < most; i++ {
			if is(l.forms[i]) && !slices.ContainsFunc(out, l.all[i].Same) {
				out = append(out, l.all[i])
			}
		}
	}
	take(f.carriedBy)
	if of := f.quoted(); len(out) == 0 && of != nil && l.reach(of) >= tolerance {
		// Several chunks carry it together.
		take(of.touches)
	}
	l.cache.Store(k, out)
	return out, true
}

// carriedBy reports whether a text, in match form, carries the whole fact.
func (fa *fact) carriedBy(form string) bool {
	switch fa.kind {
	case keyword:
		return fa.mentionedIn(form)
	case answer:
		return fa.mentionedIn(form) && fa.asked.in(form)
	case point:
		return fa.form != "" && says(form, fa.form) || fa.quoted() != nil && fa.quoted().contained(form)
	}
	return fa.contained(form)
}

// mentionedIn reports whether a text has a keyword or a reference answer, whatever it is about.
func (fa *fact) mentionedIn(form string) bool {
	return fa.kind == keyword && fa.phrase.In(form) || fa.kind == answer && mentionsAny(form, fa.answers)
}

// quoted returns the fact whose text is in the corpus: of a point its source; nil if there
// is none.
func (fa *fact) quoted() *fact {
	switch {
	case fa.kind == passage:
		return fa
	case fa.kind == point && fa.source.Text != "":
		source := newFact(passage, 0, fa.source.Text)
		return &source
	}
	return nil
}

// reach returns the share of a text that the passages of the index that share a stretch
// with it cover together; 1 if there is no index.
func (l *library) reach(f *fact) float64 {
	if l.index == nil {
		return 1
	}
	type key struct{ form string }
	if share, ok := l.cache.Load(key{f.form}); ok {
		return share.(float64)
	}
	l.read.Do(l.open)
	var forms []string
	for _, form := range l.forms {
		if f.touches(form) {
			forms = append(forms, form)
		}
	}
	share := text.Coverage(f.form, forms, f.least)
	l.cache.Store(key{f.form}, share)
	return share
}

// chunks returns the chunks of a document; known is false if there is no index.
func (l *library) chunks(document string) (chunks []assay.Passage, known bool) {
	if l.index == nil {
		return nil, false
	}
	return l.index.Chunks(document), true
}

// open reads the whole index.
func (l *library) open() {
	l.byID = map[string]int{}
	for p := range l.index.All() {
		if p.ID != "" {
			l.byID[p.ID] = len(l.all)
		}
		l.all = append(l.all, p)
		l.forms = append(l.forms, formOf(p.Text))
	}
}

// answering returns the chunks of a document that hold a reference answer, else a
// keyword; nil if none or all of them do, or if that is unknown.
func (l *library) answering(document string, w assay.Want) []assay.Passage {
	if l.index == nil || len(w.Answers) == 0 && len(w.Keywords) == 0 {
		return nil
	}
	chunks := l.index.Chunks(document)
	if len(chunks) < 2 {
		return nil
	}
	answers, keywords := referencesOf(w.Answers), phrasesOf(w.Keywords)
	for _, holds := range []func(form string) bool{
		func(form string) bool { return mentionsAny(form, answers) },
		func(form string) bool { return hasAny(form, keywords) },
	} {
		var out []assay.Passage
		for _, c := range chunks {
			if form := formOf(c.Text); strings.TrimSpace(form) != "" && holds(form) {
				out = append(out, c)
			}
		}
		if len(out) == len(chunks) {
			return nil
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}
