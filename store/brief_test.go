package store_test

import (
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// A brief says whether the answer is right; a record that was stored before this was known
// remains readable.
func TestBriefAnswer(t *testing.T) {
	t.Parallel()
	r := assay.Record{Attempts: 1, Answer: assay.AnswerWrong}
	if got := store.Brief(r).Answer; got != assay.AnswerWrong {
		t.Errorf("brief has %q", got)
	}
	r.Scores = map[string]assay.Score{"checks_passed": {Evidence: []assay.Evidence{{Kind: "failed"}, {Kind: assay.KindUnproven, Text: "length"}}}}
	if got := store.Brief(r).Scores["checks_passed"]; !got.Unproven() || len(got.Evidence) != 1 {
		t.Errorf("brief has the score %+v", got)
	}
	var old assay.Record
	stored := `{"seq":1,"case":{"id":"a"},"attempts":1,"attribution":{"failed":true,"stage":"retrieve"}}`
	if err := json.Unmarshal([]byte(stored), &old); err != nil || old.Answer != "" || !old.Attribution.Failed {
		t.Errorf("%v, %+v", err, old)
	}
}
