package check

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// words is an inverted index: the documents that contain each word. Searching
// every document for every case would take hours with thousands of both.
type words map[string][]int32

func newWords(forms []string) words {
	w := words{}
	for i, form := range forms {
		for _, word := range split(form) {
			if in := w[word.text]; len(in) == 0 || in[len(in)-1] != int32(i) {
				w[word.text] = append(in, int32(i))
			}
		}
	}
	return w
}

// A word is a word of a text in match form: a run of letters and digits, or a
// single CJK character.
type word struct {
	text string
	cjk  bool
}

// split lists the words of a text in match form, with the same word boundaries as
// text.HasKeyword.
func split(form string) []word {
	var out []word
	start := -1
	end := func(i int) {
		if start >= 0 {
			out = append(out, word{text: form[start:i]})
			start = -1
		}
	}
	for i, r := range form {
		switch {
		case text.IsCJK(r):
			end(i)
			out = append(out, word{form[i : i+len(string(r))], true})
		case r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(form))
	return out
}

// whole lists the words that a document must contain if it contains the form
// anywhere. The first and the last are excluded because they may be parts of
// longer words there.
func whole(form string) []word {
	all := split(form)
	out := all[:0:0]
	for i, w := range all {
		if w.cjk || i > 0 && i < len(all)-1 {
			out = append(out, w)
		}
	}
	return out
}

// rarest returns the documents that contain the rarest of the words; all is set
// when the list has no words.
func (w words) rarest(list []word) (in []int32, all bool) {
	all = true
	for _, word := range list {
		if docs := w[word.text]; all || len(docs) < len(in) {
			in, all = docs, false
		}
	}
	return in, all
}

// keyword lists the documents that may contain a keyword, in document order for
// each of its alternatives.
func (w words) keyword(keyword string) (in []int32, all bool) {
	for alt := range strings.SplitSeq(keyword, "|") {
		list := split(text.MatchForm(alt))
		if strings.ContainsFunc(alt, text.IsCJK) {
			list = whole(text.MatchForm(alt))
		}
		docs, every := w.rarest(list)
		if every && strings.TrimSpace(alt) != "" {
			return nil, true
		}
		in = append(in, docs...)
	}
	return in, false
}
