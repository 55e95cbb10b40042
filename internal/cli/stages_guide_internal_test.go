package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// The reply with stages that the guide to targets shows is read as the guide
// says, without a setting.
func TestTargetsGuideStages(t *testing.T) {
	t.Parallel()
	var v any
	for _, block := range fence.FindAllStringSubmatch(readGuide(t, "docs/targets.md"), -1) {
		if block[1] == "json" && strings.Contains(block[2], `"stages"`) {
			if err := json.Unmarshal([]byte(block[2]), &v); err != nil {
				t.Fatal(err)
			}
		}
	}
	m, _, ok := reply.Detect(v)
	if !ok {
		t.Fatal("the guide shows no reply with stages that is understood")
	}
	r, _, err := m.Read(v)
	if err != nil {
		t.Fatal(err)
	}
	said, _ := r.Transcript()
	questions, _ := r.SubQuestions()
	retrieved, _ := r.StagePassagesEach(assay.StageRetrieve)
	kept, _ := r.StagePassagesEach(assay.StageFilter)
	given, _ := r.Given()
	if said == "" || len(questions) != 2 || len(retrieved) != 2 || len(retrieved[0]) != 2 || len(kept) != 2 || kept[1][0].Score != 8.5 ||
		len(given) != 2 || given[0].ID != "r1" {
		t.Errorf("%q, %q, %v, %v, %v", said, questions, retrieved, kept, given)
	}
	if len(r.Passages) != 2 || r.Passages[0].ID != "r1" || r.Passages[1].Text != "Two kilograms." || r.Passages[0].Score != 9 {
		t.Errorf("passages %v: want those that the filter kept", r.Passages)
	}
}
