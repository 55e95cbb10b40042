package server

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// confirmed returns the form that starts a run, from the page with its estimate.
func confirmed(t *testing.T, page string) url.Values {
	t.Helper()
	_, form, ok := strings.Cut(page, `class="confirm"`)
	if !ok {
		t.Fatalf("the page has no form that starts the run: %s", page)
	}
	form, _, _ = strings.Cut(form, "</form>")
	out := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(form, -1) {
		out.Set(m[1], html.UnescapeString(m[2]))
	}
	return out
}

// post sends a form.
func (b *bench) post(path string, form url.Values, headers ...string) got {
	b.t.Helper()
	return b.do("POST", path, form.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
}

// TestStartARun estimates first, and starts once: the form sent twice, also at the same
// moment, starts one run; the page opened again another.
func TestStartARun(t *testing.T) {
	b := start(t, withRivers(t))
	address := "/new?dataset=rivers.jsonl&name=first&sample=2&metrics=mrr&metrics=hit@1&more=" + url.QueryEscape("top-k=2") + "&estimate=1"
	text := b.see(address)
	for _, want := range []string{"2 cases: the target (builtin) is asked 2 times", "gave a response", "No metric is judged",
		"How long it takes is not known", "<code>mrr</code>, <code>hit@1</code>", "Start the run: 2 cases"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the estimate: %s", want, text)
		}
	}
	if n := b.server.queue.waiting[laneRuns]; len(n) != 0 {
		t.Fatalf("an estimate started %v", n)
	}
	form := confirmed(t, text)
	var clicks sync.WaitGroup
	var mu sync.Mutex
	to := map[string]bool{}
	for range 5 {
		clicks.Go(func() {
			g := b.post("/new", form)
			mu.Lock()
			defer mu.Unlock()
			if to[g.Header.Get("Location")] = true; g.StatusCode != http.StatusSeeOther {
				t.Errorf("status %d: %s", g.StatusCode, g.text)
			}
		})
	}
	clicks.Wait()
	runs := read[page[RunView]](t, b.do("GET", "/api/v1/runs", nil).want(t, 200))
	if runs.Total != 1 || len(to) != 1 || !to["/runs/"+runs.Items[0].ID] {
		t.Fatalf("%d runs, sent to %v", runs.Total, to)
	}
	first := b.ended(runs.Items[0].ID)
	if first.State != stateFinished || first.Cases != 2 || first.Name != "first" || strings.Join(first.Metrics, " ") != "mrr hit@1" {
		t.Errorf("the run: %+v", first)
	}
	h, err := b.store.Run(t.Context(), first.ID)
	if err != nil || h.Config["top-k"] != "2" {
		t.Errorf("other settings: %v (%v)", h.Config["top-k"], err)
	}
	// The run leads to the form with its choices, and its duration is that of the next one.
	again := b.see("/runs/" + first.ID)
	if !strings.Contains(again, `href="/new?like=`+first.ID+`"`) {
		t.Fatalf("no link to run it again: %s", again)
	}
	g := b.do("GET", "/new?like="+first.ID, nil)
	if g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") !=
		"/new?dataset=rivers.jsonl&metrics=mrr%2Chit%401&more=top-k%3D2&name=first&sample=2" {
		t.Fatalf("again: %d %v", g.StatusCode, g.Header)
	}
	text = b.see(g.Header.Get("Location") + "&estimate=1")
	if !strings.Contains(text, `href="/runs/`+first.ID+`">as an earlier run took`) {
		t.Errorf("the duration is not that of the earlier run: %s", text)
	}
	if g := b.post("/new", confirmed(t, text)); g.Header.Get("Location") == "/runs/"+first.ID {
		t.Error("the page opened again starts no other run")
	}
}

// TestStartSaysWhatIsWrong: every mistake stands by its field with what was typed, on the page
// of the estimate and after a form that is sent alone.
func TestStartSaysWhatIsWrong(t *testing.T) {
	b := start(t, withRivers(t))
	q := url.Values{"dataset": {"none"}, "repeat": {"x"}, "metrics": {"mrq"}, "max-cost": {"-1"}, "more": {"foo=1\nstore=x"}}
	text := b.see("/new?estimate=1&" + q.Encode())
	for _, want := range []string{"<code>dataset</code>", "<code>repeat</code>", "<code>metrics</code>", "<code>max-cost</code>", "<code>foo</code>",
		"<code>store</code>", `value="x" inputmode="numeric" maxlength="20" placeholder="1" autocomplete="off" aria-invalid="true"`, `value="mrq"`,
		`<option value="none" selected>`, "foo=1\nstore=x</textarea>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, `class="confirm"`) {
		t.Error("what is wrong can be started")
	}
	q.Set("once", "k")
	g := b.post("/new", q)
	if g.StatusCode != http.StatusSeeOther || !strings.Contains(g.Header.Get("Location"), "estimate=1") ||
		!strings.Contains(g.Header.Get("Location"), "repeat=x") {
		t.Errorf("sent alone: %d %v", g.StatusCode, g.Header)
	}
	// A form without a key, and one that has a key and no mistake.
	good := url.Values{"dataset": {"rivers.jsonl"}}
	if g := b.post("/new", good); g.StatusCode != http.StatusSeeOther || !strings.HasPrefix(g.Header.Get("Location"), "/new?") {
		t.Errorf("without a key: %d %v", g.StatusCode, g.Header)
	}
	if runs := read[page[RunView]](t, b.do("GET", "/api/v1/runs", nil).want(t, 200)); runs.Total != 0 {
		t.Errorf("%d runs were started", runs.Total)
	}
	// A target that does not answer is told before the start.
	c := start(t, withRivers(t, "adapter=http", "endpoint=http://127.0.0.1:1/ask", "timeout=1s", "retries=0"))
	if text := c.see("/new?dataset=rivers.jsonl&estimate=1"); !strings.Contains(text, "gave no response: ") ||
		!strings.Contains(text, "What the target itself costs is not known") {
		t.Errorf("a target that is away: %s", text)
	}
}

// TestStartNeedsItsScope: a token that reads sees the form disabled, with the reason, and
// starts and cancels nothing; nor does another origin, which cannot ask for an estimate either;
// nor does a server that only shows runs.
func TestStartNeedsItsScope(t *testing.T) {
	b := start(t, withRivers(t), func(c *Config) { c.Tokens = true })
	form := url.Values{"dataset": {"rivers.jsonl"}, "once": {"k"}}
	_, b.token = b.issue(ScopeLabel, time.Time{})
	text := b.see("/new?dataset=rivers.jsonl&estimate=1")
	if !strings.Contains(text, "a token of scope run does") || strings.Count(text, " disabled") < 4 || strings.Contains(text, "What it would take") {
		t.Errorf("a token that labels: %s", text)
	}
	if strings.Contains(b.see("/"), `href="/new"`) {
		t.Error("the list of runs offers what the token does not allow")
	}
	for _, path := range []string{"/new", "/runs/x/cancel"} {
		if g := b.post(path, form); g.StatusCode != http.StatusForbidden || !strings.Contains(g.text, "this request needs run") {
			t.Errorf("%s with scope label: %d %s", path, g.StatusCode, g.text)
		}
	}
	_, b.token = b.issue(ScopeRun, time.Time{})
	if !strings.Contains(b.see("/"), `href="/new"`) {
		t.Error("the list of runs does not offer a new run")
	}
	for _, path := range []string{"/new", "/runs/x/cancel"} {
		if g := b.post(path, form, "Sec-Fetch-Site", "cross-site"); g.StatusCode != http.StatusForbidden {
			t.Errorf("%s from another origin: %d", path, g.StatusCode)
		}
	}
	if text := b.see("/new?dataset=rivers.jsonl&estimate=1", "Sec-Fetch-Site", "cross-site"); strings.Contains(text, "What it would take") {
		t.Error("another origin asks for an estimate")
	}
	v := start(t, withRivers(t), func(c *Config) { c.View = true })
	if text := v.see("/new"); !strings.Contains(text, "assay serve starts them") || !strings.Contains(text, " disabled") {
		t.Errorf("a server that only shows: %s", text)
	}
	if g := v.post("/new", form); g.StatusCode != http.StatusForbidden {
		t.Errorf("a server that only shows starts: %d", g.StatusCode)
	}
}

// TestPagesCancelARun: the page of a run that waits has a button that cancels it.
func TestPagesCancelARun(t *testing.T) {
	b := start(t, withRivers(t))
	id := b.begin(`{"dataset":"rivers.jsonl","config":{"rate":0.2}}`)
	text := b.see("/runs/" + id)
	if !strings.Contains(text, `action="/runs/`+id+`/cancel"`) {
		t.Fatalf("no button: %s", text)
	}
	if g := b.post("/runs/"+id+"/cancel", nil); g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") != "/runs/"+id {
		t.Errorf("cancelled: %d %s", g.StatusCode, g.text)
	}
	if v := b.ended(id); v.State != stateCancelled {
		t.Errorf("the run is %s", v.State)
	}
	if strings.Contains(b.see("/runs/"+id), "/cancel") {
		t.Error("a run that ended can be cancelled")
	}
}

// TestStartIsSafe: names that attack, of datasets, of targets and of what was typed, are text.
func TestStartIsSafe(t *testing.T) {
	b := start(t, withRivers(t))
	q := url.Values{"dataset": {attack}, "target": {attack}, "name": {attack}, "metrics": {attack}, "judge": {attack}, "more": {attack + "=" + attack},
		"repeat": {attack}, "estimate": {"1"}}
	for _, language := range []string{"en", "zh-TW"} {
		text := typed.ReplaceAllString(b.see("/new?"+q.Encode(), "Accept-Language", language), "")
		if language == "zh-TW" && (!strings.Contains(text, "<h1>開始執行</h1>") || strings.Contains(text, ">Estimate<") ||
			strings.Contains(text, "<summary>retrieval")) {
			t.Errorf("English on the page: %s", text)
		}
		_, area, _ := strings.Cut(text, "<textarea")
		area, _, _ = strings.Cut(area, "</textarea>")
		for _, bad := range []string{"<script>", "<img", "\x1b", "\u202e"} {
			if strings.Contains(strings.ReplaceAll(text, area, ""), bad) {
				t.Errorf("%q in the page: %s", bad, text)
			}
		}
	}
}

// TestEstimateCountsCanaries: the estimate of a run that judges more than 200 cases has a row of
// its canaries, and its sums count them.
func TestEstimateCountsCanaries(t *testing.T) {
	b := start(t, withRivers(t, "judge=fake:"))
	row := func(text, name string) int {
		m := regexp.MustCompile(`<th scope="row">` + name + `</th><td[^>]*>(\d+)<`).FindStringSubmatch(text)
		if m == nil {
			return 0
		}
		n, _ := strconv.Atoi(m[1])
		return n
	}
	const address = "/new?dataset=rivers.jsonl&sample=2&metrics=faithfulness&estimate=1&repeat="
	text := b.see(address + "101")
	together, canaries := row(text, "Together"), row(text, "Canaries, after the cases")
	if want := fmt.Sprintf("≈ %d calls of models", together+20); together == 0 || canaries != 20 || !strings.Contains(text, want) {
		t.Errorf("%d calls and %d canaries, want 20 and %q: %s", together, canaries, want, text)
	}
	if text := b.see(address + "100"); row(text, "Together") == 0 || strings.Contains(text, "anaries") {
		t.Errorf("canaries of 200 judged cases: %s", text)
	}
}

// TestStartByKeyboard starts a run from the list of runs without a pointer.
func TestStartByKeyboard(t *testing.T) {
	b := start(t, withRivers(t))
	v := b.visit()
	v.open("/")
	v.keys("g", "n")
	v.at("/new")
	v.Focus(`.start-form [name="name"]`)
	v.keys("by hand", kb.Enter)
	v.Until(`location.search.includes("estimate=1") && !!document.querySelector(".confirm")`)
	v.ready()
	v.Focus(`.confirm button`)
	v.keys(kb.Enter)
	v.Until(`location.pathname.startsWith("/runs/")`)
	v.ready()
	v.Until(`document.querySelector("h1").textContent === "by hand"`)
	v.Clean()
}
