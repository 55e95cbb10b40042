package stage

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/rag/index"
)

// The values of [assay.Fact].Match.
const (
	byID = "id"
	// byDocument is the id of the document alone: the passage may be another chunk of it.
	byDocument = "document"
	byText     = "text"
	byCoverage = "coverage"
	byJudge    = "judge"
)

// nearlyAll is the share of a text that is as good as all of it: what is left out is a
// heading, or the end that a chunk boundary cut.
const nearlyAll = 0.9

// A load is what the passages of one stage carry of one fact.
type load struct {
	// whole are the passages that carry the fact, alone or together; part are those that
	// carry some of it, if they do not carry it. match says how.
	whole, part []assay.Passage
	match       string
	// unknown says why a stage may carry the fact that does not show it, see
	// [assay.Attribution].Unknown.
	unknown string
}

func wholly(passages []assay.Passage, match string) load { return load{whole: passages, match: match} }

// carry returns what passages carry of each fact.
func (f *funnel) carry(passages []assay.Passage) []load {
	out := make([]load, len(f.facts))
	if len(f.facts) == 0 || len(passages) == 0 {
		return out
	}
	if f.facts[0].kind == document {
		for i, of := range ofDocuments(f.facts, f.c.Want, passages) {
			if len(of) > 0 {
				out[i] = f.inDocument(i, of)
			} else if slices.ContainsFunc(passages, nameless) {
				out[i].unknown = assay.UnknownNames
			}
			if len(out[i].whole) == 0 {
				if copies := f.copies(i, passages); copies != nil {
					out[i] = wholly(copies, byText)
				}
			}
		}
		return out
	}
	for i := range f.facts {
		if out[i] = f.in(&f.facts[i], passages); len(out[i].whole) == 0 && out[i].unknown == "" {
			out[i].unknown = f.doubt(&f.facts[i], passages, out[i])
		}
	}
	return out
}

// copies returns the passages that have all of the text of a labelled chunk that was retrieved, or of one of the
// labelled document with the answer: another chunk with it, or its parent.
func (f *funnel) copies(i int, passages []assay.Passage) (out []assay.Passage) {
	retrieved, _ := f.view.retrieved()
	for _, q := range retrieved {
		answers := f.seek != nil && f.seek[i].some(f.form(q.Text)) && f.answers(i, q) && ofDocuments(f.facts[i:i+1], f.c.Want, []assay.Passage{q})[0] != nil
		if q.ID != f.facts[i].id && !answers || q.Text == "" {
			continue
		}
		fa := newFact(passage, 0, q.Text)
		for _, p := range passages {
			if fa.contained(f.form(p.Text)) {
				out = append(out, p)
			}
		}
	}
	return out
}

// nameless reports whether nothing says which document a passage is of.
func nameless(p assay.Passage) bool { return p.ID == "" && p.Document == "" && p.Source == "" }

// doubt says why passages may carry a fact that has a text although none of them shows it: some have no text, one says
// something similar, or one has, or may have, the answer that a longer text has.
func (f *funnel) doubt(fa *fact, passages []assay.Passage, l load) string {
	if !fa.short() && !seekIn([]string{fa.form}, f.c.Want).none() {
		others := slices.DeleteFunc(slices.Clone(passages), func(p assay.Passage) bool { return f.ofAnother(fa, f.form(p.Text)) })
		for _, short := range slices.Concat(f.a.factsBy(keyword, f.c), f.a.factsBy(answer, f.c)) {
			if len(f.in(&short, others).whole) > 0 || f.doubt(&short, others, load{}) == assay.UnknownWords {
				return assay.UnknownWords
			}
		}
	}
	for _, p := range passages {
		form := f.form(p.Text)
		switch {
		case form == "" && (fa.source.ID == "" || p.ID == ""):
			return assay.UnknownTexts
		case form == "":
		case fa.short() && (fa.mentionedIn(form) || !fa.valued && fa.inflected(p.Text) ||
			(f.labels(p) || fa.valued && (fa.asked.about(form) || text.Tongue(p.Text) == "")) && fa.restates(form)),
			(len(l.part) == 0 || fa.valued) && fa.resembles(form):
			return assay.UnknownWords
		}
	}
	return ""
}

// labels reports whether a passage is of a labelled document.
func (f *funnel) labels(p assay.Passage) bool {
	_, ok := assay.Label(f.c.Want.Documents, p.ID, p.Document, p.Source)
	return ok
}

// ofDocuments returns the passages of each fact's document.
func ofDocuments(facts []fact, w assay.Want, passages []assay.Passage) [][]assay.Passage {
	of := make([][]assay.Passage, len(facts))
	at := make(map[string]int, len(facts))
	for i := range facts {
		at[facts[i].id] = i
	}
	for _, p := range passages {
		i, ok := at[p.Document]
		if p.Document == "" || !ok && (p.Source != "" || p.ID != "" || strings.ContainsAny(p.Document, `/\%`)) {
			// This is slower: rankings are deep, and most names are plain ids.
			label, _ := assay.Label(w.Documents, p.ID, p.Document, p.Source)
			i, ok = at[label]
		}
		if ok {
			of[i] = append(of[i], p)
		}
	}
	return of
}

// inDocument returns what passages of a document carry: the answer's text if it is
// sought there, else they are there by their names.
func (f *funnel) inDocument(i int, of []assay.Passage) load {
	if f.seek == nil || f.seek[i].none() {
		l := f.named(of)
		l.match = f.byName(i, of)
		return l
	}
	var have, bare []assay.Passage
	var forms []string
	out := load{part: of}
	for _, p := range of {
		switch form := f.form(p.Text); {
		case form == "":
			if known := f.facts[i].answering; len(known) == 0 || slices.ContainsFunc(known, p.Same) {
				bare = append(bare, p)
			}
		case !f.seek[i].some(form):
		case f.answers(i, p):
			have, forms = append(have, p), append(forms, form)
		default:
			out.unknown = assay.UnknownWords
		}
	}
	switch {
	case f.seek[i].all(forms):
		return wholly(have, byText)
	case len(bare) > 0:
		// Only the names of these passages are known.
		return wholly(bare, f.byName(i, bare))
	}
	return out
}

// byName returns how passages of a document match it: by the document alone, if other
// chunks of it may be meant.
func (f *funnel) byName(i int, of []assay.Passage) string {
	fa := &f.facts[i]
	if slices.ContainsFunc(of, func(p assay.Passage) bool { return p.ID == fa.id }) || len(fa.answering) > 0 {
		return byID
	}
	if chunks, known := f.a.library.chunks(fa.id); known {
		if len(chunks) > len(of) {
			return byDocument
		}
		return byID
	}
	// A longer id than the label's is that of a chunk, and a text without the answer's words may be one.
	short := func(r reference) bool { return findable(r.form) && !isLong(r.form) }
	sought := len(f.c.Want.Keywords) > 0 || slices.ContainsFunc(referencesOf(f.c.Want.Answers), short)
	part := func(p assay.Passage) bool {
		return p.ID != "" && p.Document == "" && p.Source == "" || p.Text != "" && sought
	}
	if f.chunked() || slices.ContainsFunc(of, part) {
		return byDocument
	}
	return byID
}

// fewestWhole is the number of documents that a response names by their first chunks alone, without texts, from
// which on they have no others: of longer documents, others would be among them.
const fewestWhole = 5

// chunked reports whether the passages of the response are chunks of documents, as far as
// their names show. One that names a file as its source may be any part of it.
func (f *funnel) chunked() bool {
	if f.chunks == 0 {
		f.chunks = -1
		retrieved, _ := f.view.retrieved()
		first, numbered := map[string]assay.Passage{}, false
		for _, p := range slices.Concat(retrieved, f.view.kept) {
			q, seen := first[p.Document]
			beginning := p.Text == "" && p.ID == p.Document+"#0"
			if p.Index > 0 || p.Document == "" && p.Source != "" || p.ID != "" && p.Document != "" && p.ID != p.Document && !beginning ||
				p.Document != "" && seen && !p.Same(q) {
				f.chunks = 1
			}
			first[p.Document], numbered = p, numbered || beginning
		}
		if numbered && len(first) < fewestWhole {
			f.chunks = 1
		}
	}
	return f.chunks > 0
}

// named returns what passages carry of a fact that is known by their names alone. A
// passage that was cut since it was retrieved is part of it.
func (f *funnel) named(of []assay.Passage) load {
	if uncut := slices.DeleteFunc(slices.Clone(of), f.cut); len(uncut) > 0 {
		return wholly(uncut, byID)
	}
	return load{part: of, match: byID}
}

// cut reports whether a passage lacks text that it had when it was retrieved.
func (f *funnel) cut(p assay.Passage) bool {
	if p.Text == "" {
		return false
	}
	retrieved, _ := f.view.retrieved()
	for _, q := range retrieved {
		if q.Text != p.Text && len(q.Text) > 0 && q.Same(p) {
			form, left := f.form(q.Text), f.form(p.Text)
			least := text.MatchLengthFor(form)
			// A text that says something twice covers itself when the second is cut.
			return utf8.RuneCountInString(form) >= least && (text.Coverage(form, []string{left}, least) < nearlyAll ||
				float64(len(left)) < nearlyAll*float64(len(form)))
		}
	}
	return false
}

// in returns what passages carry of a fact that has a text.
func (f *funnel) in(fa *fact, passages []assay.Passage) load {
	switch fa.kind {
	case keyword:
		return f.saying(passages, func(p assay.Passage) bool {
			return fa.phrase.In(f.form(p.Text)) && (len(f.facts) > 1 || f.tells(fa, p))
		})
	case answer:
		return f.saying(passages, func(p assay.Passage) bool { return fa.carriedBy(f.form(p.Text)) && f.tells(fa, p) })
	case point:
		return f.ofPoint(fa, passages)
	}
	return f.ofText(fa, passages)
}

// tells reports whether a passage has a short fact of what the question asks.
func (f *funnel) tells(fa *fact, p assay.Passage) bool {
	return fa.about(f.form(p.Text)) && fa.asked.tells(f.ownOf(fa, p), p.Text, fa.mentionedIn, leastTold) && f.specific(fa, p)
}

// specific reports whether a passage has a word of the question that no other retrieved document has, or all of them: others
// say the same of something else, as each page of a product its fee.
func (f *funnel) specific(fa *fact, p assay.Passage) bool {
	retrieved, _ := f.view.retrieved()
	name := func(q assay.Passage) string { return cmp.Or(q.Document, q.Source, q.ID, q.Text) }
	has, elsewhere := f.terms(p), map[string]bool{}
	for _, q := range slices.Concat(retrieved, f.view.kept) {
		if name(q) != name(p) && q.Text != p.Text {
			maps.Copy(elsewhere, f.terms(q))
		}
	}
	return fa.asked.han != (text.ShareCJK(p.Text) > 0.5) || share(fa.asked.terms, has) == 1 || slices.ContainsFunc(fa.asked.terms, func(t string) bool { return has[t] && !elsewhere[t] })
}

// answers reports whether a passage of a labelled document, which has what is sought of it, is the labelled one, the only
// one of the index, or about the question: of several documents, each answers a part of it.
func (f *funnel) answers(i int, p assay.Passage) bool {
	fa, least := &f.facts[i], leastTold
	if len(f.facts) > 1 {
		least = math.SmallestNonzeroFloat64
	}
	return p.ID == fa.id || f.a.library.index != nil && len(fa.answering) < 2 || fa.asked.tells(f.ownOf(fa, p), p.Text, f.seek[i].some, least)
}

// ownOf returns the words of the question beside its names and what the document of a passage is about, which half of its
// other passages have.
func (f *funnel) ownOf(fa *fact, p assay.Passage) []string {
	own := fa.asked.own()
	retrieved, _ := f.view.retrieved()
	seen, others, count := map[string]bool{f.form(p.Text): true}, 0, map[string]int{}
	for _, q := range slices.Concat(retrieved, f.view.kept) {
		if form := f.form(q.Text); p.Document != "" && q.Document == p.Document && !seen[form] {
			seen[form] = true
			others++
			for t := range f.terms(q) {
				count[t]++
			}
		}
	}
	if rest := slices.DeleteFunc(slices.Clone(own), func(t string) bool { return 2*count[t] >= others }); others > 0 && len(rest) > 0 {
		return rest
	}
	return own
}

// saying returns the passages that are as wanted.
func (f *funnel) saying(passages []assay.Passage, is func(p assay.Passage) bool) load {
	var out load
	for _, p := range passages {
		if is(p) {
			out.whole, out.match = append(out.whole, p), byText
		}
	}
	return out
}

// ofPoint returns what passages carry of a point: they make it, or they are those that it
// was taken from.
func (f *funnel) ofPoint(fa *fact, passages []assay.Passage) load {
	makes := func(form string) bool { return fa.form != "" && says(form, fa.form) }
	if out := f.saying(passages, func(p assay.Passage) bool { return makes(f.form(p.Text)) }); len(out.whole) > 0 {
		return out
	}
	if fa.source.Text != "" {
		source := newFact(passage, 0, fa.source.Text)
		out := f.ofText(&source, passages)
		if len(out.whole) > 0 && makes(source.form) {
			// Nearly all of the source, without what makes the point.
			out.whole, out.part, out.match = nil, out.whole, ""
		}
		if len(out.whole) > 0 || len(out.part) > 0 {
			return out
		}
	}
	var of []assay.Passage
	for _, p := range passages {
		if fa.source.ID != "" && fa.source.ID == p.ID {
			of = append(of, p)
		}
	}
	if len(of) == 0 || fa.source.Text != "" && slices.ContainsFunc(of, func(p assay.Passage) bool { return p.Text != "" }) {
		return load{part: of}
	}
	return f.named(of)
}

// ofText returns what passages carry of a labelled text: nearly all of it must be in one
// passage or in several together. If it holds the reference answer, or keywords, these
// beside a stretch of the text are enough, and must be in what the passages have of it.
func (f *funnel) ofText(fa *fact, passages []assay.Passage) load {
	var alone, some []assay.Passage
	for _, p := range passages {
		form := f.form(p.Text)
		switch {
		case fa.contained(form):
			alone = append(alone, p)
		case fa.touches(form), fa.resembles(form):
			some = append(some, p)
		}
	}
	if len(alone) > 0 {
		return wholly(alone, byText)
	}
	if len(some) == 0 {
		return load{}
	}
	sought := seekIn([]string{fa.form}, f.c.Want)
	if !sought.none() {
		// A text with the same number may be about something else.
		have := slices.DeleteFunc(slices.Clone(some), func(p assay.Passage) bool {
			form := f.form(p.Text)
			return !sought.some(form) || !fa.about(form) && !fa.quotes(form)
		})
		if forms := f.formsOf(have); sought.all(forms) {
			if sought.all(f.formsOf(slices.DeleteFunc(slices.Clone(have), func(p assay.Passage) bool { return f.apart(fa, sought, f.form(p.Text)) }))) {
				return wholly(have, byText)
			}
			return load{part: have, unknown: assay.UnknownWords}
		}
		rest := f.unaltered(fa, together(some))
		if parts := f.formsOf(rest); text.Coverage(fa.form, parts, fa.least) >= nearlyAll*f.a.library.reach(fa) &&
			sought.all([]string{strings.ReplaceAll(text.Covered(fa.form, parts, fa.least), "\n", " ")}) {
			return wholly(rest, byCoverage)
		}
	}
	some = together(some)
	rest := f.unaltered(fa, some)
	forms := f.formsOf(rest)
	covered := text.Coverage(fa.form, forms, fa.least)
	switch {
	case sought.none() && covered >= nearlyAll*f.a.library.reach(fa) && (f.a.library.index != nil || hasValues(nil, strings.Join(forms, " "), fa.form)):
		return wholly(rest, byCoverage)
	case slices.ContainsFunc(some, func(p assay.Passage) bool { return f.altered(fa, f.form(p.Text)) && !f.other(fa, f.form(p.Text)) }):
		return load{part: some, match: byCoverage, unknown: assay.UnknownWords}
	case covered >= tolerance || len(rest) < len(some):
		return load{part: some, match: byCoverage}
	}
	return load{}
}

// other reports whether a text says something else of something else than the question names: it is not the labelled one.
func (f *funnel) other(fa *fact, form string) bool {
	has := termSet(form)
	return !fa.asked.han && f.lacks(fa, fa.asked.terms, form) && slices.ContainsFunc(index.Terms(fa.form), func(t string) bool {
		return !has[t] && !slices.Contains(fa.asked.terms, t)
	})
}

// unaltered returns the passages that are not a labelled text with other words.
func (f *funnel) unaltered(fa *fact, passages []assay.Passage) []assay.Passage {
	return slices.DeleteFunc(slices.Clone(passages), func(p assay.Passage) bool { return f.altered(fa, f.form(p.Text)) })
}

// altered reports whether a text, in match form, is nearly a labelled one and has other words or numbers in its place:
// another version of it, or what says the same of something else. The index may have no other.
func (f *funnel) altered(fa *fact, form string) bool {
	covered := text.Coverage(fa.form, []string{form}, fa.least)
	return covered >= tolerance && fa.parts(form) && (f.a.library.index == nil || covered < f.a.library.reach(fa))
}

// parts reports whether a text and the fact's go on with other words where their longest common stretch begins or
// ends. Where only one goes on, the other was cut.
func (fa *fact) parts(form string) bool {
	longest := slices.MaxFunc(strings.Split(text.Covered(fa.form, []string{form}, fa.least), "\n"), func(a, b string) int { return len(a) - len(b) })
	before, after, _ := strings.Cut(fa.form, longest)
	left, right, has := strings.Cut(form, longest)
	has = has && longest != ""
	both := func(a, b string) bool { return len(words(a)) > 0 && len(words(b)) > 0 }
	return !has || both(before, left) || both(after, right)
}

// apart reports whether a text with the answer may say it of something else, or something else: it is not the labelled
// one, and lacks a word of it that the question or the answer has, or denies it.
func (f *funnel) apart(fa *fact, sought seek, form string) bool {
	terms := slices.Clone(fa.asked.terms)
	for _, r := range sought.answers {
		terms = slices.AppendSeq(terms, maps.Keys(termSet(r.form)))
	}
	denied := func(form string) bool { return slices.ContainsFunc(text.Folded(form), denies) }
	return fa.parts(form) && (denied(form) != denied(fa.form) || f.lacks(fa, terms, form))
}

// lacks reports whether a text lacks one of some terms that the labelled one has. Of one letter of the question the
// word before counts too: "site A".
func (f *funnel) lacks(fa *fact, terms []string, form string) bool {
	of, has := termSet(fa.form), termSet(form)
	lacks := slices.ContainsFunc(terms, func(t string) bool { return of[t] && !has[t] })
	for asked, i := words(f.form(f.c.Question)), 1; i < len(asked); i++ {
		pair := asked[i-1] + " " + asked[i]
		lacks = lacks || utf8.RuneCountInString(asked[i]) == 1 && text.HasWord(fa.form, pair) && !text.HasWord(form, pair)
	}
	return lacks
}

// quotes reports whether a text is nearly all of the fact's, or half of it and names nothing
// else: a chunk may begin after the name.
func (fa *fact) quotes(form string) bool {
	covered := text.Coverage(fa.form, []string{form}, fa.least)
	return covered >= nearlyAll ||
		covered >= tolerance && !fa.asked.namedPartly(form)
}

// together returns the passages of the document that has most of them: texts of several
// documents do not make up one.
func together(passages []assay.Passage) (out []assay.Passage) {
	of := map[string][]assay.Passage{}
	for _, p := range passages {
		name := cmp.Or(p.Document, p.Source)
		if of[name] = append(of[name], p); len(of[name]) > len(out) {
			out = of[name]
		}
	}
	return out
}

// contained reports whether a text, in match form, contains the fact's.
func (fa *fact) contained(form string) bool {
	return len(form) >= len(fa.form) && text.Contains(form, fa.form, fa.least)
}

// touches reports whether a text shares a stretch with the fact's. A common stretch of
// twice the least length contains a whole anchor; shorter ones count only if the fact is
// no longer than that.
func (fa *fact) touches(form string) bool {
	if len(fa.anchors) > 1 {
		return slices.ContainsFunc(fa.anchors, func(a string) bool { return strings.Contains(form, a) })
	}
	return text.Coverage(fa.form, []string{form}, fa.least) > 0
}

func (f *funnel) formsOf(passages []assay.Passage) (forms []string) {
	for _, p := range passages {
		forms = append(forms, f.form(p.Text))
	}
	return forms
}

// terms returns the set of the terms of a passage.
func (f *funnel) terms(p assay.Passage) map[string]bool {
	set, ok := f.sets[p.Text]
	if !ok {
		set = termSet(f.form(p.Text))
		f.sets[p.Text] = set
	}
	return set
}

// form returns the match form of a text.
func (f *funnel) form(s string) string {
	if s == "" {
		return ""
	}
	form, ok := f.forms[s]
	if !ok {
		if f.forms == nil {
			f.forms = map[string]string{}
		}
		form = formOf(s)
		f.forms[s] = form
	}
	return form
}
