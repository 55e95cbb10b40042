package stage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// The thresholds for whether a text paraphrases a statement. They are set by judgement and
// used only where no judge was asked.
const (
	// mostWords is the share of a statement's words that the text must have.
	mostWords = 0.75
	// mostRunes is the same for the characters of a Chinese statement, in stretches of
	// three.
	mostRunes = 0.7
	// shortReference is the number of tokens up to which a reference answer must be in
	// the text word for word; a longer one is a statement.
	shortReference = 12
)

// says reports whether a text makes a statement, both in match form: whether it has most of
// its words, and all of its values.
func says(form, statement string) bool { return saysBy(nil, form, statement) }

// formOf returns the form in which texts of stages are compared with labels and each other.
func formOf(s string) string { return text.MatchForm(text.Rendered(s)) }

// saysBy is [says] with the folded forms of texts that are compared several times.
func saysBy(f folds, form, statement string) bool {
	if strings.Contains(form, statement) {
		return true
	}
	if text.ShareCJK(statement) > 0.5 {
		return text.Coverage(statement, []string{form}, 3) >= mostRunes && hasValues(f, form, statement)
	}
	share, some := wordShare(form, statement)
	return some && share >= mostWords && hasValues(f, form, statement)
}

// wordShare returns the share of a statement's longer words that a text has; ok is false
// if the statement has neither these nor a number.
func wordShare(form, statement string) (share float64, ok bool) {
	said := words(form)
	has := make(map[string]bool, len(said))
	for _, w := range said {
		has[w] = true
	}
	all, found := 0, 0
	for _, w := range words(statement) {
		// Short words are mostly function words. Numbers are compared by their values.
		number := text.IsNumber(w)
		if !number && utf8.RuneCountInString(w) < 4 {
			continue
		}
		if all++; number || has[w] {
			found++
		}
	}
	if all == 0 {
		return 0, false
	}
	return float64(found) / float64(all), true
}

// hasValues reports whether a text has all numbers and dates of another, in whatever
// spelling.
func hasValues(f folds, form, of string) bool {
	want := valuesOf(f.of(of))
	if len(want) == 0 {
		return true
	}
	has := valuesOf(f.of(form))
	return !slices.ContainsFunc(want, func(w text.Value) bool {
		return !slices.ContainsFunc(has, func(v text.Value) bool { return v.States(w) })
	})
}

// A reference is a reference answer that is looked for in texts: a long one is a statement,
// which a text makes in its own words.
type reference struct {
	form   string
	phrase text.Phrase
}

func referenceOf(answer string) reference {
	r := reference{form: strings.TrimRight(formOf(answer), ".。!！?？ ")}
	if !isLong(r.form) && !strings.Contains(r.form, "|") {
		r.phrase = text.NewPhrase(r.form)
	}
	return r
}

func referencesOf(answers []string) []reference {
	var out []reference
	for _, a := range answers {
		out = append(out, referenceOf(a))
	}
	return out
}

// in reports whether a text, in match form, contains the reference answer.
func (r reference) in(form string) bool { return r.isIn(form, nil) }

// isIn is in with the folded forms of texts that are compared several times.
func (r reference) isIn(form string, f folds) bool {
	switch {
	case r.form == "":
		return false
	case isLong(r.form):
		return saysBy(f, form, r.form)
	case r.phrase.String() == "":
		return strings.Contains(form, r.form)
	}
	return r.phrase.In(form)
}

// isLong reports whether a reference answer is a statement, which an answer makes in its
// own words.
func isLong(reference string) bool {
	if text.ShareCJK(reference) > 0.5 {
		return utf8.RuneCountInString(reference) > 2*shortReference
	}
	return len(text.Tokens(reference)) > shortReference
}

func mentionsAny(form string, answers []reference) bool {
	return slices.ContainsFunc(answers, func(a reference) bool { return a.in(form) })
}

func phrasesOf(keywords []string) []text.Phrase {
	var out []text.Phrase
	for _, k := range keywords {
		out = append(out, text.NewPhrase(text.Rendered(k)))
	}
	return out
}

func hasAny(form string, keywords []text.Phrase) bool {
	return slices.ContainsFunc(keywords, func(k text.Phrase) bool { return k.In(form) })
}

func hasAll(form string, keywords []text.Phrase) bool {
	return !slices.ContainsFunc(keywords, func(k text.Phrase) bool { return !k.In(form) })
}

// words returns the tokens of a text without the punctuation at their ends.
func words(s string) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		if t = strings.TrimFunc(t, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }); t != "" {
			out = append(out, t)
		}
	}
	return out
}
