package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	metric "github.com/assay-eval/assay/metric/text"
)

// words returns the words of a text with Chinese characters in simplified form, so
// that a simplified claim matches a traditional passage.
func words(s string) []string {
	out, simplified := metric.Words(s), known().simplified
	for i, w := range out {
		if r, n := utf8.DecodeRuneInString(w); n == len(w) && r >= 0x4e00 {
			if t, ok := simplified[r]; ok {
				out[i] = string(t)
			}
		}
	}
	return out
}

// terms returns the distinct terms of a text in order: the stems of its words
// without function words, and pairs of neighbouring CJK characters.
func terms(words []string) []string {
	var out []string
	seen, function := map[string]bool{}, known().function
	add := func(t string) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	for i, w := range words {
		if !isCJK(w) {
			if !function[w] {
				add(stem(w))
			}
			continue
		}
		before, after := i > 0 && isCJK(words[i-1]), i+1 < len(words) && isCJK(words[i+1])
		switch {
		case after:
			add(w + words[i+1])
		case !before:
			add(w)
		}
	}
	return out
}

func isCJK(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return text.IsCJK(r)
}

// endings are the endings that stem replaces, the first that matches: enough to
// reduce "policies" to "policy" and "walked" to "walk".
var endings = []struct{ end, instead string }{
	{"ically", "ic"}, {"ations", "at"}, {"ation", "at"}, {"ies", "y"}, {"sses", "ss"},
	{"ingly", ""}, {"edly", ""}, {"ings", ""}, {"ing", ""}, {"ied", "y"},
	{"ated", "at"}, {"ates", "at"}, {"ate", "at"}, {"ed", ""}, {"ly", ""}, {"es", ""}, {"s", ""}, {"e", ""},
}

// stem removes the inflection of an English word.
func stem(w string) string {
	if len(w) < 4 || strings.HasSuffix(w, "ss") {
		return w
	}
	for _, e := range endings {
		if rest, ok := strings.CutSuffix(w, e.end); ok && len(rest) >= 3 {
			rest += e.instead
			if n := len(rest); n > 3 && rest[n-1] == rest[n-2] && !strings.ContainsRune("lsz", rune(rest[n-1])) {
				rest = rest[:n-1]
			}
			return rest
		}
	}
	return w
}

// names returns the distinct words of a sentence that look like names, folded: those
// with several capitals, or with a first capital and not at the beginning.
func names(sentence string) []string {
	var out []string
	seen := map[string]bool{}
	first := true
	for _, f := range strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' }) {
		capitals := 0
		r, _ := utf8.DecodeRuneInString(f)
		for _, c := range f {
			if unicode.IsUpper(c) {
				capitals++
			}
		}
		if unicode.IsUpper(r) && !first && utf8.RuneCountInString(f) > 1 || capitals > 1 {
			for _, w := range metric.Words(f) {
				if !seen[w] && !known().function[w] {
					seen[w] = true
					out = append(out, w)
				}
			}
		}
		first = false
	}
	return out
}

func termSet(s string) map[string]bool { return toSet(terms(words(s))) }

func toSet(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, x := range list {
		out[x] = true
	}
	return out
}
