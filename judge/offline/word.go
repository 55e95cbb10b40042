package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
	metric "github.com/assay-eval/assay/metric/text"
)

// words gives the words of a text with Chinese characters in one form, so that
// a simplified claim is found in a traditional passage.
func words(s string) []string {
	out := metric.Words(s)
	for i, w := range out {
		if r, n := utf8.DecodeRuneInString(w); n == len(w) && r >= 0x4e00 {
			if t, ok := simplified[r]; ok {
				out[i] = string(t)
			}
		}
	}
	return out
}

// terms gives what a text is about, each once and in order: the stems of its
// words without those that only bind, and pairs of neighbouring CJK characters.
func terms(words []string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(t string) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	for i, w := range words {
		if !isCJK(w) {
			if !binding[w] {
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

// endings are taken off a word, the first that fits, with what is put in their
// place: enough to bring "policies" to "policy" and "walked" to "walk".
var endings = []struct{ end, instead string }{
	{"ically", "ic"}, {"ations", "at"}, {"ation", "at"}, {"ies", "y"}, {"sses", "ss"}, {"ingly", ""}, {"edly", ""}, {"ings", ""}, {"ing", ""}, {"ied", "y"},
	{"ated", "at"}, {"ates", "at"}, {"ate", "at"}, {"ed", ""}, {"ly", ""}, {"es", ""}, {"s", ""}, {"e", ""},
}

// stem takes off what a word is inflected by.
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

// names gives the words of a sentence that look like names: with a capital
// beyond the first letter, or with a capital and not at the beginning. They
// are folded, each once.
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
		if named := unicode.IsUpper(r) && !first && utf8.RuneCountInString(f) > 1 || capitals > 1; named {
			for _, w := range metric.Words(f) {
				if !seen[w] && !binding[w] {
					seen[w] = true
					out = append(out, w)
				}
			}
		}
		first = false
	}
	return out
}

// binding are words that a sentence has whatever it is about.
var binding = setOf(`a an the and or but if then than that this these those there here it its he she they them his her their him hers theirs
	i me my mine we us our ours you your yours is are was were be been being am do does did doing done has have had having can could shall should
	will would may might must of in on at by for from to into onto with without about as so such no nor not only own same too very also just
	which who whom whose what when where why how all any both each few more most other some s t d ll m re ve don didn doesn isn wasn aren weren
	won wouldn couldn shouldn hasn haven hadn because while during before after above below between through again further once up down out off over
	under however therefore thus hence moreover furthermore additionally including include includes included well one ones per via within among
	typically generally usually often please get gets got make makes made like`)

func setOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// termSet gives the terms of a text.
func termSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, t := range terms(words(s)) {
		out[t] = true
	}
	return out
}
