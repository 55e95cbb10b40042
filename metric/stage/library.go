package stage

import (
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A library looks facts up in what a target can find at all.
type library struct {
	index assay.Index
	// read fills what follows, at the first fact that only its text tells.
	read  sync.Once
	all   []assay.Passage
	forms []string
	byID  map[string]int
	// known remembers what was looked up: cases share passages.
	known sync.Map
}

func newLibrary(index assay.Index) *library { return &library{index: index} }

// most is how many passages that carry a fact are looked for.
const most = 5

// holding gives the first few passages of the index that carry a fact. told is
// false when there is no index to ask.
func (l *library) holding(f *fact) (passages []assay.Passage, told bool) {
	if l.index == nil {
		return nil, false
	}
	if f.kind == document {
		if len(f.bearing) > 0 {
			return f.bearing, true
		}
		return l.index.Chunks(f.id), true
	}
	type key struct {
		kind         kind
		id, text, of string
	}
	k := key{f.kind, f.id, f.text, f.source.Text}
	if found, ok := l.known.Load(k); ok {
		return found.([]assay.Passage), true
	}
	l.read.Do(l.open)
	var out []assay.Passage
	if i, ok := l.byID[f.source.ID]; ok && f.source.ID != "" {
		out = append(out, l.all[i])
	}
	for i := 0; i < len(l.all) && len(out) < most; i++ {
		if f.in(l.all[i], l.forms[i]) != "" && !slices.ContainsFunc(out, l.all[i].Same) {
			out = append(out, l.all[i])
		}
	}
	l.known.Store(k, out)
	return out, true
}

// open reads the whole index.
func (l *library) open() {
	l.byID = map[string]int{}
	for p := range l.index.All() {
		if p.ID != "" {
			l.byID[p.ID] = len(l.all)
		}
		l.all = append(l.all, p)
		l.forms = append(l.forms, text.MatchForm(p.Text))
	}
}

// bearing gives the chunks of a document that hold a reference answer, else a
// keyword; nil when none or all of them do, or nobody knows.
func (l *library) bearing(document string, w assay.Want) []assay.Passage {
	if l.index == nil || len(w.Answers) == 0 && len(w.Keywords) == 0 {
		return nil
	}
	chunks := l.index.Chunks(document)
	if len(chunks) < 2 {
		return nil
	}
	for _, holds := range []func(form string) bool{
		func(form string) bool {
			return slices.ContainsFunc(w.Answers, func(a string) bool { return mentions(form, a) })
		},
		func(form string) bool {
			return slices.ContainsFunc(w.Keywords, func(k string) bool { return text.HasKeyword(form, k) })
		},
	} {
		var out []assay.Passage
		for _, c := range chunks {
			if form := text.MatchForm(c.Text); strings.TrimSpace(form) != "" && holds(form) {
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
