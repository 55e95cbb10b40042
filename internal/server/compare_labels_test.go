package server

import (
	"strings"
	"testing"
)

// TestCompareAsPeopleWould: a comparison has the difference as people would judge it as soon as a run has labels, and is
// made again when they change.
func TestCompareAsPeopleWould(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 60)
	b.judgedRun("b", "also ", 60)
	difference := func() *correctedDifference {
		t.Helper()
		return b.summary("runs=a,b").Summary["faithfulness"].Differences["named b"].Corrected
	}
	if c := difference(); c != nil {
		t.Errorf("without labels: %+v", c)
	}
	b.labelSample("a", 40)
	c := difference()
	if c == nil || c.Labels != 0 || c.Mean != nil || !strings.Contains(c.Sentence, "30 more are needed") {
		t.Fatalf("labels of one run alone: %+v", c)
	}
	b.labelSample("b", 40)
	b.label("b", map[string]any{"case_id": "q9", "value": 1}).want(t, 201)
	c = difference()
	if c == nil || c.Mean == nil || *c.Mean <= 0 || c.Labels != 40 {
		t.Fatalf("labels of both runs: %+v", c)
	}
	full := b.do("GET", "/api/v1/compare?runs=a,b", nil).want(t, 200).text
	if !strings.Contains(full, `"overrules_judge":`) || !strings.Contains(full, `"one_sided":`) {
		t.Error("the whole comparison has no correction")
	}
}
