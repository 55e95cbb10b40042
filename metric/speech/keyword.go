package speech

import (
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// Keywords are those of a list that a reference transcript holds, and what a
// transcript kept of them.
type Keywords struct {
	// Said are the keywords that the reference holds, in order, each once.
	Said []string `json:"said"`
	// Lost are those of Said that the transcript lacks.
	Lost []string `json:"lost"`
}

// Rate is the share of keywords lost. Range [0,1]; not ok when the reference
// holds none.
func (k Keywords) Rate() (rate float64, ok bool) {
	if len(k.Said) == 0 {
		return 0, false
	}
	return float64(len(k.Lost)) / float64(len(k.Said)), true
}

// CompareKeywords looks for keywords in both texts after normalisation. A keyword
// may hold alternatives, as "octopus|八達通", of which any will do, in one text this
// and in the other that. Latin ones must stand as words, CJK ones may stand
// anywhere, whatever spaces a transcriber put between characters. Keywords that
// the reference does not hold are no one's loss.
func CompareKeywords(reference, hypothesis string, keywords []string, p Profile, s Script) Keywords {
	form := func(t string) string { return Join(Mixed.Tokens(s.In(p.Normalise(t)))) }
	reference, hypothesis = form(reference), form(hypothesis)
	k := Keywords{Said: []string{}, Lost: []string{}}
	seen := map[string]bool{}
	for _, word := range keywords {
		var alternatives []string
		for a := range strings.SplitSeq(word, "|") {
			alternatives = append(alternatives, form(a))
		}
		sought := strings.Join(alternatives, "|")
		if seen[sought] || !text.HasKeyword(reference, sought) {
			continue
		}
		seen[sought] = true
		k.Said = append(k.Said, word)
		if !text.HasKeyword(hypothesis, sought) {
			k.Lost = append(k.Lost, word)
		}
	}
	return k
}
