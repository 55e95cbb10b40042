package generate

import (
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// The reasons for dropping a question.
const (
	dropNone      = "the model wrote no question"
	dropPointing  = "it refers to the passage instead of naming its subject"
	dropWording   = "it repeats the wording of the passage"
	dropGivesAway = "it gives the answer away"
	dropTwice     = "it is a duplicate"
	dropUnborne   = "its passages do not support the answer"
	dropOneHop    = "one of its passages answers it alone"
	dropAnswered  = "the corpus may answer it"
	dropUnread    = "the reply could not be read"
	dropUnchecked = "it could not be checked"
)

// pointing matches questions that only a reader of the passage understands.
var pointing = lazyregexp.New(`(?i)\b(?:in|from|by|to|of) (?:the|this) (?:passages?|text|excerpt|article|paragraph|document|context|above|author|paper|chapter)\b|\bthe (?:passages?|excerpt|authors?)\b|\bthis (?:study|paper|article|passage|text|document|section|trial|work)\b|\b(?:passage|document|source) \d\b|\b(?:mentioned|described|listed|given|stated) (?:above|here)\b|文中|本文|该文|該文|上文|下文|这段|這段|段落|该段|該段|本段|该研究|該研究|本研究|这项研究|這項研究|该文件|該文件|上述|材料中|资料中|資料中`)

const (
	// copiedWords is the length of a run of words that may not be copied from the
	// passage; terms and names are shorter. copiedPairs is the same for Chinese
	// character bigrams: 12 consecutive characters.
	copiedWords = 8
	copiedPairs = 11
	// copiedShare is the share of a question that one run of the passage's words
	// may make up, if the run has at least copiedLeast words.
	copiedShare = 0.7
	copiedLeast = 5
	// sameShare is the share of words, of either question, that two different
	// questions may have in common.
	sameShare = 0.8
)

// screen returns the reason to drop a question, or "".
func screen(question, answer string, passages []string) string {
	if pointing().MatchString(question) {
		return dropPointing
	}
	q, a := text.Normalize(question), strings.TrimRight(text.Normalize(answer), ".!。！ ")
	if len([]rune(a)) >= 3 && strings.Contains(q, a) {
		return dropGivesAway
	}
	words := terms(question)
	limit := copiedWords
	if text.ShareCJK(question) > 0.5 {
		limit = copiedPairs
	}
	for _, p := range passages {
		run := longestRun(words, terms(p))
		if run >= limit || run >= copiedLeast && float64(run) > copiedShare*float64(len(words)) {
			return dropWording
		}
	}
	return ""
}

// longestRun returns the length of the longest run of words that both have.
func longestRun(a, b []string) int {
	longest := 0
	above := make([]int, len(b)+1)
	for _, w := range a {
		row := make([]int, len(b)+1)
		for k, v := range b {
			if v == w {
				row[k+1] = above[k] + 1
				longest = max(longest, row[k+1])
			}
		}
		above = row
	}
	return longest
}

// asked detects repeated questions.
type asked struct{ questions []map[string]bool }

// add records a question and reports whether it is new.
func (a *asked) add(question string) bool {
	words := map[string]bool{}
	for _, w := range terms(question) {
		words[w] = true
	}
	for _, known := range a.questions {
		both := 0
		for w := range words {
			if known[w] {
				both++
			}
		}
		if either := len(words) + len(known) - both; float64(both) >= sameShare*float64(either) {
			return false
		}
	}
	a.questions = append(a.questions, words)
	return true
}
