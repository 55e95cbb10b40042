package server

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/browsertest"
	filter "github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/requiretest"
)

// A visit is a browser at the pages of a server, which may request nothing elsewhere.
type visit struct {
	*browsertest.Browser
	t    *testing.T
	base string
}

func (b *bench) visit() *visit {
	b.t.Helper()
	return &visit{browsertest.New(b.t, func(address string) bool {
		return strings.HasPrefix(address, b.url+"/") || address == "about:blank"
	}), b.t, b.url}
}

func (v *visit) open(path string) {
	v.t.Helper()
	v.Do(chromedp.Navigate(v.base + path))
	v.ready()
}

// ready waits until a page is prepared and loaded, and listens to keys.
func (v *visit) ready() {
	v.t.Helper()
	v.Until(`document.readyState === "complete" && !!document.querySelector(".keys:not([hidden])") && !document.querySelector("page-wait")`)
}

// at waits for an address, and until its page listens to keys.
func (v *visit) at(path string) {
	v.t.Helper()
	v.Until(fmt.Sprintf(`location.pathname + location.search === %q`, path))
	v.ready()
}

func (v *visit) keys(pressed ...string) {
	v.t.Helper()
	for _, k := range pressed {
		v.Do(chromedp.KeyEvent(k))
	}
}

func (v *visit) text(js string) string {
	v.t.Helper()
	return browsertest.Eval[string](v.Browser, js)
}

func (v *visit) number(js string) int {
	v.t.Helper()
	return browsertest.Eval[int](v.Browser, js)
}

// focused is the text of the element that has the focus.
const focused = `document.activeElement.textContent.trim()`

// TestPagesByKeyboard goes from the list of runs to a case and back without a pointer.
func TestPagesByKeyboard(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 40))
	v := b.visit()
	v.open("/")
	v.keys("?")
	v.Until(`document.getElementById("keys").open`)
	v.keys(kb.Escape)
	v.Until(`!document.getElementById("keys").open`)
	v.keys("j", kb.Enter)
	v.at("/runs/a")
	v.open("/runs/a/cases")
	v.keys("/")
	v.Until(`document.activeElement.id === "filter"`)
	// The protocol of the browser sends the letter on its own, after the focus has moved.
	v.text(`document.getElementById("filter").value = ""`)
	v.keys("hit@1>0", kb.Enter)
	v.at("/runs/a/cases?q=hit%401%3E0")
	v.Until(`document.querySelectorAll("tbody tr").length === 40`)
	// The focus stays in the box, and what was typed.
	if got := v.text(`document.activeElement.value`); got != "hit@1>0" {
		t.Errorf("the focus is on %q", got)
	}
	v.keys(kb.Escape, "j", "j", "j", "k")
	if got := v.text(focused); got != "q3" {
		t.Errorf("the row of %q has the focus, want q3", got)
	}
	v.keys(kb.Enter)
	v.at("/runs/a/cases/q3?q=hit%401%3E0")
	v.ready()
	v.keys("j")
	v.at("/runs/a/cases/q6?q=hit%401%3E0")
	v.Until(`document.querySelector("h1").textContent === "q6"`)
	v.keys("k")
	v.Until(`document.querySelector("h1").textContent === "q3"`)
	// Keys pressed while a case loads are steps, too.
	v.text(`{ const whole = window.fetch; window.fetch = async (...a) => { await new Promise((r) => setTimeout(r, 300)); return whole(...a); }; } ""`)
	v.keys("j", "j", "j", "k", "j")
	v.at("/runs/a/cases/q12?q=hit%401%3E0")
	v.Until(`document.querySelector("h1").textContent === "q12"`)
	v.keys("k", "k", "k")
	v.Until(`document.querySelector("h1").textContent === "q3"`)
	v.Until(`location.pathname === "/runs/a/cases/q3"`)
	v.keys(kb.Escape)
	v.at("/runs/a/cases?q=hit%401%3E0")
	v.Until(focused + ` === "q3"`) // the row that was left
	v.keys("g", "r")
	v.at("/")
	v.open("/")
	v.keys("g", "c")
	v.at("/compare")
	v.keys("g", "d")
	v.at("/datasets")
	v.keys("j", kb.Enter)
	v.at("/datasets/d")
	v.Clean()
}

// TestPagesCompleteFilters: the box offers names and values as they are typed.
func TestPagesCompleteFilters(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 40))
	v := b.visit()
	v.open("/runs/a/cases")
	v.Focus(`#filter`)
	const offered = `[...document.querySelectorAll("query-box li")].map((o) => o.textContent).join(" ")`
	v.keys("-sta")
	v.Until(offered + ` === "-status: -stage:"`)
	v.keys(kb.ArrowDown, "\t")
	v.Until(offered + ` === "-status:ok -status:failed -status:error"`)
	v.keys(kb.ArrowUp, "\t")
	v.Until(`document.getElementById("filter").value === "-status:error"`)
	v.keys(kb.Enter)
	v.at("/runs/a/cases?q=-status%3Aerror")
	v.Until(`document.querySelector(".tools b").textContent === "80 of 120 cases"`)
	v.Clean()
}

// TestPagesKeepTheirState: back and forward step through what was chosen, and a reload and
// another browser show the same.
func TestPagesKeepTheirState(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 40))
	v := b.visit()
	rows := func() string {
		return v.text(`[...document.querySelectorAll("tbody a.open")].map((a) => a.textContent).join(" ")`)
	}
	v.open("/runs/a/cases")
	all := rows()
	v.Click(`th.m a`)
	v.at("/runs/a/cases?sort=hit%401")
	v.Until(`!!document.querySelector("th[aria-sort=ascending]")`)
	sorted := rows()
	v.Click(`.pages a[rel=next]`)
	v.at("/runs/a/cases?page=2&sort=hit%401")
	v.Until(`document.querySelectorAll(".pages a").length === 2`)
	second := rows()
	if sorted == all || second == sorted {
		t.Errorf("the order or the page changed nothing: %s", second)
	}
	v.Do(chromedp.NavigateBack())
	v.at("/runs/a/cases?sort=hit%401")
	v.Until(`document.querySelectorAll(".pages a").length === 1`)
	if got := rows(); got != sorted {
		t.Errorf("back shows %s, want %s", got, sorted)
	}
	v.Do(chromedp.NavigateForward())
	v.Until(`document.querySelectorAll(".pages a").length === 2`)
	if got := rows(); got != second {
		t.Errorf("forward shows %s, want %s", got, second)
	}
	other := b.visit()
	other.open("/runs/a/cases?page=2&sort=hit%401")
	v.Do(chromedp.Reload())
	v.Until(`document.querySelectorAll(".pages a").length === 2`)
	v2 := rows()
	v = other
	if got := rows(); got != second || v2 != second {
		t.Errorf("another browser shows %s, a reload %s, want %s", got, v2, second)
	}
	v.Clean()
}

// TestPagesFollowARun: the page of a run that goes on shows its progress and its estimates
// so far, and is the page of the finished run at its end, without a reload by the reader.
func TestPagesFollowARun(t *testing.T) {
	b := start(t, func(c *Config) { c.Look = 100 * time.Millisecond })
	h, more := b.goesOn("110101")
	unlock, err := b.store.Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	v := b.visit()
	v.open("/runs/live")
	v.Until(`document.querySelector(".progress-text").textContent.startsWith("0 of 6 cases")`)
	more(2)
	v.Until(`document.querySelector(".progress-text").textContent.startsWith("2 of 6 cases")`)
	v.Until(`document.querySelector("run-live progress").value === 2`)
	v.Until(`document.querySelector("#part-run .metrics") !== null`)
	more(2) // the stream is there now, and has seen fewer
	v.Until(`/ [0-9.]+ cases a second, about [0-9:]+ left/.test(document.querySelector(".pace").textContent)`)
	more(2)
	v.Until(`document.querySelector("run-live progress").value === 6`)
	h.State, h.Finished = stateFinished, h.Started.Add(time.Second)
	if err := b.store.UpdateRun(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	v.Until(`document.readyState === "complete" && !document.querySelector("run-live") && document.querySelector(".metrics") !== null`)
	v.Clean()
}

// TestPagesCitePassages: a citation of an answer, and the key for passages, lead to a passage.
func TestPagesCitePassages(t *testing.T) {
	b := start(t)
	b.stored("a", "1")
	b.changed("a", func(h *assay.Header) { h.Dataset.Cases = 2 })
	if err := b.store.Put(t.Context(), "a", assay.Record{Seq: 1, Attempts: 1, Case: assay.Case{ID: "cites", Question: "?"},
		Response: &assay.Response{Answer: "So it is [2].", Passages: []assay.Passage{{ID: "p1", Text: "first"}, {ID: "p2", Text: "second"}}},
		Scores:   map[string]assay.Score{"hit@1": assay.Value(1), "mrr": assay.Value(1)}}); err != nil {
		t.Fatal(err)
	}
	v := b.visit()
	v.open("/runs/a/cases/cites")
	v.Click(`.cite`)
	v.Until(`document.activeElement.tagName === "LI" && document.activeElement.textContent.includes("second")`)
	v.keys("p")
	v.Until(`document.activeElement.textContent.includes("first")`)
	v.Clean()
}

// TestPagesSayThatTheServerIsAway: the page stays readable, and says so. So does that of a run
// that goes on.
func TestPagesSayThatTheServerIsAway(t *testing.T) {
	b := start(t, func(c *Config) { c.Look = 100 * time.Millisecond })
	b.stored("a", strings.Repeat("10", 60))
	h, more := b.goesOn("110101")
	unlock, err := b.store.Lock(t.Context(), h.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	live := b.visit()
	live.open("/runs/live")
	more(2)
	live.Until(`document.querySelector("run-live progress").value === 2 && document.querySelector(".lost").hidden`)
	v := b.visit()
	v.open("/runs/a/cases")
	v.Clean()
	b.web.CloseClientConnections()
	b.web.Listener.Close()
	v.Click(`.pages a[rel=next]`)
	v.Until(`!document.querySelector(".away").hidden`)
	if n := v.number(`document.querySelectorAll("tbody tr").length`); n != 50 {
		t.Errorf("%d rows are left, want 50", n)
	}
	live.Until(`!document.querySelector(".lost").hidden && document.querySelector(".pace").textContent === ""`)
}

// TestHostilePagesInABrowser opens every page of a run whose texts attack, in both
// languages and both themes: nothing runs, nothing is reported, nothing is asked for.
func TestHostilePagesInABrowser(t *testing.T) {
	b := start(t)
	b.hostileRun("h", 60)
	b.hostileRun("i", 60)
	_, cases := rowsOf(b.see("/runs/h/cases"))
	_, compared := rowsOf(b.see("/compare?runs=h,i&view=matrix"))
	paths := append([]string{"/compare?runs=h,i", "/compare?runs=h,i&view=matrix", "/compare?runs=h,i&view=settings",
		"/compare/case/h0?runs=h,i", "/judge", "/judge/h/rubric.tone", "/judge/h/rubric.tone/label?case=h0&blind=off", "/", "/runs/h", "/runs/h/cases?q=" + url.QueryEscape(attack), "/runs/h/cases?sort=hit@1", "/trends", "/frontier",
		"/settings",
		"/search?q=h", "/search?q=" + url.QueryEscape(attack)}, append(cases[:4:4], compared[:4]...)...)
	for _, language := range []string{"en", "zh-Hant"} {
		v := b.visit()
		v.choose(language, "dark")
		for _, path := range paths {
			v.open(path)
			if v.text(`String(window.hacked)`) != "undefined" {
				t.Errorf("%s: a text of the run was run", path)
			}
			if got := v.text(`document.documentElement.lang`); got != language {
				t.Errorf("%s is in %q", path, got)
			}
		}
		v.Clean()
	}
}

// screens stores runs, and lists an address of every screen.
func (b *bench) screens() []string {
	b.t.Helper()
	b.stored("a", strings.Repeat("10x", 40))
	b.stored("b", strings.Repeat("011", 40))
	b.asked("c")
	b.planted("s", true)
	b.planted("u", false)
	b.labelledRun("j")
	b.overTime()
	b.uploaded("surf.jsonl", surfboards)
	return []string{
		"/", "/runs/a", "/runs/a/cases", "/runs/a/cases?q=hit@1%3E0", "/runs/a/cases?q=mrr%3C0", "/runs/a/cases?q=nothing:x",
		"/runs/a/cases/q0", "/runs/u/slices",
		"/compare", "/compare?runs=a,b", "/compare?runs=a,b&view=matrix&class=newly_wrong", "/compare?runs=a,b&view=settings",
		"/compare?runs=s,u&view=slices", "/compare/case/q0?runs=a,b&class=newly_wrong",
		"/trends", "/trends?dataset=over&name=n", "/trends?dataset=over&by=target",
		"/judge", "/judge/j/faithfulness", "/judge/j/faithfulness?cell=tp", "/judge/j/faithfulness/label",
		"/judge/j/faithfulness/label?case=q1",
		"/search", "/settings", "/signin", "/datasets", "/datasets/d", "/datasets/surf.jsonl",
		"/datasets/surf.jsonl/points",
	}
}

// quoting are addresses of pages of [bench.screens] that show what models and people said.
var quoting = []string{"/datasets/surf.jsonl/points/q1", "/runs/c/cases/c", "/runs/c/cases/c/calls",
	"/judge/j/faithfulness/label?case=q1&reveal=1", "/search?q=q1"}

// TestPagesAreNarrow: at 320 pixels, which is 400 % of 1280, nothing is wider than the page
// but what scrolls by itself.
func TestPagesAreNarrow(t *testing.T) {
	b := start(t)
	paths := b.screens()
	b.hostileRun("h", 3)
	b.hostileRun("i", 3)
	v := b.visit()
	v.Do(chromedp.EmulateViewport(320, 800))
	for _, path := range append(paths, "/new", "/compare?runs=h,i", "/compare?runs=h,i&view=matrix", "/compare/case/long?runs=h,i",
		"/compare?runs=h,i&view=settings", "/search?q=h", "/runs/h", "/runs/h/cases", "/runs/h/cases/long", "/judge/h/rubric.tone/label?case=long") {
		v.open(path)
		if n := v.number(`document.documentElement.scrollWidth`); n > 320 {
			wide := v.text(`[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > 321 && ` +
				`!e.closest(".scroll")).slice(0, 3).map((e) => e.tagName + "." + e.className).join(", ")`)
			t.Errorf("%s is %d pixels wide: %s", path, n, wide)
		}
	}
	v.Clean()
}

// TestPagesAreSmall: no page has more elements or takes more memory of scripts than a browser
// shows at once without delay. Lists have a bounded number of rows, so that runs of 3,000 cases
// have pages as large as those of more.
func TestPagesAreSmall(t *testing.T) {
	b := start(t)
	paths := b.screens()
	b.stored("many", strings.Repeat("10x", 1000))
	b.stored("much", strings.Repeat("011", 1000))
	v := b.visit()
	for _, path := range append(append(paths, quoting...), "/runs/many", "/runs/many/cases", "/runs/many/cases?q=hit@1%3E0&sort=-latency",
		"/runs/many/cases/q7", "/compare?runs=many,much", "/compare?runs=many,much&view=matrix", "/compare/case/q7?runs=many,much") {
		v.open(path)
		if n := v.number(`document.querySelectorAll("*").length`); n >= 5000 {
			t.Errorf("%s has %d elements", path, n)
		}
		if n := v.number(`performance.memory.usedJSHeapSize >> 20`); n >= 30 {
			t.Errorf("%s takes %d MB of scripts", path, n)
		}
	}
	v.Clean()
}

// axeRun checks the page, and lists what violates the rules of WCAG 2.2 and good practice.
const axeRun = `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.map((v) => v.id + ": " + ` +
	`v.nodes.slice(0, 2).map((n) => n.html.slice(0, 200)).join(" | ")).join("\n"))`

// TestPagesAreAccessible runs axe-core on every page, in both languages and themes, wide and
// narrow.
func TestPagesAreAccessible(t *testing.T) {
	axe, err := os.ReadFile(requiretest.Env(t, "ASSAY_AXE"))
	if err != nil {
		t.Fatal(err)
	}
	b := start(t)
	paths := b.screens()
	b.hostileRun("h", 3)
	paths = append(append(paths, quoting...), "/runs/h/cases/h0", "/runs/nothing", "/datasets/nothing", "/new")
	for _, look := range []struct {
		language, theme string
		width           int64
	}{{"en", "light", 1280}, {"en", "dark", 1280}, {"zh-Hant", "light", 320}, {"zh-Hant", "dark", 1280}, {"en", "light", 320}} {
		v := b.visit()
		v.Do(chromedp.EmulateViewport(look.width, 900))
		v.choose(look.language, look.theme)
		for _, path := range paths {
			v.open(path)
			if found := v.violations(axe); found != "" {
				t.Errorf("%s, %v:\n%s", path, look, found)
			}
		}
	}
}

// violations lists what violates the rules on the page.
func (v *visit) violations(axe []byte) string {
	v.t.Helper()
	browsertest.Eval[bool](v.Browser, string(axe)+"; true")
	v.text(`window.found = undefined; ` + axeRun + `.then((s) => { window.found = s; }); ""`)
	v.Until(`window.found !== undefined`)
	return v.text(`window.found`)
}

// choose sets the language and the theme.
func (v *visit) choose(language, theme string) {
	v.t.Helper()
	v.open("/settings")
	v.Click(`input[value="` + language + `"]`)
	v.Click(`input[value="` + theme + `"]`)
	v.Click(`.settings-form button`)
	v.Until(fmt.Sprintf(`document.documentElement.dataset.theme === %q && document.documentElement.lang === %q && location.search === "?saved=1"`,
		theme, language))
}

// TestPagesLeaveNoEnglish lists the Latin words on the pages in Traditional Chinese: they are
// names and data alone.
func TestPagesLeaveNoEnglish(t *testing.T) {
	known := regexp.MustCompile(`^(assay|maxT|API|JSON|CSV|Enter|Escape|English|Ctrl|UTC|CI|AUROC|AC1|Benjamini|Hochberg|p\d+|v\d+|q\d+|` +
		// commands, formats, units and values of filters
		`surf|jsonl|expected|contexts|ideal|Can|take|surfboard|May|dogs|travel|` + // a dataset that was uploaded
		`serve|token|create|scope|read|dataset|check|PATH|corpus|DIR|latest|terminal|markdown|json|html|csv|junit|tests|comment|prometheus|ms|` +
		`timeout|no|reply|status|tag|nothing|mrrr|seq|id|answer|latency|cost|none|xyz|refund|policy|error|stage|retrieve|` +
		// what the runs are of
		`name|Hit|hit|MRR|mrr|run|says|What|is|http|over|faithfulness|support|wer|boats|named|passage|me)$`)
	fields := map[string]bool{}
	for _, f := range filter.Fields() {
		fields[f.Name] = true
	}
	word := regexp.MustCompile(`[A-Za-z]+\d*`)
	b := start(t)
	v := b.visit()
	paths := b.screens()
	v.choose("zh-Hant", "light")
	for _, path := range append(paths, "/runs/a/cases?q=mrrr%3C0", "/runs/a/cases?q=mrr%3C", "/runs/a/cases?q=tag:no",
		"/runs/a/cases?sort=nothing", "/runs/a/cases/q2") {
		v.open(path)
		texts := v.text(`[...document.querySelectorAll("body *")].flatMap((e) => [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).concat(` +
			`["aria-label", "title", "placeholder", "data-label"].map((a) => e.getAttribute(a) ?? ""))).join("\n")`)
		for _, w := range word.FindAllString(texts, -1) {
			if len(w) > 1 && !known.MatchString(w) && !fields[w] {
				t.Errorf("%s: %q is left in English", path, w)
			}
		}
	}
}
