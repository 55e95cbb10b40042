package index

// stem reduces a lower-case English word to its stem by Porter's algorithm with the
// author's later changes ("bli" for "abli", "logi"), as Lucene's PorterStemFilter does.
// Words of one or two letters are unchanged. Bytes other than lower-case letters count
// as consonants. Source: Porter, An algorithm for suffix stripping, 1980, and
// https://tartarus.org/martin/PorterStemmer. It works in
// place: no replacement is longer than its suffix.
func stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	w = plural(w)
	w = pastAndGerund(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = longest(w, doubleSuffixes, 1)
	w = longest(w, fullSuffixes, 1)
	w = longest(w, residualSuffixes, 2)
	return tidy(w)
}

// A rule replaces a suffix.
type rule struct{ suffix, by string }

// Rules are grouped by a distinguishing letter: the last but one of the suffix in the
// first and third table, the last in the second. Within a group the first matching
// suffix decides, so a longer suffix precedes a shorter one that it ends in.
type rules struct {
	fromEnd  int
	byLetter ['z' + 1][]rule
}

var (
	doubleSuffixes = &rules{2, [...]([]rule){
		'a': {{"ational", "ate"}, {"tional", "tion"}},
		'c': {{"enci", "ence"}, {"anci", "ance"}},
		'e': {{"izer", "ize"}},
		'g': {{"logi", "log"}},
		'l': {{"bli", "ble"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}},
		'o': {{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}},
		's': {{"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}},
		't': {{"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}},
		'z': nil,
	}}
	fullSuffixes = &rules{1, [...]([]rule){
		'e': {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}},
		'i': {{"iciti", "ic"}},
		'l': {{"ical", "ic"}, {"ful", ""}},
		's': {{"ness", ""}},
		'z': nil,
	}}
	residualSuffixes = &rules{2, [...]([]rule){
		'a': {{"al", ""}},
		'c': {{"ance", ""}, {"ence", ""}},
		'e': {{"er", ""}},
		'i': {{"ic", ""}},
		'l': {{"able", ""}, {"ible", ""}},
		'n': {{"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}},
		'o': {{"ion", ""}, {"ou", ""}},
		's': {{"ism", ""}},
		't': {{"ate", ""}, {"iti", ""}},
		'u': {{"ous", ""}},
		'v': {{"ive", ""}},
		'z': {{"ize", ""}},
	}}
)

// longest applies the rule whose suffix w ends in, if the stem has the measure. A
// matching suffix ends the search even if its stem is too short.
func longest(w []byte, table *rules, atLeast int) []byte {
	if len(w) < 2 {
		return w
	}
	key := w[len(w)-table.fromEnd]
	if int(key) >= len(table.byLetter) {
		return w
	}
	for _, r := range table.byLetter[key] {
		if !endsIn(w, r.suffix) {
			continue
		}
		root := w[:len(w)-len(r.suffix)]
		if r.suffix == "ion" && !endsIn(root, "s") && !endsIn(root, "t") {
			return w
		}
		if measure(root) < atLeast {
			return w
		}
		return append(root, r.by...)
	}
	return w
}

// plural is step 1a.
func plural(w []byte) []byte {
	switch {
	case endsIn(w, "sses"), endsIn(w, "ies"):
		return w[:len(w)-2]
	case endsIn(w, "s") && !endsIn(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

// pastAndGerund is step 1b.
func pastAndGerund(w []byte) []byte {
	if endsIn(w, "eed") {
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	}
	root := w
	switch {
	case endsIn(w, "ed"):
		root = w[:len(w)-2]
	case endsIn(w, "ing"):
		root = w[:len(w)-3]
	default:
		return w
	}
	if !hasVowel(root) {
		return w
	}
	switch {
	case endsIn(root, "at"), endsIn(root, "bl"), endsIn(root, "iz"):
		return append(root, 'e')
	case endsInDouble(root):
		if last := root[len(root)-1]; last != 'l' && last != 's' && last != 'z' {
			return root[:len(root)-1]
		}
	case measure(root) == 1 && endsInCVC(root):
		return append(root, 'e')
	}
	return root
}

// tidy is step 5: it removes a final e, and one of two final l.
func tidy(w []byte) []byte {
	if n := len(w) - 1; n >= 0 && w[n] == 'e' {
		if m := measure(w[:n]); m > 1 || m == 1 && !endsInCVC(w[:n]) {
			w = w[:n]
		}
	}
	if endsIn(w, "ll") && measure(w[:len(w)-1]) > 1 {
		w = w[:len(w)-1]
	}
	return w
}

func endsIn(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

// isVowel reports whether w[i] is a vowel; y is a vowel after a consonant.
func isVowel(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !isVowel(w, i-1)
	}
	return false
}

func hasVowel(w []byte) bool {
	for i := range w {
		if isVowel(w, i) {
			return true
		}
	}
	return false
}

// measure counts the runs of vowels that are followed by a consonant: tr-ee 0,
// tr-oubl-e 1, tr-oubl-es 1, priv-at-e 2.
func measure(w []byte) int {
	m, afterVowel := 0, false
	for i := range w {
		v := w[i] == 'a' || w[i] == 'e' || w[i] == 'i' || w[i] == 'o' || w[i] == 'u' || w[i] == 'y' && i > 0 && !afterVowel
		if afterVowel && !v {
			m++
		}
		afterVowel = v
	}
	return m
}

func endsInDouble(w []byte) bool {
	n := len(w) - 1
	// Beyond ASCII two equal bytes are not two equal letters.
	return n > 0 && w[n] == w[n-1] && w[n] < 0x80 && !isVowel(w, n)
}

// endsInCVC reports whether w ends in consonant, vowel, consonant, the last not w, x or
// y: there a short word keeps its e (hop → hope).
func endsInCVC(w []byte) bool {
	n := len(w) - 1
	if n < 2 || isVowel(w, n) || !isVowel(w, n-1) || isVowel(w, n-2) {
		return false
	}
	return w[n] != 'w' && w[n] != 'x' && w[n] != 'y'
}
