package server

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/store"
)

// judgedRun stores a finished run with a judged metric, whose judge is right but for every
// seventh case. Its answers are those of every other run with the same text.
func (b *bench) judgedRun(id, answers string, n int, change ...func(*assay.Record)) {
	b.t.Helper()
	h := assay.Header{ID: id, Name: "named " + id, State: stateFinished, Started: time.Unix(1, 0), Finished: time.Unix(2, 0),
		Dataset: assay.DatasetInfo{Name: "d", Hash: "h", Cases: n}, Judge: &assay.JudgeInfo{Provider: "p", Model: "m"},
		Metrics: []assay.MetricInfo{{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: [2]float64{0, 1}, Judged: true, Version: 1}}}
	if err := b.store.CreateRun(b.t.Context(), h); err != nil {
		b.t.Fatal(err)
	}
	var records []assay.Record
	for i := range n {
		records = append(records, assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprint("q", i), Question: fmt.Sprintf("What is %d?", i)},
			Response: &assay.Response{Answer: fmt.Sprint(answers, i), Passages: []assay.Passage{{Text: fmt.Sprint("passage ", i)}}},
			Scores:   map[string]assay.Score{"faithfulness": judgedScore(i)}})
		for _, f := range change {
			f(&records[i])
		}
	}
	if err := b.store.Put(b.t.Context(), id, records...); err != nil {
		b.t.Fatal(err)
	}
}

// judgedScore is what the judge says of case i.
func judgedScore(i int) assay.Score {
	value := 0.0625 + 0.875*personSays(i)
	if i%7 == 0 {
		value = 1 - value
	}
	s := assay.Value(value)
	s.Reason = fmt.Sprintf("the judge's own reason %d", i)
	return s
}

// personSays is what people say of case i.
func personSays(i int) float64 {
	if i%3 == 0 {
		return 0
	}
	return 1
}

// label gives a label, and returns the reply.
func (b *bench) label(run string, more map[string]any, headers ...string) got {
	b.t.Helper()
	body := map[string]any{"run_id": run, "metric": "faithfulness", "how": "random"}
	for k, v := range more {
		body[k] = v
	}
	return b.do("POST", "/api/v1/labels", body, headers...)
}

// labelSample labels cases in the random order.
func (b *bench) labelSample(run string, n int) {
	b.t.Helper()
	for range n {
		next := read[labelNext](b.t, b.do("GET", "/api/v1/labels/next?metric=faithfulness&run_id="+run, nil).want(b.t, 200))
		var i int
		if _, err := fmt.Sscanf(next.Case, "q%d", &i); err != nil {
			b.t.Fatal(err)
		}
		b.label(run, map[string]any{"case_id": next.Case, "value": personSays(i)}).want(b.t, 201)
	}
}

// labelledRun stores a judged run with labels that count.
func (b *bench) labelledRun(id string) {
	b.t.Helper()
	b.judgedRun(id, "says ", 60)
	b.labelSample(id, 35)
	b.label(id, map[string]any{"case_id": "q1", "value": 1}).want(b.t, 201)
}

// TestLabelsHaveVersions: a change is a new version, a conflict tells both, what changes
// nothing is no version, and the history stays after a withdrawal.
func TestLabelsHaveVersions(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 4)
	first := b.label("a", map[string]any{"case_id": "q1", "value": 1}).want(t, 201)
	l := read[LabelView](t, first)
	if first.Header.Get("ETag") != `"1"` || l.Version != 1 || l.Annotator != "me" {
		t.Fatalf("%v %+v", first.Header, l)
	}
	path := "/api/v1/labels/" + l.ID
	again := b.label("a", map[string]any{"case_id": "q1", "value": 1}, "If-Match", "0").want(t, 201)
	if again.Header.Get("ETag") != `"1"` {
		t.Errorf("the same label again is version %s", again.Header.Get("ETag"))
	}
	b.do("PATCH", path, `{"value":0,"comment":"no source"}`, "If-Match", `"1"`).want(t, 200)
	lost := b.label("a", map[string]any{"case_id": "q1", "unsure": true}, "If-Match", `"1"`).want(t, 412)
	for _, want := range []string{`it is version 2: 0`, `yours, of version 1: unsure`} {
		if !strings.Contains(lost.text, want) {
			t.Errorf("no %q in %s", want, lost.text)
		}
	}
	b.label("a", map[string]any{"case_id": "q2", "value": 1}, "If-Match", `"1"`).want(t, 412)
	b.do("PATCH", path, `{"unsure":true}`, "If-Match", `"2"`).want(t, 200)
	for body, status := range map[string]int{`{"value":1,"unsure":true}`: 400, `{"unsure":false}`: 400, `{"value":"x"}`: 400} {
		b.do("PATCH", path, body).want(t, status)
	}
	for _, wrong := range []map[string]any{{"value": 1, "unsure": true}, {}, {"value": 1, "how": "guess"}} {
		wrong["case_id"] = "q1"
		b.label("a", wrong).want(t, 400)
	}
	b.label("a", map[string]any{"case_id": "q1", "value": 1}, "If-Match", "x").want(t, 400)
	b.do("DELETE", path, nil, "If-Match", `"2"`).want(t, 412)
	b.do("DELETE", path, nil, "If-Match", `"3"`).want(t, 200)
	b.do("DELETE", path, nil).want(t, 200)
	if all := read[page[LabelView]](t, b.do("GET", "/api/v1/labels?run_id=a", nil)); all.Total != 0 {
		t.Errorf("a withdrawn label is listed: %+v", all)
	}
	kept := read[labelHistory](t, b.do("GET", path, nil).want(t, 200))
	if !kept.Withdrawn || kept.Version != 4 || len(kept.History) != 3 || *kept.History[0].Value != 1 || kept.History[1].Comment != "no source" ||
		!kept.History[2].Unsure {
		t.Errorf("the history is %+v", kept)
	}
	b.do("GET", "/api/v1/labels/"+l.ID[:35]+"0", nil).want(t, 404)
	// A key makes a label of a retry.
	for range 2 {
		b.label("a", map[string]any{"case_id": "q3", "value": 1}, "Idempotency-Key", "k3").want(t, 201)
	}
	b.label("a", map[string]any{"case_id": "q2", "value": 0, "annotator": "wong"}).want(t, 201)
	for query, want := range map[string]int{"": 2, "&case_id=q2": 1, "&annotator=me": 1, "&metric=faithfulness": 2, "&metric=mrr": 0} {
		if all := read[page[LabelView]](t, b.do("GET", "/api/v1/labels?run_id=a"+query, nil)); all.Total != want {
			t.Errorf("%s: %d labels, want %d", query, all.Total, want)
		}
	}
	b.do("GET", "/api/v1/labels?run_id=a&metric=none", nil).want(t, 400)
}

// TestLabelsOfOneMoment: of many who give the first label of a case at once, one does, on
// whichever server.
func TestLabelsOfOneMoment(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 2)
	other := startOn(t, b.store)
	var mu sync.Mutex
	codes := map[int]int{}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			g := []*bench{b, other}[i%2].label("a", map[string]any{"case_id": "q1", "value": i}, "If-Match", "0")
			mu.Lock()
			codes[g.StatusCode]++
			mu.Unlock()
		})
	}
	all.Wait()
	if codes[201] != 1 || codes[412] != 11 {
		t.Errorf("%v: want one label and eleven conflicts", codes)
	}
}

// TestLabelsOfEarlierVersions are read, and changed in their place.
func TestLabelsOfEarlierVersions(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 40)
	id, err := b.server.newID()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.PutItem(t.Context(), store.Item{Kind: store.KindLabel, ID: id, Name: `["q1" "faithfulness" "wong"]`, Parent: "a",
		Created: epoch, Updated: epoch, Body: []byte(`{"run_id":"a","case_id":"q1","metric":"faithfulness","value":1,"annotator":"wong"}`)}); err != nil {
		t.Fatal(err)
	}
	c := read[struct {
		N      int
		Labels map[string]int
	}](t, b.do("GET", "/api/v1/calibration?run_id=a&metric=faithfulness", nil).want(t, 200))
	if c.N != 1 || c.Labels["undeclared"] != 1 {
		t.Errorf("%+v: want the label, and that nobody says how its case was chosen", c)
	}
	g := read[LabelView](t, b.label("a", map[string]any{"case_id": "q1", "value": 0, "annotator": "wong"}).want(t, 201))
	if g.ID != id || g.Version != 2 || g.How != "" {
		t.Errorf("%+v: want version 2 of the label", g)
	}
}

// TestLabelsAreOfTheToken: whose labels they are says the token; who may read may not label,
// who may label may not start, and nobody changes the labels of others.
func TestLabelsAreOfTheToken(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	b.judgedRun("a", "says ", 4)
	tokens := map[string]string{}
	for name, scope := range map[string]Scope{"wong": ScopeLabel, "lee": ScopeLabel, "reader": ScopeRead, "boss": ScopeAdmin} {
		id, err := b.server.newID()
		if err != nil {
			t.Fatal(err)
		}
		tokens[name], err = NewToken(t.Context(), b.store, Token{ID: id, Name: name, Scope: scope, Created: epoch}, b.server.cfg.World.Random)
		if err != nil {
			t.Fatal(err)
		}
	}
	b.token = tokens["reader"]
	b.label("a", map[string]any{"case_id": "q1", "value": 1}).want(t, 403)
	b.token = tokens["wong"]
	l := read[LabelView](t, b.label("a", map[string]any{"case_id": "q1", "value": 1}).want(t, 201))
	if l.Annotator != "wong" {
		t.Errorf("the label is that of %q", l.Annotator)
	}
	if g := b.label("a", map[string]any{"case_id": "q1", "value": 1, "annotator": "lee"}).want(t, 422); !strings.Contains(g.text, `of \"wong\"`) {
		t.Errorf("%s: want whose labels they are", g.text)
	}
	b.do("POST", "/api/v1/runs", `{"dataset":"x"}`).want(t, 403)
	b.token = tokens["lee"]
	b.do("PATCH", "/api/v1/labels/"+l.ID, `{"value":0}`).want(t, 403)
	b.do("DELETE", "/api/v1/labels/"+l.ID, nil).want(t, 403)
	if lee := read[LabelView](t, b.label("a", map[string]any{"case_id": "q1", "value": 0}).want(t, 201)); lee.ID == l.ID {
		t.Error("the label of one person replaced that of another")
	}
	b.token = tokens["boss"]
	b.do("DELETE", "/api/v1/labels/"+l.ID, nil).want(t, 200)
}

// TestLabelsTravel: a run with the same answers has the labels of another, as far as its
// random sample goes, also once the other is deleted; changed answers are asked for again.
func TestLabelsTravel(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 60)
	b.labelSample("a", 40)
	next := func(run string) labelNext {
		return read[labelNext](t, b.do("GET", "/api/v1/labels/next?metric=faithfulness&run_id="+run, nil).want(t, 200))
	}
	b.judgedRun("b", "says ", 60)
	if at, is := next("a"), next("b"); at != is || is.Done != 40 || is.Left != 20 {
		t.Errorf("the run with the same answers is at %+v, the first at %+v", is, at)
	}
	counts := func(run string) map[string]int {
		return read[struct{ Labels map[string]int }](t, b.do("GET", "/api/v1/calibration?metric=faithfulness&run_id="+run, nil)).Labels
	}
	if c := counts("b"); c["counted"] != 40 || c["carried"] != 40 {
		t.Errorf("counts of the second run: %v", c)
	}
	// The eleventh case of the order has another answer: the labels beyond it are those of
	// answers that stayed the same, and no sample.
	q, err := b.server.labelQueue(t.Context(), mustRun(t, b, "b"), mustRun(t, b, "b").Metrics[0], "nobody", judge.Random, 0)
	if err != nil {
		t.Fatal(err)
	}
	changed := q.cases.ID(q.order[10])
	b.judgedRun("c", "says ", 60, func(r *assay.Record) {
		if r.Case.ID == changed {
			r.Response.Answer = "something else"
		}
	})
	if is := next("c"); is.Case != changed || is.Done != 10 {
		t.Errorf("the next case is %+v, want %s after 10", is, changed)
	}
	if c := counts("c"); c["counted"] != 10 {
		t.Errorf("counts before the changed case: %v", c)
	}
	b.label("c", map[string]any{"case_id": changed, "value": 1}).want(t, 201)
	b.do("DELETE", "/api/v1/runs/a", nil).want(t, 200)
	if c := counts("c"); c["counted"] != 40 || c["carried"] != 39 {
		t.Errorf("counts with the changed case: %v", c)
	}
}

func mustRun(t *testing.T, b *bench, id string) assay.Header {
	t.Helper()
	h, err := b.store.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestLabelQueue: the random order is that of the seed, and each case comes once; the cases
// on which the judge is least sure come first if they are asked for, and do not count.
func TestLabelQueue(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 50, func(r *assay.Record) {
		if r.Seq == 33 {
			r.Scores["faithfulness"] = assay.Score{State: assay.Scored, Value: 0.9, Lower: 0.2, Upper: 1}
		}
	})
	ask := func(query string) labelNext {
		return read[labelNext](t, b.do("GET", "/api/v1/labels/next?metric=faithfulness&run_id=a"+query, nil).want(t, 200))
	}
	order := func(query string) string {
		var ids []string
		for after := ""; len(ids) < 50; after = ids[len(ids)-1] {
			ids = append(ids, ask(query+"&after="+after).Case)
		}
		return strings.Join(ids, " ")
	}
	zero, one := order(""), order("&seed=1")
	if zero != order("&seed=0") || zero == one {
		t.Errorf("orders of two seeds:\n%s\n%s", zero, one)
	}
	for i := range 50 {
		if strings.Count(one+" ", fmt.Sprint("q", i, " ")) != 1 {
			t.Errorf("q%d is not there once: %s", i, one)
		}
	}
	if first := ask("&how=unsure"); first.Case != "q33" {
		t.Errorf("%s is first, want the case with unknown rulings", first.Case)
	}
	b.label("a", map[string]any{"case_id": "q33", "value": 1, "how": "unsure"}).want(t, 201)
	b.label("a", map[string]any{"case_id": "q1", "value": 1, "sighted": true}).want(t, 201)
	b.label("a", map[string]any{"case_id": "q2", "unsure": true}).want(t, 201)
	if is := ask(""); is.Done != 3 || is.Left != 47 {
		t.Errorf("%+v: want three done", is)
	}
	if g := b.do("GET", "/api/v1/calibration?metric=faithfulness&run_id=a", nil).want(t, 409); !strings.Contains(g.text,
		"1 of cases that were not drawn at random, 1 given with sight of the judge's score, 1 unsure") {
		t.Errorf("%s: want why no label counts", g.text)
	}
	b.do("GET", "/api/v1/labels/next?metric=none&run_id=a", nil).want(t, 400)
	h := mustRun(t, b, "a")
	h.State, h.Finished = stateRunning, time.Time{}
	if err := b.store.UpdateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	b.held("a")
	b.do("GET", "/api/v1/labels/next?metric=faithfulness&run_id=a", nil).want(t, 409)
}

// TestLabelsAsATable: the labels that count are exported, with a column for each person.
func TestLabelsAsATable(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 60)
	b.labelSample("a", 35)
	b.label("a", map[string]any{"case_id": "q1", "value": 1, "annotator": "wong"}).want(t, 201)
	b.label("a", map[string]any{"case_id": "q2", "value": 1, "annotator": "wong", "how": "chosen"}).want(t, 201)
	table := b.do("GET", "/api/v1/labels.csv?metric=faithfulness&run_id=a", nil).want(t, 200).text
	if lines := strings.Split(strings.TrimSpace(table), "\n"); lines[0] != "case,run,label,label2" || len(lines) < 36 {
		t.Fatalf("the table is %s", table)
	}
	b.do("GET", "/api/v1/labels.csv?metric=none&run_id=a", nil).want(t, 400)
}
