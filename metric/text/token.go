package text

import (
	"strings"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

const (
	squadTokens = "Tokens: NFKC and case folding, without punctuation, split at white space and at every CJK character, without a, an, the. "
	squadSource = "Rajpurkar et al., SQuAD, EMNLP 2016; CJK by character as in CMRC 2018. The original splits at white space only, so " +
		"that a Chinese answer is one token"
)

// squad returns the tokens of a text as in SQuAD, for the comparison of answers.
func squad(s string) []string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || r < unicode.MaxASCII && unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, text.Fold(s))
	tokens := text.Tokens(s)
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
	return text.Tokens(strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return ' '
	}, text.Fold(s)))
}

// isSpace reports white space as Python has it, in which sacreBLEU is written: the
// separators of files, groups, records and units, U+001C to U+001F, are some too.
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F }

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
	numbers := map[string]uint32{}
	out := make([][]uint32, len(texts))
	for i, s := range texts {
		tokens := t.split(s)
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
