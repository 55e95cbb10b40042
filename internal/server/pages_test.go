package server

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// attack holds what must never act on a page: markup, ends of scripts, control characters,
// marks that turn the order of letters around.
const attack = "<script>window.hacked=1</script>\"><img src=x onerror=\"window.hacked=2\"> </script>" +
	"<!-- `x` [a](javascript:window.hacked=3) \x1b[31m \u202egnp.exe\u202c \u0085 {{.}} ${x}"

// hostileRun stores a run whose every text attacks. Its cases are h0, h1, … three with
// ids that are hard to address, and one with texts of a million letters.
func (b *bench) hostileRun(id string, n int) {
	b.t.Helper()
	h := assay.Header{ID: id, Name: "run " + attack, State: stateFinished, Started: time.Unix(5, 0), Finished: time.Unix(6, 0),
		Dataset: assay.DatasetInfo{Name: attack, Hash: "h", Cases: n + 4},
		Target:  assay.TargetInfo{Adapter: "http", Endpoint: "http://x/" + attack},
		Config:  map[string]string{"top_k": attack}, Warnings: []string{attack},
		Metrics: []assay.MetricInfo{
			{Name: "hit@1", Title: "Hit@1 " + attack, Better: "higher", Range: [2]float64{0, 1}, Version: 1},
			{Name: "rubric.tone", Title: attack, Better: "higher", Range: [2]float64{0, 1}, Version: 1, Judged: true},
		}}
	if err := b.store.CreateRun(b.t.Context(), h); err != nil {
		b.t.Fatal(err)
	}
	ids := []string{"..", "~a/b?c#d", attack, "long"}
	for i := range n {
		ids = append(ids, fmt.Sprint("h", i))
	}
	for i, caseID := range ids {
		r := assay.Record{Seq: i, Attempts: 1, Answer: assay.AnswerWrong, Case: assay.Case{ID: caseID, Question: fmt.Sprint(i, attack, " 拾獲的雨傘"),
			Tags: []string{attack, "plain"}, Want: assay.Want{Answers: []string{attack}}},
			Response: &assay.Response{Answer: attack, Passages: []assay.Passage{{ID: attack, Source: attack, Title: attack, Text: attack}},
				Warnings: []string{attack}, Latency: time.Millisecond, Trace: &assay.Trace{Stages: []assay.Stage{{
					Name: assay.StageGenerate, Model: attack, Prompt: attack, Note: attack, Latency: time.Millisecond, Output: []byte(`"<b>x</b>"`)}}}},
			Scores: map[string]assay.Score{"hit@1": {State: assay.Scored, Value: float64(i % 2), Reason: attack, Lower: float64(i % 2),
				Upper: float64(i % 2), Evidence: []assay.Evidence{{Kind: "unsupported", Text: attack, Where: attack}}},
				"rubric.tone": {State: assay.JudgeError, Reason: attack}},
		}
		if caseID == "long" {
			r.Response.Answer, r.Response.Passages[0].Text = strings.Repeat("w", 1<<20), strings.Repeat("拾", 1<<18)
		}
		if err := b.store.Put(b.t.Context(), id, r); err != nil {
			b.t.Fatal(err)
		}
	}
}

// see reads a page.
func (b *bench) see(path string, headers ...string) string {
	b.t.Helper()
	g := b.do("GET", path, nil, headers...).want(b.t, http.StatusOK)
	if p := g.Header.Get("Content-Security-Policy"); p != web.Policy {
		b.t.Errorf("%s: policy %q", path, p)
	}
	return g.text
}

var (
	hrefs   = regexp.MustCompile(`href="([^"]*)"`)
	typed   = regexp.MustCompile(`value="[^"]*"`)
	rowOpen = regexp.MustCompile(`<a class="open" href="([^"]*)"[^>]*>([^<]*)</a>`)
)

// rowsOf lists the texts of the rows of a page, and their addresses.
func rowsOf(text string) (names, addresses []string) {
	for _, m := range rowOpen.FindAllStringSubmatch(text, -1) {
		names, addresses = append(names, m[2]), append(addresses, html.UnescapeString(m[1]))
	}
	return names, addresses
}

// TestPagesWithoutScripts filters, orders, turns pages and opens cases by links and forms
// alone.
func TestPagesWithoutScripts(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 40))
	if names, addresses := rowsOf(b.see("/")); len(names) != 1 || addresses[0] != "/runs/a" {
		t.Errorf("runs: %v %v", names, addresses)
	}
	if text := b.see("/runs/a"); !strings.Contains(text, `href="/runs/a/cases"`) {
		t.Errorf("the run has no link to its cases: %s", text)
	}
	for _, at := range []string{"/runs/a", "/runs/a/cases"} {
		if text := b.see(at); !strings.Contains(text, "A case is right or wrong by its answer: a judge decides, else the labels.") {
			t.Errorf("%s does not say what makes a case right or wrong", at)
		}
	}
	text := b.see("/runs/a/cases?q=hit@1%3E0&sort=-id")
	names, addresses := rowsOf(text)
	if len(names) != 40 || names[0] != "q99" || !strings.Contains(text, "40 of 120 cases") {
		t.Errorf("filtered and ordered: %v", names)
	}
	// The case knows its place in the list that it was opened from.
	text = b.see(addresses[1])
	for _, want := range []string{"2 of 40", `rel="prev" data-part="case" href="/runs/a/cases/q99?q=hit%401%3E0&amp;sort=-id"`, `rel="next"`,
		`class="back" href="/runs/a/cases?q=hit%401%3E0&amp;sort=-id"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no %s", addresses[1], want)
		}
	}
	// Pages of the list hold every case once.
	seen := map[string]bool{}
	for page := 1; page <= 3; page++ {
		names, _ := rowsOf(b.see(fmt.Sprint("/runs/a/cases?sort=hit@1&page=", page)))
		for _, n := range names {
			if seen[n] {
				t.Errorf("%s is on two pages", n)
			}
			seen[n] = true
		}
	}
	if len(seen) != 120 {
		t.Errorf("%d cases on three pages, want 120", len(seen))
	}
	// A part alone is what a script puts in place of the old one.
	part := b.see("/runs/a/cases?q=q1", "Assay-Part", "list")
	if !strings.HasPrefix(part, `<div id="part-list"`) || strings.Contains(part, "<html") {
		t.Errorf("the part is %.80q", part)
	}
}

// TestPagesFollowFacets: every count of a facet is the number of cases of the list that it
// leads to.
func TestPagesFollowFacets(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x1", 20))
	facet := regexp.MustCompile(`href="([^"]*)"[^>]*>[^<]*</a> <span class="num">(\d+)</span>|href="([^"]*)" aria-label="[^"]*: (\d+) cases?"`)
	found := facet.FindAllStringSubmatch(b.see("/runs/a/cases"), -1)
	if len(found) < 5 {
		t.Fatalf("%d counts on the page", len(found))
	}
	for _, m := range found {
		address, n := html.UnescapeString(m[1]+m[3]), m[2]+m[4]
		if text := b.see(address); !strings.Contains(text, "<b>"+n+" of 80 cases</b>") {
			t.Errorf("%s: want %s of 80 cases", address, n)
		}
	}
}

// TestPagesSayWhatIsWrong: a mistake in a filter stands beside it, with its place; an empty
// list says which term to leave out; what is not there is a page.
func TestPagesSayWhatIsWrong(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10", 30))
	for _, x := range []struct{ path, want string }{
		{"/runs/a/cases?q=" + url.QueryEscape("hit@1<"), `aria-invalid="true"`},
		{"/runs/a/cases?q=" + url.QueryEscape("mrrr<0.5"), `id="wrong" class="bad" role="alert">column 1: `},
		{"/runs/a/cases?q=tag:nothing", `no case has the tag`},
		{"/runs/a/cases?sort=nothing", `role="alert"`},
		{"/runs/a/cases?q=" + url.QueryEscape("hit@1>0 mrr<0 status:ok"), "without mrr&lt;0: 30 cases"},
		{"/?q=nothing", "No run fits."},
	} {
		if text := b.see(x.path); !strings.Contains(text, x.want) {
			t.Errorf("%s: no %q in %s", x.path, x.want, text)
		}
	}
	for path, want := range map[string]string{
		"/runs/nowhere": "run", "/runs/a/cases/nothing": "case", "/runs/nowhere/cases": "run",
	} {
		g := b.do("GET", path, nil)
		if g.StatusCode != http.StatusNotFound || !strings.Contains(g.text, want) || !strings.Contains(g.text, "<html") {
			t.Errorf("%s: %s", path, g.text)
		}
	}
	if text := start(t).see("/"); !strings.Contains(text, "assay quickstart") {
		t.Error("an empty list does not say how to make a run")
	}
}

// TestPagesAreSafe opens every page of a run whose texts attack: no text is markup.
func TestPagesAreSafe(t *testing.T) {
	b := start(t)
	b.hostileRun("h", 60)
	paths := []string{"/", "/runs/h", "/runs/h/cases", "/settings?back=" + url.QueryEscape(`"><script>`), "/signin?next=" + url.QueryEscape("//evil.example"),
		"/runs/h/cases?q=" + url.QueryEscape(attack), "/?q=" + url.QueryEscape(attack), "/search?q=h", "/search?q=" + url.QueryEscape(attack)}
	_, cases := rowsOf(b.see("/runs/h/cases"))
	if len(cases) != 50 {
		t.Fatalf("%d cases on the page", len(cases))
	}
	for _, path := range append(paths, cases[:6]...) {
		// What the reader typed stays as it is in its box.
		text := typed.ReplaceAllString(b.see(path), "")
		for _, bad := range []string{"<script>", "<img", "\x1b", "\u202e", "javascript:window", `action="//`, `href="//`} {
			if strings.Contains(strings.ReplaceAll(text, "[a](javascript:window", ""), bad) {
				t.Errorf("%s: %q in the page", path, bad)
			}
		}
	}
	// A very long text is whole, and most of it is folded.
	if text := b.see("/runs/h/cases/long"); strings.Count(text, "w") < 1<<20 || !strings.Contains(text, "</p>\n<details><summary>… and 1028576 more</summary>") {
		t.Errorf("the long answer is not whole, or not folded: %d bytes", len(text))
	}
	for _, m := range hrefs.FindAllStringSubmatch(b.see("/runs/h"), -1) {
		if !strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], "#") {
			t.Errorf("a link to %q", m[1])
		}
	}
}

// TestPagesInEveryLanguage: a reader gets the language that the browser asks for, or the one
// that they chose.
func TestPagesInEveryLanguage(t *testing.T) {
	b := start(t)
	b.stored("a", "10")
	if text := b.see("/", "Accept-Language", "zh-TW"); !strings.Contains(text, `<html lang="zh-Hant"`) || strings.Contains(text, "Runs") {
		t.Errorf("want Traditional Chinese: %s", text)
	}
	g := b.do("POST", "/settings", "language=zh-Hant&theme=dark&back=/runs/a", "Content-Type", "application/x-www-form-urlencoded")
	var cookies []string
	for _, c := range g.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	if g.Header.Get("Location") != "/runs/a" || len(cookies) != 2 {
		t.Fatalf("%v, cookies %v", g.Header, cookies)
	}
	if text := b.see("/", "Cookie", strings.Join(cookies, "; ")); !strings.Contains(text, `<html lang="zh-Hant" data-theme="dark">`) {
		t.Errorf("the choice is not kept: %.100s", text)
	}
}

// TestPagesNeedASession: without a token the reader signs in and comes back; a session ends
// with its token, and cannot be made up.
func TestPagesNeedASession(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	b.stored("a", "10")
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	leads := func(g got, to string) {
		t.Helper()
		if g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") != to {
			t.Errorf("status %d to %q, want %q", g.StatusCode, g.Header.Get("Location"), to)
		}
	}
	leads(b.do("GET", "/runs/a/cases?q=q1", nil), "/signin?next=%2Fruns%2Fa%2Fcases%3Fq%3Dq1")
	b.do("GET", "/api/v1/runs", nil).want(t, http.StatusUnauthorized)
	wrong := b.do("POST", "/signin", "token=assay_nothing&next=/runs/a", form...)
	leads(wrong, "/signin?next=%2Fruns%2Fa&wrong=1")
	if text := b.see(wrong.Header.Get("Location")); !strings.Contains(text, `role="alert"`) {
		t.Errorf("a wrong token: %s", text)
	}
	kept, token := b.issue(ScopeRead, time.Time{})
	first := b.do("POST", "/signin", "token="+token+"&next=/runs/a", form...)
	leads(first, "/runs/a")
	leads(b.do("POST", "/signin", "token="+token+"&next=//evil.example", form...), "/")
	if len(first.Cookies()) != 1 || !first.Cookies()[0].HttpOnly || strings.Contains(first.Cookies()[0].Value, token) {
		t.Fatalf("signed in: %v", first.Header)
	}
	value := first.Cookies()[0].Name + "=" + first.Cookies()[0].Value
	b.see("/runs/a", "Cookie", value)
	b.do("GET", "/api/v1/runs", nil, "Cookie", value).want(t, http.StatusOK)
	// Reading does not allow to start, and another origin may post nothing.
	b.do("POST", "/api/v1/runs", `{"dataset":"x"}`, "Cookie", value).want(t, http.StatusForbidden)
	b.do("POST", "/signin", "token="+token, append(form, "Sec-Fetch-Site", "cross-site")...).want(t, http.StatusForbidden)
	for _, forged := range []string{value + "0", value[:len(value)-1], web.SessionCookie + "=x"} {
		leads(b.do("GET", "/runs/a", nil, "Cookie", forged), "/signin?next=%2Fruns%2Fa")
	}
	if err := b.store.DeleteItem(t.Context(), store.KindToken, kept.ID); err != nil {
		t.Fatal(err)
	}
	leads(b.do("GET", "/runs/a", nil, "Cookie", value), "/signin?next=%2Fruns%2Fa")
}

// TestPagesBeyondTheEnd: a page that a list does not have is empty, however large its number.
func TestPagesBeyondTheEnd(t *testing.T) {
	b := start(t)
	b.stored("a", "1100")
	b.stored("b", "1010")
	for _, path := range []string{"/?", "/runs/a/cases?", "/compare?runs=a,b&view=matrix&"} {
		for _, page := range []string{"3", "9223372036854775807", "184467440737095518"} {
			if names, _ := rowsOf(b.see(path + "page=" + page)); len(names) > 0 {
				t.Errorf("%spage=%s has rows: %v", path, page, names)
			}
		}
	}
}

// TestPagesOfDraws: the list of runs counts cases, and the list of cases says that it has
// every draw.
func TestPagesOfDraws(t *testing.T) {
	b := start(t)
	b.stored("a", "1100")
	b.changed("a", func(h *assay.Header) { h.Repeat, h.Dataset.Cases = 2, 2 })
	if text := b.see("/"); !strings.Contains(text, `>2<small>× 2</small></td>`) {
		t.Errorf("the run has not two cases of two draws: %s", text)
	}
	if text := b.see("/runs/a/cases"); !strings.Contains(text, "Each case was asked 2 times") {
		t.Error("the list of cases does not speak of draws")
	}
}

// TestManyReadersFollowARun: readers who look at a run that goes on at the same moment share
// its page, and all get it.
func TestManyReadersFollowARun(t *testing.T) {
	b := start(t)
	h, more := b.goesOn("110101")
	b.held(h.ID)
	more(4)
	var readers sync.WaitGroup
	for range 60 {
		readers.Go(func() {
			if g := b.do("GET", "/runs/live", nil); g.StatusCode != http.StatusOK || !strings.Contains(g.text, `class="metrics"`) {
				t.Errorf("status %d: %.300s", g.StatusCode, g.text)
			}
		})
	}
	readers.Wait()
	if n := len(b.server.fragments.by); n != 1 {
		t.Errorf("%d pages are kept, want the one that all share", n)
	}
}
