package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/report"
)

// rivers is a folder with documents and a dataset about them.
func rivers(t *testing.T) (corpus, datasets string) {
	t.Helper()
	corpus = folder(t, map[string]string{
		"thames.md": "# Thames\nThe Thames flows through London and is 346 km long.",
		"seine.md":  "# Seine\nThe Seine flows through Paris and is 777 km long.",
		"tiber.md":  "# Tiber\nThe Tiber flows through Rome and is 405 km long.",
	})
	var cases strings.Builder
	for i, q := range []string{"London:thames.md", "Paris:seine.md", "Rome:tiber.md"} {
		city, doc, _ := strings.Cut(q, ":")
		fmt.Fprintf(&cases, `{"id":"tc_%d","question":"Which river flows through %s?","expected_sources":[%q]}`+"\n", i+1, city, doc)
	}
	return corpus, folder(t, map[string]string{"rivers.jsonl": cases.String()})
}

// withRivers makes the rivers what a server answers from.
func withRivers(t *testing.T, more ...string) func(*Config) {
	corpus, datasets := rivers(t)
	return func(c *Config) {
		c.Datasets = datasets
		for _, kv := range append([]string{"corpus=" + corpus, "retriever=sparse", "cache=off", "metrics=hit@1,mrr"}, more...) {
			key, v, _ := strings.Cut(kv, "=")
			if err := c.Settings.Set(key, v, config.FromFlag, "test"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// An event is one that came in.
type event struct{ id, name, data string }

// A listener reads the events of a run.
type listener struct {
	t     *testing.T
	lines *bufio.Scanner
}

// listen begins to read the events of a run behind one.
func (b *bench) listen(run, last string) *listener {
	return b.listenAt("/api/v1/runs/"+run+"/events", last)
}

// listenAt begins to read the events of a path behind one; the stream ends with the test.
func (b *bench) listenAt(path, last string) *listener {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), "GET", b.url+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != 200 {
		b.t.Fatalf("events: status %d", res.StatusCode)
	}
	return &listener{b.t, bufio.NewScanner(res.Body)}
}

// until reads events until one of the given name, and gives all that came since
// the last call.
func (l *listener) until(name string) []event {
	l.t.Helper()
	out, ok := l.read(name)
	if !ok {
		l.t.Fatalf("events %v: the stream ended without %q", out, name)
	}
	return out
}

// rest reads events until the stream ends.
func (l *listener) rest() []event {
	out, _ := l.read("")
	return out
}

func (l *listener) read(name string) (out []event, found bool) {
	var e event
	for l.lines.Scan() {
		field, v, _ := strings.Cut(l.lines.Text(), ": ")
		switch field {
		case "id":
			e.id = v
		case "event":
			e.name = v
		case "data":
			e.data = v
		case "":
			if e.name == "" {
				continue // a comment
			}
			out = append(out, e)
			if e.name == name {
				return out, true
			}
			e = event{}
		}
	}
	return out, false
}

// follow reads events until one of the given name, and gives all.
func (b *bench) follow(run, last, until string) []event {
	b.t.Helper()
	return b.listen(run, last).until(until)
}

// begin starts a run and gives its id.
func (b *bench) begin(body any) string {
	b.t.Helper()
	g := b.do("POST", "/api/v1/runs", body).want(b.t, http.StatusAccepted)
	id := read[RunView](b.t, g).ID
	if g.Header.Get("Location") != "/api/v1/runs/"+id {
		b.t.Errorf("location %q, want that of run %q", g.Header.Get("Location"), id)
	}
	return id
}

// ended waits until a run has ended, by its events.
func (b *bench) ended(id string) RunView {
	b.t.Helper()
	b.follow(id, "", "done")
	return read[RunView](b.t, b.do("GET", "/api/v1/runs/"+id, nil).want(b.t, 200))
}

func TestARunFromItsStartToItsReports(t *testing.T) {
	b := start(t, withRivers(t))
	id := b.begin(`{"dataset":"rivers.jsonl","name":"first"}`)
	events := b.follow(id, "", "done")
	var ids []string
	for _, e := range events {
		if e.name == "case" {
			ids = append(ids, e.id)
		}
	}
	if strings.Join(ids, " ") != "1 2 3" {
		t.Errorf("events of cases %v, want 1 2 3 of %v", ids, events)
	}
	if rest := b.follow(id, "2", "done"); rest[0].id != "3" {
		t.Errorf("behind event 2 came %v, want event 3", rest)
	}
	whole := read[struct {
		RunView
		Report struct {
			Schema  string
			Summary map[string]struct{ Mean *float64 }
			Cases   []any
		}
	}](t, b.do("GET", "/api/v1/runs/"+id, nil).want(t, 200))
	if whole.State != stateFinished || whole.Done != 3 || whole.Report.Schema != "assay.report/1" ||
		*whole.Report.Summary["hit@1"].Mean != 1 || len(whole.Report.Cases) != 0 {
		t.Errorf("%+v: want a finished run with hit@1 of 1 and no cases", whole)
	}
	list := read[page[RunView]](t, b.do("GET", "/api/v1/runs?state=finished", nil).want(t, 200))
	if list.Total != 1 || list.Limit != 50 || list.Items[0].ID != id || list.Items[0].Name != "first" {
		t.Errorf("%+v: want the run", list)
	}
	cases := read[page[caseView]](t, b.do("GET", "/api/v1/runs/"+id+"/cases?limit=2&sort=-id&metric=mrr&q=river", nil).want(t, 200))
	if cases.Total != 3 || len(cases.Items) != 2 || cases.Items[0].ID != "tc_3" || *cases.Items[0].Scores["mrr"].Value != 1 {
		t.Errorf("%+v: want tc_3 and tc_2 of 3", cases)
	}
	b.do("GET", "/api/v1/runs/"+id+"/cases?metric=ndgc", nil).want(t, 400)
	for q, want := range map[string]int{
		"": 3, "mrr>0 river": 3, "-id:tc_1": 2, "id:tc_1 OR id:tc_3": 2, "rivers nowhere": 0, "status:error": 0, "hit@1:value stage:none": 3,
	} {
		at := "/api/v1/runs/" + id + "/cases?limit=2&q=" + url.QueryEscape(q)
		if l := read[page[caseView]](t, b.do("GET", at, nil).want(t, 200)); l.Total != want || len(l.Items) != min(want, 2) {
			t.Errorf("%q: %d of %d: want %d", q, len(l.Items), l.Total, want)
		}
		if l := read[page[caseView]](t, b.do("GET", at+"&metric=mrr&below=0.5", nil).want(t, 200)); l.Total != 0 {
			t.Errorf("%q below 0.5: %d: want none", q, l.Total)
		}
	}
	for q, want := range map[string]string{
		"river mmr<1": `column 7: the run has no metric \"mmr\", and no field is called so: did you mean \"mrr\"?`,
		`"river`:      "column 1: this quote",
		"tag:nowhere": "column 5: no case has the tag",
	} {
		g := b.do("GET", "/api/v1/runs/"+id+"/cases?q="+url.QueryEscape(q), nil).want(t, 400)
		if !strings.Contains(g.text, want) || !strings.Contains(g.text, `"location":"query.q"`) {
			t.Errorf("%q: %s: want %s", q, g.text, want)
		}
	}
	rec := read[assay.Record](t, b.do("GET", "/api/v1/runs/"+id+"/cases/tc_2", nil).want(t, 200))
	if rec.Case.ID != "tc_2" || rec.Response.Passages[0].Document != "seine.md" || rec.Response.Trace == nil {
		t.Errorf("%+v: want the record of tc_2 with its trace", rec)
	}
	b.do("GET", "/api/v1/runs/"+id+"/cases/tc_9", nil).want(t, 404)
	for _, f := range report.Formats {
		g := b.do("GET", "/api/v1/runs/"+id+"/report"+f.Ext, nil).want(t, 200)
		if g.Header.Get("Content-Type") != f.Media || (f.Name == "json" || f.Name == "html") && !strings.Contains(g.text, "tc_2") {
			t.Errorf("report%s: %s of %d bytes", f.Ext, g.Header.Get("Content-Type"), len(g.text))
		}
	}
	for _, ask := range []struct{ query, accept, want string }{
		{"?language=zh-Hant", "", "zh-Hant"}, {"", "zh-TW, en;q=0.5", "zh-Hant"}, {"?language=en", "zh-TW", "en"}, {"", "fr", "en"},
	} {
		page := b.do("GET", "/api/v1/runs/"+id+"/report.html"+ask.query, nil, "Accept-Language", ask.accept).want(t, 200)
		if page.Header.Get("Content-Language") != ask.want || !strings.Contains(page.text, `<html lang="`+ask.want+`">`) {
			t.Errorf("%+v: Content-Language %q", ask, page.Header.Get("Content-Language"))
		}
	}
	b.do("GET", "/api/v1/runs/"+id+"/report.html?language=yue", nil).want(t, 400)
	b.do("POST", "/api/v1/runs/"+id+"/resume", nil).want(t, 409)
	b.do("POST", "/api/v1/runs/"+id+"/cancel", nil).want(t, 409)
	b.do("DELETE", "/api/v1/runs/"+id, nil).want(t, 200)
	b.do("GET", "/api/v1/runs/"+id, nil).want(t, 404)
}

func TestARequestMaySetOnlyWhatHarmsNobody(t *testing.T) {
	b := start(t, withRivers(t), func(c *Config) { c.Endpoints = []string{"http://rag.example/api"} })
	for _, c := range []struct{ config, says string }{
		{`{"judge-url":"http://evil.example"}`, "server's alone"},
		{`{"judge-key-env":"AWS_SECRET_ACCESS_KEY"}`, "server's alone"},
		{`{"openai":{"key-env":"AWS_SECRET_ACCESS_KEY"}}`, "server's alone"},
		{`{"providers":{"evil":{"kind":"openai","base_url":"http://evil.example"}}}`, "server's alone"},
		{`{"command":"rm -rf /"}`, "server's alone"},
		{`{"corpus":"/etc"}`, "server's alone"},
		{`{"http":{"headers":{"X":"y"}}}`, "server's alone"},
		{`{"http":{"proxy":"http://evil.example"}}`, "server's alone"},
		{`{"rubric":"/etc/passwd"}`, "server's alone"},
		{`{"store":"/tmp/x.db"}`, "server's alone"},
		{`{"output":"/tmp/x"}`, "server's alone"},
		{`{"dataset":"/etc/passwd"}`, "not a path"},
		{`{"dataset":"../rivers.jsonl"}`, "not a path"},
		{`{"baseline":"/etc/passwd"}`, "no such baseline"},
		{`{"judge":"openai:gpt"}`, "provider not configured"},
		{`{"judge":"fake:/etc/passwd"}`, "provider not configured"},
		{`{"judge":"fake"}`, "provider not configured"},
		{`{"endpoint":"http://169.254.169.254/latest"}`, "not allowed"},
		{`{"endpoint":"http://rag.example/apiX"}`, "not allowed"},
		{`{"endpoint":"http://rag.example/api/../admin"}`, "not allowed"},
		{`{"endpoint":"http://rag.example/api@evil.example"}`, "not allowed"},
		{`{"metrics":["ndgc@10"]}`, "ndcg@10"},
		{`{"top_q":1}`, "unknown setting"},
		{`{"top-k":"many"}`, "top-k"},
		{`{"concurrency":1000}`, "at most 64"},
		{`{"gate":{"rules":["hit@1 is fine"]}}`, "hit@1 is fine"},
		{`{"embedder":"ada"}`, `"body.config.embedder"`},
		{`{"embedder":""}`, `"body.config.embedder"`},
		{`{"chunk":{"method":"page"}}`, `"body.config.chunk.method"`},
		{`{"chunk":{"size":0}}`, `"body.config.chunk.size"`},
		{`{"chunk":{"method":"recursive","size":10,"overlap":6}}`, `"body.config.chunk.overlap"`},
		{`{"chunk":{"size":10}}`, "half of the size"},
		{`{"retriever":"grep"}`, `"body.config.retriever"`},
		{`{"top-k":0}`, `"body.config.top-k"`},
	} {
		body := `{"dataset":"rivers.jsonl","config":` + c.config + `}`
		if strings.Contains(c.config, `"dataset"`) {
			body = `{"config":` + c.config + `}`
		}
		g := b.do("POST", "/api/v1/runs", body)
		if g.StatusCode != 400 {
			t.Errorf("%s: status %d, want 400", c.config, g.StatusCode)
		}
		if !strings.Contains(g.text, c.says) {
			t.Errorf("%s: %s: want %q in it", c.config, g.text, c.says)
		}
	}
	g := b.do("POST", "/api/v1/runs", `{"dataset":"rivers.jsonl","target":"nosuch"}`).want(t, 400)
	if !strings.Contains(g.text, "default") {
		t.Errorf("%s: want the names of targets", g.text)
	}
	if list := read[page[RunView]](t, b.do("GET", "/api/v1/runs", nil).want(t, 200)); list.Total != 0 {
		t.Errorf("%d runs were made", list.Total)
	}
}

func TestARequestExpandsNoVariables(t *testing.T) {
	b := start(t, withRivers(t), func(c *Config) {
		c.Settings.Variables = config.Environ(func(string) string { return "planted" })
	})
	id := b.begin(`{"config":{"dataset":"rivers.jsonl","name":"${OPENAI_API_KEY}"}}`)
	if v := b.ended(id); v.Name != "${OPENAI_API_KEY}" {
		t.Errorf("name %q, want what was written", v.Name)
	}
}

func TestARunIsMadeOfItsSettings(t *testing.T) {
	b := start(t, withRivers(t))
	id := b.begin(`{"config":{"dataset":"rivers.jsonl","metrics":["recall@5"],"top_k":2,"limit":2,"chunk":{"size":80},"thresholds":{"recall@5":0.5},"seed":18446744073709551615}}`)
	b.ended(id)
	h, err := b.store.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if h.Config["top-k"] != "2" || h.Config["chunk.size"] != "80" || h.Config["limit"] != "2" ||
		h.Config["thresholds.recall@5"] != "0.5" || h.Seed != 1<<64-1 || h.Dataset.Cases != 2 {
		t.Errorf("%+v: want what was asked for", h)
	}
}

func TestARunThatCannotBeginSaysWhy(t *testing.T) {
	b := start(t, withRivers(t, "corpus="+filepath.Join(t.TempDir(), "gone")))
	v := b.ended(b.begin(`{"dataset":"rivers.jsonl"}`))
	if v.State != stateFailed || !strings.Contains(strings.Join(v.Warnings, " "), "gone") {
		t.Errorf("%+v: want a failed run that says why", v)
	}
}

// eventData reads the data of the last event.
func eventData[T any](t *testing.T, events []event) (out T) {
	t.Helper()
	if err := json.Unmarshal([]byte(events[len(events)-1].data), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
