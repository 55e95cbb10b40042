package stage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

// The measures of whether a text says something in words of its own. They are
// judgements, used only where no judge was asked.
const (
	// mostWords is the share of a statement's words that must be there.
	mostWords = 0.75
	// mostRunes is that of the characters of a Chinese one, in stretches of
	// three.
	mostRunes = 0.7
	// shortReference is the most tokens of a reference answer that must stand
	// word for word; a longer one is a statement.
	shortReference = 12
)

// says reports whether a text makes a statement, both in match form: it has most
// of its words, and all of its numbers.
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
		// Short words are mostly those that every sentence has.
		if utf8.RuneCountInString(w) < 4 && !strings.ContainsFunc(w, unicode.IsDigit) {
			continue
		}
		if all++; has[w] {
			found++
		}
	}
	return all > 0 && float64(found) >= mostWords*float64(all)
}

// mentions reports whether an answer, in match form, gives a reference answer.
func mentions(form, reference string) bool {
	ref := strings.TrimRight(text.MatchForm(reference), ".。!！?？ ")
	switch {
	case ref == "":
		return false
	case len(text.Tokens(ref)) > shortReference && text.ShareCJK(ref) <= 0.5 || utf8.RuneCountInString(ref) > 2*shortReference && text.ShareCJK(ref) > 0.5:
		return says(form, ref)
	case strings.Contains(ref, "|"):
		return strings.Contains(form, ref)
	}
	return text.HasKeyword(form, ref)
}

// words gives the tokens of a text without the punctuation at their ends.
func words(s string) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		if t = strings.TrimFunc(t, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }); t != "" {
			out = append(out, t)
		}
	}
	return out
}
