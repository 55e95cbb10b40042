package server

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestGateByPeople: a gate reads the labels of the request, or those of the lab, and with corrected they decide. Of 60 cases
// the judge finds 0.6 good on average and people 40 of 60.
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
	var labels []string
	for i := range 60 {
		labels = append(labels, fmt.Sprintf(`{"case_id":"q%d","label":%v}`, i, 1+3*personSays(i)))
	}
	all := `,"label_scale":"1-4","labels":[` + strings.Join(labels, ",") + `]`
	g := gate(all)
	p := g.Rules[0].People
	if g.Passed || p == nil || p.Decides || p.Verdict != "pass" || p.Judge != "fail" || p.Labels != 60 || p.Mean == nil ||
		math.Abs(*p.Mean-40.0/60) > 1e-9 || len(p.CI) != 2 {
		t.Errorf("with labels that do not decide: %+v, %+v", g, p)
	}
	if g := gate(all + `,"corrected":true`); !g.Passed || !g.Rules[0].People.Decides || g.Rules[0].Verdict != "pass" {
		t.Errorf("by people: %+v", g.Rules[0])
	}
	// Without labels nobody can say, and the lab has none yet.
	if g := gate(`,"corrected":true`); g.Verdict != "inconclusive" || g.Rules[0].People.Lack != "labels" || g.Rules[0].People.Mean != nil {
		t.Errorf("nobody labelled: %+v, %+v", g.Rules[0], g.Rules[0].People)
	}
	b.labelSample("a", 40)
	if g := gate(`,"corrected":true,"label_metric":"faithfulness"`); g.Rules[0].People.Labels != 40 || g.Rules[0].People.Mean == nil {
		t.Errorf("by the lab: %+v", g.Rules[0].People)
	}
	for more, says := range map[string]string{
		`,"label_metric":"mrr"`:                                                   "body.label_metric",
		`,"label_scale":"x","corrected":true`:                                     "body.label_scale",
		`,"labels":[{"case_id":"q1","label":3}]`:                                  "label:1: label 3: want a value of faithfulness",
		`,"labels":[{"case_id":"q1","label":1},{"case_id":"q1","label":1}]`:       `label:2: case \"q1\" of run \"a\" is there twice`,
		`,"labels":[{"case_id":"q1","label":1,"how":"somehow"}],"corrected":true`: "body.labels[0].how",
	} {
		g := b.do("POST", "/api/v1/gate", `{"run_id":"a","rules":["faithfulness >= 0.65"]`+more+`}`).want(t, 400)
		if !strings.Contains(g.text, says) {
			t.Errorf("%s: %s, want %q in it", more, g.text, says)
		}
	}
	if g := gate(`,"corrected":true,"labels":[{"case_id":"q1","run_id":"another","label":1}]`); g.Passed || g.Rules[0].People.Lack != "run" {
		t.Errorf("labels of another run: %+v, %+v", g.Rules[0], g.Rules[0].People)
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
