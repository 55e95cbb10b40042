package report_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay/internal/browsertest"
	"github.com/assay-eval/assay/report"
)

// A browser shows one page, which may request nothing beyond itself.
type browser struct {
	*browsertest.Browser
	t *testing.T
}

func TestMain(m *testing.M) { os.Exit(browsertest.Run(m)) }

func newBrowser(t *testing.T) *browser {
	t.Helper()
	return &browser{browsertest.New(t, func(address string) bool {
		return strings.HasPrefix(address, "file:///") && strings.Contains(address, ".html")
	}), t}
}

func eval[T any](b *browser, js string) T {
	b.t.Helper()
	return browsertest.Eval[T](b.Browser, js)
}

func (b *browser) open(r *report.Report) {
	b.t.Helper()
	b.openWith(r, report.Options{})
}

func (b *browser) openWith(r *report.Report, o report.Options) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "page.html")
	f, err := report.Lookup("html")
	if err != nil {
		b.t.Fatal(err)
	}
	if err := r.WriteFile(path, f, o); err != nil {
		b.t.Fatal(err)
	}
	b.Do(chromedp.Navigate("file://" + path))
}

const firstID = `document.querySelector(".cases tbody .open")?.textContent`

func TestPageInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.open(sample(t))
	if n := eval[int](b, `document.querySelectorAll(".cases tbody tr").length`); n != 12 {
		t.Errorf("%d rows, want 12", n)
	}
	if id := eval[string](b, firstID); id != "tc_008" {
		t.Errorf("the first case is %q, want the critical error", id)
	}

	b.Focus("#search")
	b.Do(chromedp.KeyEvent("REFUND policy"))
	b.Until(`document.querySelectorAll(".cases tbody tr").length === 1`)
	if id := eval[string](b, firstID); id != "tc_001" {
		t.Errorf("found %q, want tc_001", id)
	}
	eval[any](b, `(s => { s.value = ""; s.dispatchEvent(new Event("input")); return 1; })(document.getElementById("search"))`)
	b.Until(`document.querySelectorAll(".cases tbody tr").length === 12`)

	// Sorted by nDCG, the eighth column's lowest value comes first, and what has
	// none comes last; a second click turns the order round.
	sortBy := `[...document.querySelectorAll(".cases thead button")].find(b => b.textContent === "ndcg@10").click() || 1`
	eval[any](b, sortBy)
	if id := eval[string](b, firstID); id != "tc_001" {
		t.Errorf("lowest nDCG: %q, want tc_001 with 0.387", id)
	}
	eval[any](b, sortBy)
	if id := eval[string](b, firstID); id == "tc_001" ||
		eval[string](b, `document.querySelector(".cases [aria-sort]").getAttribute("aria-sort")`) != "descending" {
		t.Errorf("the second click did not turn the order: %q is first", id)
	}
	eval[any](b, sortBy)

	eval[any](b, `(s => { s.value = "error"; s.dispatchEvent(new Event("change")); return 1; })(document.getElementById("status"))`)
	if n := eval[int](b, `document.querySelectorAll(".cases tbody tr").length`); n != 2 {
		t.Errorf("%d cases are errors, want 2", n)
	}
	eval[any](b, `(s => { s.value = ""; s.dispatchEvent(new Event("change")); return 1; })(document.getElementById("status"))`)

	eval[any](b, `[...document.querySelectorAll(".cases .open")].find(x => x.textContent === "tc_001").click() || 1`)
	panel := eval[string](b, `document.getElementById("detail").innerText`)
	for _, want := range []string{"What is the refund policy?", "within 14 days by contacting support", "Full refund within 30 days",
		"not relevant", "relevant, grade 2", "refunds.md", "Refunds take 14 days.", "hybrid rrf k=60", "3 of 10 passages cut"} {
		if !strings.Contains(panel, want) {
			t.Errorf("the panel lacks %q:\n%s", want, panel)
		}
	}
	b.Click(".cite")
	if !eval[bool](b, `document.querySelector(".cited > li").classList.contains("flash")`) {
		t.Error("a citation does not point to its passage")
	}
	eval[any](b, `document.querySelector("[aria-label^='Next case']").click() || 1`)
	if title := eval[string](b, `document.getElementById("detail-title").textContent`); title == "tc_001" {
		t.Error("the next case is the same case")
	}
	b.Do(chromedp.KeyEvent("\u001b"))
	b.Until(`!document.getElementById("detail").open`)
	b.Clean()
}

// TestPageDefusesText opens the case whose every text is an attack, and finds it
// as text.
func TestPageDefusesText(t *testing.T) {
	b := newBrowser(t)
	b.open(sample(t))
	eval[any](b, `[...document.querySelectorAll(".cases .open")].find(x => x.textContent.startsWith("tc_006")).click() || 1`)
	eval[any](b, `document.querySelectorAll("details").forEach(d => d.open = true) || 1`)
	if panel := eval[string](b, `document.getElementById("detail").textContent`); !strings.Contains(panel,
		`"><img src=x onerror="window.hacked=2">`) {
		t.Errorf("the attack is not shown as text:\n%s", panel)
	}
	if eval[bool](b, `"hacked" in window || document.querySelector("img, iframe, object, main a[href^=javascript]") !== null`) {
		t.Error("an attack became part of the page")
	}
	if eval[bool](b, `/[\u0000-\u0008\u001b\u202a-\u202e]/.test(document.body.textContent)`) {
		t.Error("a control character is in the page")
	}
	b.Clean()
}

// TestPageOfThousands: a page holds five hundred cases and says so; it holds more when it
// is asked to.
func TestPageOfThousands(t *testing.T) {
	b := newBrowser(t)
	large := family(2000, 0, "large")[0]
	b.open(large)
	if n := eval[int](b, `document.querySelectorAll(".cases tbody tr").length`); n != 50 {
		t.Errorf("%d rows on a page, want 50", n)
	}
	cases := eval[string](b, `document.getElementById("cases").innerText`)
	for _, want := range []string{"This page holds 500 of 2000 cases: ", "500 cases on this page", "1–50"} {
		if !strings.Contains(cases, want) {
			t.Errorf("the table lacks %q", want)
		}
	}
	eval[any](b, `(() => { const s = document.getElementById("status"); s.value = "drawn"; s.dispatchEvent(new Event("change")) })()`)
	if count := eval[string](b, `document.getElementById("count").textContent`); count != "100 of the 500 cases on this page" {
		t.Errorf("the count of the drawn cases is %q", count)
	}
	b.openWith(large, report.Options{Cases: 2000})
	if eval[bool](b, `document.getElementById("cases").innerText.includes("This page holds")`) {
		t.Error("a page with all cases says that it lacks some")
	}
	b.Focus("#search")
	b.Do(chromedp.KeyEvent("q1722"))
	b.Until(`document.querySelectorAll(".cases tbody tr").length === 1`)
	if id := eval[string](b, firstID); id != "q1722" {
		t.Errorf("found %q, want q1722", id)
	}
	if count := eval[string](b, `document.getElementById("count").textContent`); count != "1 of 2000 cases" {
		t.Errorf("the count is %q", count)
	}
	b.Clean()
}

func TestComparisonInABrowser(t *testing.T) {
	b := newBrowser(t)
	path := filepath.Join(t.TempDir(), "compare.html")
	c := comparison(t, family(60, 0.1, "dense", "hybrid"))
	write(t, path, renderComparison(t, lookup(t, "html"), c, report.Options{}))
	b.Do(chromedp.Navigate("file://" + path))
	if n := eval[int](b, `document.querySelectorAll(".compare tbody tr").length`); n != len(c.Rows) {
		t.Errorf("%d rows of differences, want %d", n, len(c.Rows))
	}
	choose := `((id, v) => { const s = document.getElementById(id); s.value = v; s.dispatchEvent(new Event("change")); return document.getElementById("table").querySelector("[role=status]").textContent; })`
	// Recall is the second metric; its wins and losses are those of the table.
	eval[string](b, choose+`("metric", "1")`)
	d := c.Rows[1].Differences[0]
	for outcome, want := range map[string]int{"better": d.Wins, "worse": d.Losses, "same": d.Ties} {
		if got := eval[string](b, choose+fmt.Sprintf(`("outcome", %q)`, outcome)); got != fmt.Sprintf("%d of 60 cases", want) {
			t.Errorf("%s: %q, want %d", outcome, got, want)
		}
	}
	// Of an error rate the lower value is the better one.
	eval[string](b, choose+`("metric", "4")`)
	if got, want := eval[string](b, choose+`("outcome", "better")`),
		c.Rows[4].Differences[0].Losses; got != fmt.Sprintf("%d of 60 cases", want) {
		t.Errorf("lower error rates: %q, want %d", got, want)
	}
	eval[string](b, choose+`("outcome", "")`)
	eval[any](b, `document.querySelector(".cases .open").click() || 1`)
	if panel := eval[string](b, `document.getElementById("detail").innerText`); strings.Count(panel, "lies in rack") != 2 {
		t.Errorf("the panel does not show both answers:\n%s", panel)
	}
	b.Clean()
}

// TestGateInABrowser: the page says what came of the thresholds, finds the cases
// that missed them, and shows why and after which attempts.
func TestGateInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.open(gated(t))
	if panel := eval[string](b, `document.getElementById("gate").innerText`); !strings.Contains(panel, "Gate: FAIL") ||
		!strings.Contains(panel, "faithfulness 0.700 (0.256…0.961, n 5) misses 0.85") {
		t.Errorf("the gate's panel: %q", panel)
	}
	if row := eval[string](b, `document.querySelector(".metrics tbody tr").innerText`); !strings.HasPrefix(row, "Composite") ||
		!strings.Contains(row, "≥ 0.8") || !strings.Contains(row, "FAIL") {
		t.Errorf("the first row is %q, want that of the composite", row)
	}
	// Five of the six metrics have a threshold, and four a weight.
	if n := eval[int](b, `document.querySelectorAll(".metrics line.threshold").length`); n != 5 {
		t.Errorf("%d thresholds in the plots, want 5", n)
	}
	if n := eval[int](b, `[...document.querySelectorAll(".metrics tbody th")].filter(h => h.innerText.includes("weight ")).length`); n != 4 {
		t.Errorf("%d weights, want 4", n)
	}
	eval[any](b, `(s => { s.value = "failed"; s.dispatchEvent(new Event("change")); return 1; })(document.getElementById("status"))`)
	if ids := eval[string](b, `[...document.querySelectorAll(".cases tbody .open")].map(x => x.textContent).join()`); ids != "tc_001" {
		t.Errorf("below threshold: %q, want tc_001", ids)
	}
	panel := func(id string) string {
		return eval[string](b, fmt.Sprintf(`(location.hash = "#case=%s", document.getElementById("detail").close(), [...document.querySelectorAll(".cases .open")].find(x => x.textContent === %q).click(), document.getElementById("detail").innerText)`, id, id))
	}
	failed := panel("tc_001")
	for _, want := range []string{"faithfulness 0.500 misses 0.85", "≥ 0.85: FAIL", "≤ 0.25: FAIL", "weight 40 %",
		"Unsupported claims", "contradicted: You can get a refund within 14 days. — the policy gives 30 days",
		"by faithfulness, hallucination", "split: Refunds exist."} {
		if !strings.Contains(failed, want) {
			t.Errorf("the panel of tc_001 lacks %q:\n%s", want, failed)
		}
	}
	if n := strings.Count(failed, "Support handles refunds."); n != 1 {
		t.Errorf("a claim is shown %d times, want once", n)
	}
	eval[any](b, `(s => { s.value = ""; s.dispatchEvent(new Event("change")); return 1; })(document.getElementById("status"))`)
	if tried := panel("tc_012"); !strings.Contains(tried, "Failed attempts") ||
		!strings.Contains(tried, "refused after 2.0 ms, waited 900 ms: connect: connection refused") {
		t.Errorf("the panel of tc_012 lacks its failed attempt:\n%s", tried)
	}
	b.Clean()
}

// TestGateDefusesText: attacks in what a gate shows are text too.
func TestGateDefusesText(t *testing.T) {
	b := newBrowser(t)
	b.open(hostileGate(t))
	for _, id := range []string{"tc_001", "tc_008"} {
		eval[any](b, fmt.Sprintf(`(document.getElementById("detail").close(), [...document.querySelectorAll(".cases .open")].find(x => x.textContent === %q).click(), document.querySelectorAll("details").forEach(d => d.open = true), 1)`, id))
		if panel := eval[string](b, `document.getElementById("detail").textContent`); strings.Count(panel,
			`"><img src=x onerror="window.hacked=2">`) < 4 {
			t.Errorf("%s: the attacks are not shown as text:\n%s", id, panel)
		}
		if eval[bool](b, `"hacked" in window || document.querySelector("img, iframe, object, main a[href^=javascript]") !== null`) {
			t.Errorf("%s: an attack became part of the page", id)
		}
	}
	if eval[bool](b, `/[\u0000-\u0008\u001b\u202a-\u202e]/.test(document.body.textContent)`) {
		t.Error("a control character is in the page")
	}
	b.Clean()
}
