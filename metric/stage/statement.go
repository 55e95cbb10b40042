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
	// allWords is the share that a text has which was only changed a little.
	allWords = 0.95
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
	if !hasNumbers(form, statement) {
		return false
	}
	if text.ShareCJK(statement) > 0.5 {
		return text.Coverage(statement, []string{form}, 3) >= mostRunes
	}
	share, some := wordShare(form, statement)
	return some && share >= mostWords
}

// wordShare returns the share of a statement's longer words that a text has; ok is false
// if the statement has none.
func wordShare(form, statement string) (share float64, ok bool) {
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
	if all == 0 {
		return 0, false
	}
	return float64(found) / float64(all), true
}

// hasWords reports whether a text has nearly all words of another, and all its numbers:
// it is that text with small changes.
func hasWords(form, of string) bool {
	if text.ShareCJK(of) > 0.5 {
		return text.Coverage(of, []string{form}, 3) >= nearlyAll && hasNumbers(form, of)
	}
	share, some := wordShare(form, of)
	return some && share >= allWords && hasNumbers(form, of)
}

// hasNumbers reports whether a text has all numbers of another.
func hasNumbers(form, of string) bool {
	numbers := text.Numbers(form)
	return !slices.ContainsFunc(text.Numbers(of), func(n text.Number) bool {
		return !slices.ContainsFunc(numbers, func(m text.Number) bool { return m.Key == n.Key })
	})
}

// mentions reports whether an answer, in match form, contains a reference answer.
func mentions(form, reference string) bool {
	ref := strings.TrimRight(text.MatchForm(reference), ".。!！?？ ")
	switch {
	case ref == "":
		return false
	case isLong(ref):
		return says(form, ref)
	case strings.Contains(ref, "|"):
		return strings.Contains(form, ref)
	}
	return text.HasKeyword(form, ref)
}

// isLong reports whether a reference answer is a statement, which an answer makes in its
// own words.
func isLong(reference string) bool {
	if text.ShareCJK(reference) > 0.5 {
		return utf8.RuneCountInString(reference) > 2*shortReference
	}
	return len(text.Tokens(reference)) > shortReference
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
