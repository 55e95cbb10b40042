package index

import (
	"bytes"
	"slices"
)

// Terms returns the BM25 terms of a text, in order and with repeats, for passages and
// queries alike.
//
// English is processed as by Lucene's EnglishAnalyzer: words by Unicode's rules (UAX
// 29), folded (NFKC and case), without a possessive 's, without Lucene's 33 stop words,
// stemmed by [stem]. Words of other scripts with spaces are processed the same way;
// none of the stemmer's suffixes matches them. Runs of a script without spaces
// (Chinese, Japanese, Korean; Thai, Lao, Burmese, Khmer) become overlapping pairs of
// characters, as by Lucene's CJKBigramFilter; a single character is a term. The script
// is decided per character, so a text may mix them. A word of more than 255 bytes is
// cut into pieces.
func Terms(s string) []string {
	var out []string
	newSplitter(func(surface []byte) {
		if t := term(surface); t != nil {
			out = append(out, string(t))
		}
	}).split(s)
	return out
}

// term converts a folded word to a term, in place; nil for a stop word. A pair of
// characters is unchanged.
func term(surface []byte) []byte {
	w := withoutPossessive(surface)
	if isStopWord(w) {
		return nil
	}
	return stem(w)
}

// withoutPossessive removes a final 's; the second apostrophe is U+2019.
func withoutPossessive(w []byte) []byte {
	if n := len(w); n >= 2 && w[n-1] == 's' {
		if w[n-2] == '\'' {
			return w[:n-2]
		}
		return bytes.TrimSuffix(w, []byte("\u2019s"))
	}
	return w
}

// stopWords by length, each group in order. They are Lucene's
// EnglishAnalyzer.ENGLISH_STOP_WORDS_SET.
var stopWords = [...][]string{
	1: {"a"},
	2: {"an", "as", "at", "be", "by", "if", "in", "is", "it", "no", "of", "on", "or", "to"},
	3: {"and", "are", "but", "for", "not", "the", "was"},
	4: {"into", "such", "that", "then", "they", "this", "will", "with"},
	5: {"their", "there", "these"},
}

func isStopWord(w []byte) bool {
	return len(w) < len(stopWords) && slices.Contains(stopWords[len(w)], string(w))
}
