package server

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

// A knowing target answers every question.
type knowing struct{}

func (knowing) Ask(context.Context, *assay.Case) (assay.Response, error) {
	return assay.Response{Answer: "The Thames.", Passages: []assay.Passage{{Document: "thames.md", Text: "The Thames."}}}, nil
}

// TestARunWhoseJudgeIsAwayShowsItsCases: everything that shows a run whose judge was unreachable
// shows the answers that are kept for the judge.
func TestARunWhoseJudgeIsAwayShowsItsCases(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	judge := "http://" + closed.Addr().String()
	closed.Close()
	b := start(t, withRivers(t, "metrics=hit@1,faithfulness", "judge=ollama:m", "judge-url="+judge, "judge-optional=true"), with(knowing{}))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	events := b.follow(id, "", "done")
	if done := events[len(events)-1].data; !strings.Contains(done, `"done":3`) {
		t.Errorf("the events end with %s: want 3 cases", done)
	}
	api := "/api/v1/runs/" + id
	whole := read[struct {
		RunView
		Report struct {
			Summary map[string]struct{ Mean *float64 }
		}
	}](t, b.do("GET", api, nil).want(t, 200))
	if whole.State != stateInterrupted || whole.Done != 3 || whole.Report.Summary["hit@1"].Mean == nil {
		t.Errorf("%+v: want an interrupted run with its report", whole)
	}
	for query, want := range map[string]string{"": "tc_1 tc_2 tc_3", "?limit=1&offset=1": "tc_2", "?q=hit@1%3E0&sort=-id": "tc_1"} {
		var ids []string
		for _, c := range read[page[caseView]](t, b.do("GET", api+"/cases"+query, nil).want(t, 200)).Items {
			ids = append(ids, c.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("cases%s: %q, want %q", query, got, want)
		}
	}
	b.do("GET", api+"/cases/tc_3", nil).want(t, 200)
	b.do("GET", api+"/cases/tc_4", nil).want(t, 404)
	if text := b.see("/runs/" + id); strings.Contains(text, "No case is finished yet") || !strings.Contains(text, "0.333") {
		t.Errorf("the page has no results:\n%s", text)
	}
	if _, addresses := rowsOf(b.see("/runs/" + id + "/cases")); len(addresses) != 3 {
		t.Errorf("cases %q, want 3", addresses)
	}
	if text := b.see("/runs/" + id + "/cases/tc_2"); !strings.Contains(text, "The Thames.") {
		t.Errorf("the page of a case has no answer:\n%s", text)
	}
	g := read[gateReply](t, b.do("POST", "/api/v1/gate", `{"run_id":"`+id+`","rules":["hit@1 >= 0.9"]}`).want(t, 200))
	if g.Passed || g.Verdict != "fail" {
		t.Errorf("%+v: want a gate that fails", g)
	}
	if got := b.meter("assay_runs_total"); got[`assay_runs_total{state="interrupted"}`] != "1" || got[`assay_runs_total{state="finished"}`] != "" {
		t.Errorf("%v: want an interrupted run", got)
	}
}
