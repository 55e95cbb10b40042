package server

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// asked stores a run with one case whose record names three calls: one of this run, one that
// another run made later, and one that the ledger does not have.
func (b *bench) asked(id string) {
	b.t.Helper()
	text := func(v any) json.RawMessage {
		raw, err := json.Marshal(v)
		if err != nil {
			b.t.Fatal(err)
		}
		return raw
	}
	b.claimed(id, func(r *assay.Record) {
		r.Calls, r.Judging = []string{"absent", "later", "own"}, &assay.Spending{Calls: 3}
	})
	for _, c := range []assay.Call{
		{Key: "later", Run: "other", Operation: "support", Made: time.Unix(900, 0), Request: text(map[string]any{}), Reply: text("plain")},
		{Key: "own", Run: id, Operation: "claims", Made: time.Unix(1, 0), Latency: 1500 * time.Microsecond,
			Usage: assay.Usage{InputTokens: 120, OutputTokens: 1, Cost: 2100}, Request: text(map[string]any{"system": "Take it apart. " + attack,
				"messages": []any{map[string]any{"role": "user", "text": "Material: " + attack + "\nnext line"}}, "seed": 7}),
			Reply: text(map[string]any{"text": `{"kind": "answered"}`, "thinking": "Hm.", "unusable": "no nonce " + attack})},
	} {
		c.Provider, c.Model = "fake", "m-1 "+attack
		if err := b.store.PutCall(b.t.Context(), c); err != nil {
			b.t.Fatal(err)
		}
	}
}

func TestCallsOfACase(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.asked("a")
	const path = "/api/v1/runs/a/cases/c/calls"
	_, at := schemasOf(b)
	text := b.do("GET", path, nil).want(t, 200).text
	keeps(t, at(replyAt("/runs/{run_id}/cases/{case_id}/calls")...), path, text)
	got := read[page[callView]](t, b.do("GET", path, nil).want(t, 200))
	if got.Total != 3 || len(got.Items) != 3 {
		t.Fatalf("%d of %d calls, want 3", len(got.Items), got.Total)
	}
	own, later, absent := got.Items[0], got.Items[1], got.Items[2]
	if own.Key != "own" || own.State != "kept" || own.Operation != "claims" || own.PaidBy != "a" || own.Later || own.Latency != 1.5 ||
		*own.Usage != (callUsage{120, 1, 0.0021}) || !strings.Contains(string(own.Request), "next line") || !strings.Contains(string(own.Reply), "answered") {
		t.Errorf("%+v", own)
	}
	if later.Key != "later" || !later.Later || later.PaidBy != "other" {
		t.Errorf("%+v", later)
	}
	if absent.Key != "absent" || absent.State != "absent" || absent.Request != nil || absent.Made != nil {
		t.Errorf("%+v", absent)
	}
	if rest := read[page[callView]](t, b.do("GET", path+"?offset=2", nil).want(t, 200)); rest.Total != 3 || rest.Items[0].Key != "absent" {
		t.Errorf("%+v", rest)
	}
	b.do("GET", "/api/v1/runs/a/cases/none/calls", nil).want(t, 404)
	b.do("GET", "/api/v1/runs/none/cases/c/calls", nil).want(t, 404)
	b.do("GET", path+"?limit=0", nil).want(t, 400)
	// The record itself comes back as it was stored.
	rec, err := b.store.Record(t.Context(), "a", "c")
	if err != nil || len(rec.Calls) != 3 || len(rec.Scores["faithfulness"].Evidence[0].Spans) != 2 {
		t.Errorf("%+v, %v", rec, err)
	}
	if brief := store.Brief(rec); brief.Calls != nil {
		t.Errorf("a brief has %v", brief.Calls)
	}
	if b.stored("old", "1"); len(read[page[callView]](t, b.do("GET", "/api/v1/runs/old/cases/q0/calls", nil).want(t, 200)).Items) != 0 {
		t.Error("a case without calls has some")
	}
}

// TestPagesOfCalls: the page of a case leads to its calls, which it shows as texts.
func TestPagesOfCalls(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.asked("a")
	if text := b.see("/runs/a/cases/c?q=hit"); !strings.Contains(text, `<a href="/runs/a/cases/c/calls?q=hit">Calls to the judge (3)</a>`) {
		t.Errorf("no link to the calls: %s", text)
	}
	text := b.see("/runs/a/cases/c/calls")
	for _, want := range []string{
		"claims · fake m-1 ", "120 input tokens, 1 output token · $0.0021 · 1.5 ms · 1970-01-01 00:00:01 UTC", "\nnext line</pre>",
		"{&#34;kind&#34;: &#34;answered&#34;}</pre>", "This reply could not be used: no nonce ", "<summary>Reasoning</summary>", "&#34;seed&#34;: 7",
		`<a href="/runs/other">paid by other</a>`, "This reply was made after the run ended", "The ledger no longer has this call.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, bad := range []string{"<script>", "<img", "\x1b", "\u202e", "paid by a<"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in the page", bad)
		}
	}
	b.stored("old", "1")
	if text := b.see("/runs/old/cases/q0"); strings.Contains(text, "/calls") {
		t.Error("a case without calls leads to them")
	}
	if text := b.see("/runs/old/cases/q0/calls"); !strings.Contains(text, "No model was asked about this case.") {
		t.Errorf("the page does not say why there are no calls: %s", text)
	}
	b.claimed("earlier", func(r *assay.Record) { r.Judging = &assay.Spending{Calls: 2} })
	if text := b.see("/runs/earlier/cases/c/calls"); !strings.Contains(text, "The record does not name its calls") {
		t.Errorf("the page of an earlier record: %s", text)
	}
}

// TestAlteredCalls: a call that is not as it was stored is told apart, and takes no other with it.
func TestAlteredCalls(t *testing.T) {
	t.Parallel()
	place := filepath.Join(t.TempDir(), "assay.db")
	b := startOn(t, opened(t, place))
	b.asked("a")
	db, err := sql.Open("sqlite", place)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `UPDATE calls SET model = 'another' WHERE key = 'own'`); err != nil {
		t.Fatal(err)
	}
	states := map[string]string{}
	for _, c := range read[page[callView]](t, b.do("GET", "/api/v1/runs/a/cases/c/calls", nil).want(t, 200)).Items {
		states[c.Key] = c.State
	}
	if states["own"] != "altered" || states["later"] != "kept" || states["absent"] != "absent" {
		t.Errorf("states %v", states)
	}
	if text := b.see("/runs/a/cases/c/calls"); !strings.Contains(text, "its checksum differs") {
		t.Errorf("the page does not say that a call was altered: %s", text)
	}
}

// TestACaseNamedDots: clients take "." and ".." out of a path, so such a case has another
// segment, in the pages and in the API.
func TestACaseNamedDots(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.claimed("a", func(r *assay.Record) { r.Case.ID = ".." })
	b.claimed("b", func(r *assay.Record) { r.Case.ID = "~Li4" })
	for run, id := range map[string]string{"a": "..", "b": "~Li4"} {
		path := "/api/v1/runs/" + run + "/cases/~Li4"
		if r := read[assay.Record](t, b.do("GET", path, nil).want(t, 200)); r.Case.ID != id {
			t.Errorf("%s is case %q, want %q", path, r.Case.ID, id)
		}
		b.do("GET", path+"/calls", nil).want(t, 200)
	}
	b.do("GET", "/api/v1/runs/a/cases/~Lg", nil).want(t, 404)
}

// TestABodyThatNobodyReads is refused: what it asks for would be ignored.
func TestABodyThatNobodyReads(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.stored("a", "11")
	b.changed("a", func(h *assay.Header) { h.State = stateInterrupted })
	for _, verb := range []string{"resume", "cancel"} {
		if g := b.do("POST", "/api/v1/runs/a/"+verb, map[string]any{"dataset": "other.jsonl"}).want(t, 400); !strings.Contains(g.text, "takes no body") {
			t.Errorf("%s: %s", verb, g.text)
		}
	}
	b.do("POST", "/api/v1/runs/a/resume", map[string]any{}).want(t, 202)
}

// TestCancelOfAnotherProcess names where the run is.
func TestCancelOfAnotherProcess(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.goesOn("11")
	b.held("live")
	if g := b.do("POST", "/api/v1/runs/live/cancel", nil).want(t, 409); !strings.Contains(g.text, "is executed by another process: cancel it there") {
		t.Error(g.text)
	}
}
