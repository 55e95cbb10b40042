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

// unmeasured returns the error for a question that is not estimated in the language of a
// subject: only where the estimate was measured against people and is better than a plain
// baseline on the same items there is one. A subject without a language is English. The
// extraction of points and the reading of an answer give no score and are always estimated.
func unmeasured(of string, s judge.Subject) error {
	why := "never measured against people"
	switch {
	case s.Language == judge.English || s.Language == "":
		return nil
	case s.Language == judge.Chinese && of == ofRelevance:
		why = "little better than chance"
	}
	return &judge.DeclinedError{Reason: fmt.Sprintf("not estimated: the offline judge declines %s in this language (%s): "+
		"--judge PROVIDER:MODEL", of, why)}
}
