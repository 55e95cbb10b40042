package index

import (
	"bytes"
	"slices"
)

// Terms returns the terms that BM25 finds in a text, in order and with
// repeats: what an index holds of a passage and looks for on behalf of a query.
//
// English is treated as by Lucene's EnglishAnalyzer: words by Unicode's rules
// (UAX 29), folded (NFKC and case), without a possessive 's, without Lucene's
// 33 stop words, stemmed by [Stem]. Words of other scripts with spaces go the
// same way, and no suffix of the stemmer fits them. Runs of a script without
// spaces (Chinese, Japanese, Korean; Thai, Lao, Burmese, Khmer) become
// overlapping pairs of characters, as by Lucene's CJKBigramFilter; a character
// alone is a term of its own. The script decides character by character, so a
// text may mix them. A word of more than 255 bytes is cut into pieces.
func Terms(s string) []string {
	var out []string
	newSplitter(func(surface []byte) {
		if t := term(surface); t != nil {
			out = append(out, string(t))
		}
	}).split(s)
	return out
}

// term turns a folded word into a term, in place; nil for a stop word. A pair
// of characters comes out as it went in.
func term(surface []byte) []byte {
	w := withoutPossessive(surface)
	if isStopWord(w) {
		return nil
	}
	return stem(w)
}

// withoutPossessive takes 's from the end; the second apostrophe is U+2019.
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
