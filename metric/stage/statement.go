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
// its words, and all of its numbers.
func says(form, statement string) bool {
	if strings.Contains(form, statement) {
		return true
	}
	for _, n := range text.Numbers(statement) {
		if !slices.ContainsFunc(text.Numbers(form), func(m text.Number) bool { return m.Key == n.Key }) {
			return false
		}
	}
	if text.ShareCJK(statement) > 0.5 {
		return text.Coverage(statement, []string{form}, 3) >= mostRunes
	}
	has := map[string]bool{}
	for _, w := range words(form) {
		has[w] = true
	}
	all, found := 0, 0
	for _, w := range words(statement) {
		// Short words are mostly function words.
		if utf8.RuneCountInString(w) < 4 && !strings.ContainsFunc(w, unicode.IsDigit) {
			continue
		}
		if all++; has[w] {
			found++
		}
	}
	return all > 0 && float64(found) >= mostWords*float64(all)
}

// mentions reports whether an answer, in match form, contains a reference answer.
func mentions(form, reference string) bool {
	ref := strings.TrimRight(text.MatchForm(reference), ".。!！?？ ")
	long := len(text.Tokens(ref)) > shortReference
	if text.ShareCJK(ref) > 0.5 {
		long = utf8.RuneCountInString(ref) > 2*shortReference
	}
	switch {
	case ref == "":
		return false
	case long:
		return says(form, ref)
	case strings.Contains(ref, "|"):
		return strings.Contains(form, ref)
	}
	return text.HasKeyword(form, ref)
}

func mentionsAny(form string, answers []string) bool {
	return slices.ContainsFunc(answers, func(a string) bool { return mentions(form, a) })
}

func hasAny(form string, keywords []string) bool {
	return slices.ContainsFunc(keywords, func(k string) bool { return text.HasKeyword(form, k) })
}

func hasAll(form string, keywords []string) bool {
	return !slices.ContainsFunc(keywords, func(k string) bool { return !text.HasKeyword(form, k) })
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
