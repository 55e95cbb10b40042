package server

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/assay-eval/assay/gate"
)

func TestRunsAreComparedGatedAndLabelled(t *testing.T) {
	b := start(t, withRivers(t))
	one := b.begin(`{"dataset":"rivers.jsonl"}`)
	two := b.begin(`{"dataset":"rivers.jsonl","config":{"top-k":1}}`)
	b.ended(one)
	b.ended(two)

	g := b.do("GET", "/api/v1/compare?runs="+one+","+two+"&baseline="+two, nil).want(t, 200)
	if !strings.Contains(g.text, "assay.comparison/1") || strings.Index(g.text, two) > strings.Index(g.text, one) {
		t.Errorf("%.200s: want a comparison with the second run as the baseline", g.text)
	}
	b.do("GET", "/api/v1/compare?runs="+one, nil).want(t, 400)
	b.do("GET", "/api/v1/compare?runs="+one+","+one, nil).want(t, 400)
	b.do("GET", "/api/v1/compare?runs="+one+",none", nil).want(t, 404)
	b.do("GET", "/api/v1/compare?runs="+one+","+two+"&baseline=none", nil).want(t, 400)

	b.do("PUT", "/api/v1/baselines/main", map[string]any{"run_id": one, "reason": "the first"}).want(t, 200)
	whole := b.do("GET", "/api/v1/baselines/main", nil).want(t, 200).text
	if !strings.Contains(whole, `"reason": "the first"`) {
		t.Errorf("%s: want the baseline with its reason", whole)
	}
	b.do("PUT", "/api/v1/baselines/again", `{"baseline":`+whole+`}`).want(t, 200)
	b.do("PUT", "/api/v1/baselines/bad", `{"baseline":{"schema":"other"}}`).want(t, 400)
	b.do("PUT", "/api/v1/baselines/a%2Fb", map[string]any{"run_id": one}).want(t, 400)
	if l := read[page[baselineView]](t, b.do("GET", "/api/v1/baselines", nil).want(t, 200)); l.Total != 2 {
		t.Errorf("%+v: want two baselines", l)
	}

	pass := read[gateReply](
		t,
		b.do(
			"POST", "/api/v1/gate", map[string]any{"run_id": two, "baseline": "main", "rules": []string{"hit@1 >= 0.9", "errors <= 1%"}},
		).want(t, 200),
	)
	if !pass.Passed || pass.Verdict != "pass" || len(pass.Rules) < 2 {
		t.Errorf("%+v: want a pass", pass)
	}
	fail := read[gateReply](t, b.do("POST", "/api/v1/gate", `{"run_id":"`+two+`","rules":["hit@1 <= 0.5"],"baseline":`+whole+`}`).want(t, 200))
	if fail.Passed || fail.Verdict != "fail" || fail.Rules[0].Reason == "" {
		t.Errorf("%+v: want a fail with the reason", fail)
	}
	b.do("POST", "/api/v1/gate", map[string]any{"run_id": two}).want(t, 400)
	b.do("POST", "/api/v1/gate", map[string]any{"run_id": two, "rules": []string{"ndcg@10 >= 1"}}).want(t, 400)
	b.do("POST", "/api/v1/gate", map[string]any{"run_id": two, "baseline": "none"}).want(t, 400)
	// A run may be held to a baseline from its start.
	held := b.begin(`{"dataset":"rivers.jsonl","config":{"baseline":"main","gate":{"rules":["hit@1 >= 0.9"]}}}`)
	b.ended(held)
	if g := b.do("GET", "/api/v1/runs/"+held, nil).want(t, 200); !strings.Contains(g.text, `"verdict":"pass"`) {
		t.Errorf("%s: want the verdict of the gate", g.text)
	}
	// Every case may be made critical, for one gate or from the start of a run.
	all := read[gateReply](t, b.do("POST", "/api/v1/gate", map[string]any{"run_id": two, "critical": "all"}).want(t, 200))
	if len(all.Rules) != 1 || all.Rules[0].Rule != gate.CriticalRule || all.Rules[0].N < 3 {
		t.Errorf("%+v: want the rule on critical cases, over every case", all)
	}
	b.do("POST", "/api/v1/gate", map[string]any{"run_id": two, "critical": "none"}).want(t, 400)
	held = b.begin(`{"dataset":"rivers.jsonl","config":{"gate":{"critical":"all"}}}`)
	b.ended(held)
	if g := b.do("GET", "/api/v1/runs/"+held, nil).want(t, 200); !strings.Contains(g.text, gate.CriticalRule) {
		t.Errorf("%s: want the rule on critical cases", g.text)
	}
	cases := read[page[caseView]](t, b.do("GET", "/api/v1/runs/"+held+"/cases", nil).want(t, 200))
	for _, c := range cases.Items {
		if !c.Critical || c.Check.State == "" {
			t.Errorf("case %q: critical %t, check %+v: want the state of a critical case", c.ID, c.Critical, c.Check)
		}
	}
	if len(cases.Items) != all.Rules[0].N {
		t.Errorf("%d cases, want %d", len(cases.Items), all.Rules[0].N)
	}
	for _, c := range read[page[caseView]](t, b.do("GET", "/api/v1/runs/"+two+"/cases", nil).want(t, 200)).Items {
		if c.Check.State == "" || c.Outcome == "" {
			t.Errorf("case %q: check %+v, critical %t", c.ID, c.Check, c.Critical)
		}
	}
	// Another baseline of the name changes no verdict, and neither does its removal.
	cut := b.begin(`{"dataset":"rivers.jsonl","config":{"limit":2}}`)
	b.ended(cut)
	b.do("PUT", "/api/v1/baselines/again", map[string]any{"run_id": cut}).want(t, 200)
	held = b.begin(`{"dataset":"rivers.jsonl","config":{"baseline":"again"}}`)
	b.ended(held)
	failed := b.do("GET", "/api/v1/runs/"+held+"/report.json", nil).want(t, 200).text
	shown := b.do("GET", "/runs/"+held, nil).want(t, 200).text
	if !strings.Contains(failed, `"verdict": "fail"`) || !strings.Contains(shown, ">FAIL<") {
		t.Errorf("%.3000s: want a run that fails", failed)
	}
	b.do("PUT", "/api/v1/baselines/again", map[string]any{"run_id": held}).want(t, 200)
	same := func() {
		t.Helper()
		if now := b.do("GET", "/api/v1/runs/"+held+"/report.json", nil).want(t, 200).text; now != failed {
			t.Errorf("the report is another: %.3000s", now)
		}
		if now := b.do("GET", "/runs/"+held, nil).want(t, 200).text; !strings.Contains(now, ">FAIL<") {
			t.Errorf("the page has another verdict: %s", now)
		}
	}
	same()
	defer same()
	b.do("DELETE", "/api/v1/baselines/again", nil).want(t, 200)
	b.do("DELETE", "/api/v1/baselines/again", nil).want(t, 404)

	for i := range 3 {
		body := map[string]any{"run_id": one, "case_id": fmt.Sprintf("tc_%d", i+1), "metric": "hit@1", "value": i % 2, "how": "random"}
		b.do("POST", "/api/v1/labels", body).want(t, 201)
		b.do("POST", "/api/v1/labels", body).want(t, 201)
	}
	b.do("POST", "/api/v1/labels", map[string]any{"run_id": one, "case_id": "tc_9", "metric": "hit@1", "value": 1}).want(t, 400)
	b.do("POST", "/api/v1/labels", map[string]any{"run_id": one, "case_id": "tc_1", "metric": "none", "value": 1}).want(t, 400)
	if l := read[page[LabelView]](t, b.do("GET", "/api/v1/labels?run_id="+one, nil).want(t, 200)); l.Total != 3 || l.Items[0].Case == "" {
		t.Errorf("%+v: want three labels, each once", l)
	}
	c := read[struct {
		N      int
		Binary struct{ Prevalence float64 }
	}](t, b.do("GET", "/api/v1/calibration?run_id="+one+"&metric=hit@1", nil).want(t, 200))
	// Labels 0, 1, 0 with three scores.
	if c.N != 3 || c.Binary.Prevalence < 0.33 || c.Binary.Prevalence > 0.34 {
		t.Errorf("%+v: want three labels, a third of them 1", c)
	}
	b.do("GET", "/api/v1/calibration?run_id="+one+"&metric=none", nil).want(t, 400)
	b.do("GET", "/api/v1/labels", nil).want(t, 400)
}

// form writes a form with one file.
func form(t *testing.T, file, content string, fields ...string) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}
