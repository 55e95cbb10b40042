package stage

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/judge/offline"
)

// A seek is the text of a case's answer within a document or a passage: one of the
// reference answers, else each of the keywords. The zero value seeks nothing.
type seek struct {
	answers  []reference
	keywords []text.Phrase
}

// seekIn returns which of the case's labels the texts of a document or a passage, in
// match form, hold. Answers that any text may hold by chance, such as "yes", are not
// sought.
func seekIn(forms []string, w assay.Want) seek {
	var s seek
	for _, a := range w.Answers {
		if r := referenceOf(a); findable(a) && slices.ContainsFunc(forms, r.in) {
			s.answers = append(s.answers, r)
		}
	}
	if s.answers != nil {
		return s
	}
	for _, k := range w.Keywords {
		if p := text.NewPhrase(text.Rendered(k)); slices.ContainsFunc(forms, p.In) {
			s.keywords = append(s.keywords, p)
		}
	}
	return s
}

// verdicts are answers that are not in a document word for word, or in every one.
var verdicts = []string{
	"yes", "no", "true", "false", "none", "unknown", "both", "neither",
	"是", "否", "不是", "有", "沒有", "没有", "對", "对", "错", "錯",
}

// findable reports whether a reference answer can be looked for by its words.
func findable(answer string) bool {
	form := strings.Trim(formOf(answer), " .。!！")
	return form != "" && !slices.Contains(verdicts, form) && !offline.Refuses("", answer)
}

func (s seek) none() bool { return len(s.answers) == 0 && len(s.keywords) == 0 }

// some reports whether a text holds some of what is sought.
func (s seek) some(form string) bool { return mentionsAny(form, s.answers) || hasAny(form, s.keywords) }

// all reports whether texts hold together what is sought.
func (s seek) all(forms []string) bool {
	if len(s.answers) > 0 {
		return slices.ContainsFunc(forms, func(form string) bool { return mentionsAny(form, s.answers) })
	}
	return len(forms) > 0 && !slices.ContainsFunc(s.keywords, func(k text.Phrase) bool { return !slices.ContainsFunc(forms, k.In) })
}

// seeks returns what is sought of each fact that is a document: in its chunks in the
// index, else in those of its passages that the response has.
func (f *funnel) seeks() []seek {
	w := f.c.Want
	if len(f.facts) == 0 || f.facts[0].kind != document || len(w.Answers) == 0 && len(w.Keywords) == 0 {
		return nil
	}
	out := make([]seek, len(f.facts))
	for i := range f.facts {
		out[i] = seekIn(f.texts(i), w)
	}
	return out
}

// texts returns what is known of a labelled passage or document, in match form: the document's chunks in the index,
// else those of its passages that the response has.
func (f *funnel) texts(i int) []string {
	if f.facts[i].kind != document {
		return []string{f.facts[i].form}
	}
	chunks, known := f.a.library.chunks(f.facts[i].id)
	if !known {
		if f.seen == nil {
			retrieved, _ := f.view.retrieved()
			f.seen = ofDocuments(f.facts, f.c.Want, slices.Concat(retrieved, f.r.Passages, f.view.kept, f.view.prompt))
		}
		chunks = f.seen[i]
	}
	return f.formsOf(chunks)
}

// An asked is a question. A text that holds a reference answer may hold it by chance, unless
// it is about the question too.
type asked struct {
	terms []string
	// names are its words with a capital, but for the first; parts are those side by side, as one.
	names, parts []string
	han          bool
}

// leastAsked is the share of a question's words from which a text is about it. Of texts
// with a reference answer by chance, it leaves out about half, and none of the right ones
// (docs/results/attribution.md).
const leastAsked = 0.3

var capitals = lazyregexp.New(`(?:^|[^\pL\pN])(\p{Lu}[\pL\pN]*(?:[ '’-]\p{Lu}[\pL\pN]*)*)`)

// between reports whether a rune is part of no word.
func between(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func newAsked(question string) asked {
	a := asked{han: text.ShareCJK(question) > 0.5}
	tongue := text.Tongue(question)
	said := slices.DeleteFunc(strings.Fields(formOf(question)), func(w string) bool { return text.Grammatical(w, tongue) })
	for t := range termSet(strings.Join(said, " ")) {
		if !slices.Contains(asking(), t) {
			a.terms = append(a.terms, t)
		}
	}
	_, rest, _ := strings.Cut(strings.TrimSpace(question), " ")
	for _, m := range capitals().FindAllStringSubmatch(rest, -1) {
		if utf8.RuneCountInString(m[1]) > 1 {
			a.parts = append(a.parts, formOf(m[1]))
			a.names = append(a.names, strings.FieldsFunc(formOf(m[1]), between)...)
		}
	}
	return a
}

// about reports whether a text with the fact is about what the question names: all of it for
// numbers and dates, which are in other texts by chance, and for a choice, else some.
func (fa *fact) about(form string) bool {
	return fa.asked.named(form) || !fa.valued && !fa.chosen && fa.asked.namedPartly(form)
}

func (a asked) namedPartly(form string) bool {
	return slices.ContainsFunc(a.names, func(n string) bool { return strings.Contains(form, n) })
}

// named reports whether a text has all that the question names.
func (a asked) named(form string) bool {
	return !slices.ContainsFunc(a.names, func(n string) bool { return !strings.Contains(form, n) })
}

// leastAlike is the share of a statement's words, without those of the question, from which
// a text may say the same in other words.
const leastAlike = 1.0 / 3

// resembles reports whether a text that names what the question names may have the fact in
// other words: it has all its numbers and dates, or some of the words that the question does
// not have.
func (fa *fact) resembles(form string) bool {
	switch {
	case len(fa.asked.terms) == 0 || !fa.asked.in(form):
		return false
	case !fa.asked.named(form):
		return false
	case fa.valued:
		return hasValues(nil, form, fa.form)
	}
	of, has, n, all := termSet(fa.form), termSet(form), 0, 0
	for t := range of {
		if slices.Contains(fa.asked.terms, t) || slices.Contains(asking(), t) {
			continue
		}
		if all++; has[t] {
			n++
		}
	}
	return n > 0 && float64(n) >= leastAlike*float64(all)
}

// short reports whether the fact is a reference answer or a keyword, not a longer text.
func (fa *fact) short() bool { return fa.kind == keyword || fa.kind == answer }

var numbers = lazyregexp.New(`\d+(?:[.,' ]\d+)*`)

// digits returns the [significant] digits of the numbers in a text in match form, of their parts and values.
func digits(form string) map[string]bool {
	has := map[string]bool{}
	for _, n := range numbers().FindAllString(form, -1) {
		has[significant(n)] = true
		for _, run := range runs(n) {
			has[significant(run)] = true
		}
	}
	for _, v := range valuesOf(text.Folded(form)) {
		if v.Date.Month == 0 {
			has[significant(strconv.FormatFloat(math.Abs(v.Amount), 'f', -1, 64))] = true
		}
	}
	return has
}

// wordedIn reports whether a text has what the fact counts without a number before it: the number may be in
// words of a language in which they are not read.
func (fa *fact) wordedIn(form string) bool {
	if l := text.Language(form); !fa.valued || l == "en" || l == "zh" {
		return false
	}
	counted := strings.FieldsFunc(fa.form, func(r rune) bool { return !unicode.IsLetter(r) })
	counted = slices.DeleteFunc(counted, func(w string) bool { return utf8.RuneCountInString(w) < 2 })
	of := strings.FieldsFunc(form, between)
	return len(counted) > 0 && !slices.ContainsFunc(counted, func(w string) bool {
		at := slices.Index(of, w)
		return at < 0 || at > 0 && text.HasDigits(of[at-1])
	})
}

// inflected reports whether a text has the words of a reference with other endings: "Krakowie" for Kraków.
// Short words without a capital may be articles.
func (fa *fact) inflected(s string) bool {
	some, capitals := false, strings.ContainsFunc(s, unicode.IsUpper)
	upper := func(w string) bool { return capitals && unicode.IsUpper([]rune(w)[0]) }
	of := strings.FieldsFunc(s, between)
	return !slices.ContainsFunc(strings.FieldsFunc(fa.text, between), func(w string) bool {
		if utf8.RuneCountInString(w) < 4 && !upper(w) {
			return false
		}
		some = true
		form := letters(w)
		return !slices.ContainsFunc(of, func(t string) bool {
			if upper(w) && !upper(t) || t[0] < utf8.RuneSelf && unicode.ToLower(rune(t[0])) != form[0] {
				return false
			}
			n, other := 0, letters(t)
			for n < min(len(form), len(other)) && form[n] == other[n] {
				n++
			}
			return 2*n > len(other) && (n > 3 && 4*n >= 3*len(form) || n > 2 && upper(w) && 5*n >= 3*len(form))
		})
	}) && some
}

// letters returns the letters of a word without accents.
func letters(w string) []rune {
	return slices.DeleteFunc([]rune(norm.NFD.String(strings.ToLower(w))), func(r rune) bool { return unicode.Is(unicode.Mn, r) })
}

// restates reports whether a passage, in match form, may have the fact in another notation: the digits of
// all its numbers ("3,200" of 3.2 million) but the month of a date, an abbreviation of one of its
// words, or their initials.
func (fa *fact) restates(form string) bool {
	if of := numbers().FindAllString(formOf(fa.text), -1); len(of) > 0 {
		has, all, missed := digits(form), 0, 0
		for _, n := range of {
			for _, run := range runs(n) {
				if all++; !has[significant(n)] && !has[significant(run)] {
					missed++
				}
			}
		}
		return missed == 0 || missed == 1 && all > 2
	}
	of, initials := words(fa.form), ""
	for _, w := range of {
		initials += string([]rune(w)[:1])
	}
	return slices.ContainsFunc(strings.FieldsFunc(form, between), func(t string) bool {
		short := func(w string) bool { return strings.HasPrefix(w, t) && !slices.Contains(fa.asked.terms, w) }
		return len(of) > 1 && t == initials || utf8.RuneCountInString(t) > 2 && slices.ContainsFunc(of, short)
	})
}

func runs(number string) []string {
	return strings.FieldsFunc(number, between)
}

// significant returns the digits of a number that its unit does not change. One or two zeros at the end
// of a single digit stay: 10 and 100 are too frequent.
func significant(number string) string {
	all := strings.TrimLeft(strings.Join(runs(number), ""), "0")
	if short := strings.TrimRight(all, "0"); len(short) > 1 || len(all)-len(short) > 2 {
		return short
	}
	return all
}

// leastTold is the share of a question's words beside its names from which a sentence with an answer is about it.
const leastTold = 0.25

// tells reports whether a sentence that has an answer, with the one before and its headings, has enough of the
// question's own words: another one has it by chance, as the date of something else.
func (a asked) tells(own []string, s string, has func(form string) bool, least float64) bool {
	before := ""
	return a.han != (text.ShareCJK(s) > 0.5) || slices.ContainsFunc(text.Sentences(s), func(span text.Span) bool {
		one, last := span.Of(s), before
		if before = one; !strings.ContainsAny(last, ".!?。！？") {
			before = last + " " + one
		}
		return has(formOf(one)) && share(own, termSet(last+" "+one)) >= least
	})
}

// own returns the words of the question beside its names, in the form of [index.Terms].
func (a asked) own() []string {
	names := termSet(strings.Join(a.names, " "))
	return slices.DeleteFunc(slices.Clone(a.terms), func(t string) bool { return names[t] })
}

// about reports whether a text, in match form, is about what the question asks: it has some of its names as a
// whole, and a sentence of it enough of the other words. Whatever is asked may follow from it.
func (a asked) about(form string) bool {
	own := a.own()
	part := func(name string) bool { return strings.Contains(form, name) }
	return len(a.terms) > 0 && (len(a.parts) == 0 || slices.ContainsFunc(a.parts, part)) &&
		slices.ContainsFunc(text.Sentences(form), func(s text.Span) bool { return share(own, termSet(s.Of(form))) >= leastAsked })
}

// touches reports whether a text, in match form, has a word of the question, as far as its words are known.
func (a asked) touches(form string) bool {
	return form == "" || len(a.terms) == 0 || share(a.terms, termSet(form)) > 0
}

// share is that of terms which a text has; 1 if there are none.
func share(terms []string, has map[string]bool) float64 {
	if len(terms) == 0 {
		return 1
	}
	n := 0
	for _, t := range terms {
		if has[t] {
			n++
		}
	}
	return float64(n) / float64(len(terms))
}

// in reports whether a text, in match form, is about the question, as far as its language
// shows that.
func (a asked) in(form string) bool {
	if a.han != (text.ShareCJK(form) > 0.5) {
		return true
	}
	return share(a.terms, termSet(form)) >= leastAsked
}
