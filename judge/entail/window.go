package entail

import (
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

// DefaultWindow is the number of words of a window: with a claim of usual length it stays
// below 512 word pieces, which is what most cross-encoders read.
const DefaultWindow = 350

// windows divides a document into parts of at most so many words that end at the ends of
// sentences; a sentence that is longer is divided at words. 0 words means no limit. A
// document without a word has no window. The score of a document is the greatest of its
// windows, as in MiniCheck (Tang, Laban and Durrett 2024, section 4.3).
func windows(document string, most int) []text.Span {
	var out []text.Span
	held := 0 // words of the last window
	for _, s := range text.Sentences(document) {
		starts := wordStarts(s.Of(document))
		if len(starts) == 0 {
			continue
		}
		if most > 0 && len(starts) > most {
			out = append(out, divided(s, starts, most)...)
			held = most // nothing is added to a part of a sentence
			continue
		}
		if n := len(out); n > 0 && (most == 0 || held+len(starts) <= most) {
			out[n-1].End = s.End
			held += len(starts)
			continue
		}
		out = append(out, s)
		held = len(starts)
	}
	return out
}

// divided divides a sentence whose words begin at starts.
func divided(s text.Span, starts []int, most int) []text.Span {
	var out []text.Span
	for first := 0; first < len(starts); first += most {
		part := text.Span{Start: s.Start + starts[first], End: s.End}
		if next := first + most; next < len(starts) {
			part.End = s.Start + starts[next]
		}
		out = append(out, part)
	}
	return out
}

// wordStarts lists where words begin: what stands between spaces, and each CJK character.
func wordStarts(s string) []int {
	var out []int
	within := false
	for i, r := range s {
		switch {
		case unicode.IsSpace(r):
			within = false
		case text.IsCJK(r):
			out = append(out, i)
			within = false
		case !within:
			out = append(out, i)
			within = true
		}
	}
	return out
}
