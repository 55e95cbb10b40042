package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/text"
)

const (
	squadTokens = "Tokens: NFKC and case folding, without punctuation, split at white space and at every CJK character, without a, an, the. " +
		"Citation marks count as words, as in SQuAD: \"[1]\" is 1. "
	squadSource = "Rajpurkar et al., SQuAD, EMNLP 2016; CJK by character as in CMRC 2018. The original splits at white space only, so " +
		"that a Chinese answer is one token"
)

// squad returns the tokens of a text as in SQuAD, for the comparison of answers.
func squad(s string) []string {
	if tokens, ok := asciiTokens(s, &squadBytes); ok {
		return withoutArticles(tokens)
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || r < unicode.MaxASCII && unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, text.Fold(s))
	return withoutArticles(text.Tokens(s))
}

// withoutArticles removes the English articles from tokens, which it overwrites.
func withoutArticles(tokens []string) []string {
	kept := tokens[:0]
	for _, t := range tokens {
		if t != "a" && t != "an" && t != "the" {
			kept = append(kept, t)
		}
	}
	return kept
}

// Words returns the tokens of ROUGE: runs of letters, digits, marks and
// underscores, and single CJK characters.
func Words(s string) []string {
	if tokens, ok := asciiTokens(s, &wordBytes); ok {
		return tokens
	}
	return text.Tokens(strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, text.Fold(s)))
}

// A bytesOf says what becomes of each byte of an ASCII text: a space parts two tokens, and
// another is the byte of a token, unless it is leftOut.
type bytesOf [utf8.RuneSelf]byte

const leftOut = utf8.RuneSelf

var (
	squadBytes = asciiBytes(isASCIIPunct, func(c byte) bool { return unicode.IsSpace(rune(c)) })
	wordBytes  = asciiBytes(func(byte) bool { return false }, func(c byte) bool { return c != '_' && (isASCIIPunct(c) || c <= ' ' || c == 0x7F) })
)

func asciiBytes(leaves, parts func(byte) bool) (to bytesOf) {
	for i := range to {
		c := byte(i)
		switch {
		case leaves(c):
			to[i] = leftOut
		case parts(c):
			to[i] = ' '
		case 'A' <= c && c <= 'Z':
			to[i] = c - 'A' + 'a'
		default:
			to[i] = c
		}
	}
	return to
}

// asciiTokens returns the tokens of a text in ASCII; ok is false for another one.
func asciiTokens(s string, to *bytesOf) (tokens []string, ok bool) {
	folded := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return nil, false
		}
		if c := to[s[i]]; c != leftOut {
			folded = append(folded, c)
		}
	}
	all := string(folded)
	for start := 0; start < len(all); {
		end := strings.IndexByte(all[start:], ' ')
		if end < 0 {
			end = len(all) - start
		}
		if end > 0 {
			if tokens == nil {
				// Words have about five letters.
				tokens = make([]string, 0, len(s)/6+1)
			}
			tokens = append(tokens, all[start:start+end])
		}
		start += end + 1
	}
	return tokens, true
}

// isSpace reports white space as Python has it, in which sacreBLEU is written: the
// separators of files, groups, records and units, U+001C to U+001F, are some too.
func isSpace(r rune) bool {
	return (r <= ' ' || r >= utf8.RuneSelf) && (unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F)
}

// fields splits a text at white space, as [isSpace] has it.
func fields(s string) []string {
	// Words have about five letters, and as many are punctuation.
	out := make([]string, 0, len(s)/4+1)
	start := -1
	for i, r := range s {
		switch space := isSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			out = append(out, s[start:i])
			start = -1
		}
	}
	if start >= 0 {
		out = append(out, s[start:])
	}
	return out
}

// A tokenizer splits a text into tokens.
type tokenizer struct{ split func(string) []string }

var (
	bySquad = &tokenizer{squad}
	byWord  = &tokenizer{Words}
	by13a   = &tokenizer{bleu13a}
	byZh    = &tokenizer{bleuZh}
	byChrF  = &tokenizer{chrfTokens}
)

// numbered returns the tokens of texts as numbers from 0 on, equal for equal tokens.
func (t *tokenizer) numbered(texts ...string) [][]uint32 {
	out, split, size := make([][]uint32, len(texts)), make([][]string, len(texts)), 0
	for i, s := range texts {
		split[i] = t.split(s)
		size = max(size, len(split[i]))
	}
	numbers := make(map[string]uint32, size)
	for i, tokens := range split {
		out[i] = make([]uint32, len(tokens))
		for j, token := range tokens {
			n, known := numbers[token]
			if !known {
				n = uint32(len(numbers))
				numbers[token] = n
			}
			out[i][j] = n
		}
	}
	return out
}

// A match holds the precision and recall of the overlap of two texts.
type match struct{ precision, recall float64 }

// matchOf divides the size of the overlap by the size of each side; 0 if a side is
// empty.
func matchOf(common, answer, reference int) match {
	if answer == 0 || reference == 0 {
		return match{}
	}
	return match{float64(common) / float64(answer), float64(common) / float64(reference)}
}

// f1 is the harmonic mean of precision and recall, 0 if both are 0.
func (m match) f1() float64 {
	if m.precision+m.recall == 0 {
		return 0
	}
	return 2 * m.precision * m.recall / (m.precision + m.recall)
}

// tokenMatch compares two texts by their tokens. Two empty texts match fully.
func tokenMatch(answer, reference []uint32) match {
	if len(answer) == 0 && len(reference) == 0 {
		return match{1, 1}
	}
	return matchOf(sharedRuns(1, answer, reference)[0], len(answer), len(reference))
}
