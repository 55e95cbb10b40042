package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end in a full stop that does not end a sentence. The list holds the
// common ones of English prose and science; a missing entry splits a sentence in two, a
// wrong one joins two sentences. Abbreviations with inner full stops, such as "e.g.",
// are detected by their form.
var abbreviations = Set(`
	dr mr mrs ms messrs prof rev hon gen col capt lt sgt gov sen rep pres sr jr st mt ft
	vs etc cf al viz approx ca est resp incl excl esp
	fig figs eq eqs ref refs tab ed eds inc ltd co corp dept univ assn bros
	jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri`)

// numbered are abbreviations only before a number: "no. 5", but "He said no."
var numbered = Set(`no nos vol vols pp p ch chap sec art para ver col fig`)

// starters usually begin a new sentence after an abbreviation: "made by Apple Inc. The
// next …".
var starters = Set(`
	the a an this that these those it he she we they you there here its his her their our
	in on at for from with by as if when while after before since although though however
	but and so then thus therefore moreover also what who where why how`)

// longestAbbreviation bounds the search back from a full stop.
const longestAbbreviation = 12

// Set returns the words of a list that are separated by white space.
func Set(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// isAbbreviation reports whether a full stop between before and after belongs to an
// abbreviation or an initial and does not end the sentence.
func isAbbreviation(before, after string) bool {
	word := lastWord(before)
	if word == "" || starters[strings.ToLower(firstWord(after))] {
		return false
	}
	// A single capital is an initial: "J. Smith".
	r, n := utf8.DecodeRuneInString(word)
	if n == len(word) && unicode.IsUpper(r) && r != 'I' {
		return true
	}
	lower := strings.ToLower(word)
	next, _ := utf8.DecodeRuneInString(after)
	return abbreviations[lower] || numbered[lower] && unicode.IsDigit(next) || isDotted(word)
}

// isDotted reports whether the word consists of parts of one or two letters separated
// by full stops: "e.g", "U.S", "Ph.D", "a.m".
func isDotted(word string) bool {
	if !strings.Contains(word, ".") {
		return false
	}
	for part := range strings.SplitSeq(word, ".") {
		if n := utf8.RuneCountInString(part); n < 1 || n > 2 || strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return false
		}
	}
	return true
}

// lastWord returns the word at the end of s without opening punctuation, "" if it is
// longer than any abbreviation.
func lastWord(s string) string {
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if unicode.IsSpace(r) || IsCJK(r) || r != '.' && unicode.IsPunct(r) {
			return s[i:]
		}
		if i -= n; len(s)-i > longestAbbreviation {
			return ""
		}
	}
	return s
}

// firstWord returns the letters at the beginning of s if white space follows them.
func firstWord(s string) string {
	for i, r := range s {
		if unicode.IsSpace(r) {
			return s[:i]
		}
		if !unicode.IsLetter(r) || i > longestAbbreviation {
			return ""
		}
	}
	return ""
}
