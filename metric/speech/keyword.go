package speech

import (
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// Keywords are the keywords in a reference transcript, and those that a
// transcript lost.
type Keywords struct {
	// Said lists the distinct keywords in the reference, in order.
	Said []string `json:"said"`
	// Lost lists those of Said that are missing from the transcript.
	Lost []string `json:"lost"`
}

// Rate returns the share of keywords lost. Range [0,1]; ok is false if the
// reference has no keyword.
func (k Keywords) Rate() (rate float64, ok bool) {
	if len(k.Said) == 0 {
		return 0, false
	}
	return float64(len(k.Lost)) / float64(len(k.Said)), true
}

// CompareKeywords looks for keywords in both texts after normalisation. A keyword
// may list alternatives, such as "octopus|八達通"; each text may have any of them.
// Latin keywords must match whole words. CJK keywords may match anywhere, and
// spaces between characters are ignored. Keywords that are not in the reference
// are ignored.
func CompareKeywords(reference, hypothesis string, keywords []string, p Profile, s Script) Keywords {
	k := Keywords{Said: []string{}, Lost: []string{}}
	if len(keywords) == 0 {
		return k
	}
	form := func(t string) string { return Join(Mixed.Tokens(s.In(p.Normalise(t)))) }
	reference, hypothesis = form(reference), form(hypothesis)
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
