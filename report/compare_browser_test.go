package report_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay/report"
)

func (b *browser) openComparison(c *report.Comparison) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "compare.html")
	write(b.t, path, renderComparison(b.t, lookup(b.t, "html"), c, report.Options{}))
	b.Do(chromedp.Navigate("file://" + path))
}

// TestStrategiesInABrowser: tags, the front, what changed, what no run solves and
// what was set otherwise are on the page, on a wide screen and on a narrow one.
func TestStrategiesInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.openComparison(strategies(t))
	for place, want := range map[string][]string{
		"#findings":  {"hybrid improves MRR", "60 cases can detect"},
		"#tags":      {"names", "▲ +0.430", "(30)", "facts"},
		"#front":     {"on the front", "dominated by sparse", "$0.00036", "50 ms"},
		"#changed":   {"Which part has the number", "▲ +1.000", "▼ −1.000", "every run gets 12 of 60 cases wrong"},
		"#settings":  {"retriever", "hybrid"},
		"#reproduce": {"run run-2", "seed 7"},
		".compare":   {"33/22/5", "≥ 0.13", "1 remark"},
	} {
		got := eval[string](b, fmt.Sprintf(`document.querySelector(%q).innerText`, place))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q:\n%s", place, w, got)
			}
		}
	}
	// Cost and latency have a panel each, with a mark for every run, and only the
	// one that is dominated is hollow.
	if n := eval[int](b, `document.querySelectorAll("#front circle.front").length`); n != 4 {
		t.Errorf("%d full marks, want two runs in two panels", n)
	}
	if n := eval[int](b, `document.querySelectorAll("#front circle.behind").length`); n != 2 {
		t.Errorf("%d hollow marks, want one run in two panels", n)
	}
	choose := `(v => { const s = document.getElementById("outcome"); s.value = v; s.dispatchEvent(new Event("change")); return document.getElementById("table").querySelector("[role=status]").textContent; })`
	if got := eval[string](b, choose+`("missed")`); got != "12 of 60 cases" {
		t.Errorf("missed by every run: %q, want 12", got)
	}
	eval[any](b, `document.querySelector(".cases .open").click() || 1`)
	if panel := eval[string](b, `document.getElementById("detail").innerText`); !strings.Contains(panel, "no run solves this case") ||
		!strings.Contains(panel, "An answer by hybrid.") {
		t.Errorf("the panel of a missed case:\n%s", panel)
	}
	eval[any](b, `document.getElementById("detail").close() || 1`)
	for _, width := range []int64{1280, 390} {
		b.Do(chromedp.EmulateViewport(width, 900))
		b.Until(fmt.Sprintf(`window.innerWidth === %d`, width))
		if over := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("at %d pixels the page is %d too wide", width, over)
		}
		if torn := eval[string](b, tornWords); torn != "" {
			t.Errorf("%d pixels: words of a table break: %s", width, torn)
		}
	}
	b.Clean()
}

// TestBaselineInABrowser: a baseline file has no answers, and the page says so.
func TestBaselineInABrowser(t *testing.T) {
	b := newBrowser(t)
	full := strategies(t).Reports
	b.openComparison(comparison(t, []*report.Report{remembered(full[0]), repeated(full[2])}))
	eval[any](b, `document.querySelector(".cases .open").click() || 1`)
	panel := eval[string](b, `document.getElementById("detail").innerText`)
	for _, want := range []string{"the answer was not recorded", "the first of 2 draws", "An answer by hybrid.", "Which part has the number"} {
		if !strings.Contains(panel, want) {
			t.Errorf("the panel lacks %q:\n%s", want, panel)
		}
	}
	if n := eval[int](b, `document.querySelectorAll(".cases tbody tr").length`); n != 50 {
		t.Errorf("%d rows on the first page, want 50 of 60 cases", n)
	}
	b.Clean()
}

// TestComparisonDefusesTextInABrowser: attacks in what a comparison shows are
// text.
func TestComparisonDefusesTextInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.openComparison(hostile(t))
	eval[any](b, `document.querySelector(".cases .open").click() || 1`)
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
	b.Do(chromedp.EmulateViewport(390, 900))
	b.Until(`window.innerWidth === 390`)
	if over := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("long names make the page %d pixels too wide", over)
	}
	b.Clean()
}
