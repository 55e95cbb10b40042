package server

import (
	"strings"
	"testing"
)

// TestGateByPeople: a gate reads the labels of the lab, and with corrected they decide. Of 60 cases the judge finds 0.6 good
// on average and people 40 of 60.
func TestGateByPeople(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 60)
	gate := func(more string) gateReply {
		t.Helper()
		return read[gateReply](t, b.do("POST", "/api/v1/gate", `{"run_id":"a","rules":["faithfulness >= 0.65"]`+more+`}`).want(t, 200))
	}
	if g := gate(""); g.Passed || g.Rules[0].People != nil {
		t.Fatalf("by the judge: %+v", g.Rules[0])
	}
	// Without labels nobody can say, and the lab has none yet.
	if g := gate(`,"corrected":true`); g.Verdict != "inconclusive" || g.Rules[0].People.Lack != "labels" || g.Rules[0].People.Mean != nil {
		t.Errorf("nobody labelled: %+v, %+v", g.Rules[0], g.Rules[0].People)
	}
	b.labelSample("a", 40)
	g := gate(`,"label_metric":"faithfulness"`)
	p := g.Rules[0].People
	if g.Passed || p == nil || p.Decides || p.Judge != "fail" || p.Labels != 40 || p.Mean == nil || len(p.CI) != 2 {
		t.Fatalf("with labels that do not decide: %+v, %+v", g, p)
	}
	if g := gate(`,"corrected":true`); !g.Rules[0].People.Decides || g.Rules[0].Verdict != p.Verdict {
		t.Errorf("by people: %+v", g.Rules[0])
	}
	for more, says := range map[string]string{
		`,"label_metric":"mrr"`:               "body.label_metric",
		`,"label_scale":"x","corrected":true`: "body.label_scale",
	} {
		g := b.do("POST", "/api/v1/gate", `{"run_id":"a","rules":["faithfulness >= 0.65"]`+more+`}`).want(t, 400)
		if !strings.Contains(g.text, says) {
			t.Errorf("%s: %s, want %q in it", more, g.text, says)
		}
	}
	// The lab may have grades, whose scale the request has to say.
	b.label("a", map[string]any{"case_id": "q0", "value": 4}).want(t, 201)
	told := b.do("POST", "/api/v1/gate", `{"run_id":"a","rules":["faithfulness >= 0.65"],"corrected":true}`).want(t, 400).text
	if !strings.Contains(told, "body.label_scale") || !strings.Contains(told, "label of case q0") || strings.Contains(told, "--") {
		t.Errorf("a grade in the lab: %s", told)
	}
}

// TestGateByPeopleAgainstABaseline: the labels of the run of the baseline are found in the lab, too.
func TestGateByPeopleAgainstABaseline(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 60)
	b.judgedRun("b", "also ", 60)
	b.labelSample("a", 40)
	b.labelSample("b", 40)
	b.label("b", map[string]any{"case_id": "q9", "value": 1}).want(t, 201)
	b.do("PUT", "/api/v1/baselines/main", `{"run_id":"a","reason":"the first"}`).want(t, 200)
	g := read[gateReply](t, b.do("POST", "/api/v1/gate",
		`{"run_id":"b","baseline":"main","rules":["faithfulness vs baseline >= -0.02"],"corrected":true}`).want(t, 200))
	if p := g.Rules[0].People; p == nil || p.Labels != 40 || p.Mean == nil || *p.Mean <= 0 || !p.Decides {
		t.Errorf("against the baseline: %+v, %+v", g, p)
	}
}
