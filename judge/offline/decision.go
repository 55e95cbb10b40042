package offline

import (
	"fmt"

	"github.com/assay-eval/assay/judge"
)

// What the judge estimates, as messages and the page of results name it.
const (
	ofFaithfulness = "faithfulness"
	ofRelevance    = "relevance"
	ofEquivalence  = "equivalence"
	ofReverse      = "answer relevance"
	ofCompleteness = "completeness"
)

// A decision says whether a question is estimated in a language: only where the estimate
// was measured against people and is better than a plain baseline on the same items.
type decision struct {
	of       string
	language judge.Language
	// section, score and baseline are the heading and the rows of
	// docs/results/offline-judge.md that the decision rests on; "" if nothing was measured.
	section, score, baseline string
	// declined says why there is no estimate; "" if there is one.
	declined string
}

const neverMeasured = "never measured against people"

// decisions are all questions in the languages of the judge's prompts. The extraction of
// points and the reading of an answer give no score and are not among them.
var decisions = []decision{
	{ofFaithfulness, judge.English, "BEGIN: attribution", "**offline judge** (`faithfulness`)",
		"feature: share of words in the passages", ""},
	{ofFaithfulness, judge.Chinese, "", "", "", neverMeasured},
	{ofRelevance, judge.English, "NoMIRACL, English: is there an answer among the passages?", "**offline judge** (best `Relevance`)",
		"feature: share of the question's terms in three sentences", ""},
	{ofRelevance, judge.Chinese, "NoMIRACL, Chinese: is there an answer among the passages?", "**offline judge** (best `Relevance`)",
		"feature: share of the question's terms in three sentences", "little better than chance"},
	{ofEquivalence, judge.English, "NQ-301: is the answer acceptable?", "**offline judge** (`Equivalent`)",
		"feature: recall of terms beyond the question", ""},
	{ofEquivalence, judge.Chinese, "", "", "", neverMeasured},
	{ofReverse, judge.English, "Questions that an answer answers", "**offline judge**: the first three claims",
		"template: “What about” and eight terms", ""},
	{ofReverse, judge.Chinese, "", "", "", neverMeasured},
	{ofCompleteness, judge.English, "RAGChecker: which of two answers?", "offline judge (`completeness`)", "length of the answer", ""},
	{ofCompleteness, judge.Chinese, "", "", "", neverMeasured},
}

// unmeasured returns the error for a question that is not estimated in the language of a
// subject. A subject without a language is English.
func unmeasured(of string, s judge.Subject) error {
	why := neverMeasured
	for _, d := range decisions {
		if d.of == of && (d.language == s.Language || s.Language == "" && d.language == judge.English) {
			why = d.declined
		}
	}
	if why == "" {
		return nil
	}
	return &judge.DeclinedError{Reason: fmt.Sprintf("not estimated: the offline judge declines %s in this language (%s): "+
		"--judge PROVIDER:MODEL", of, why)}
}
