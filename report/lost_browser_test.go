package report_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The page shows the waterfall without a script, and a failed case with its way
// through the stages.
func TestLostInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.open(lost(t, 60, "library", 0))
	if n := eval[int](b, `document.querySelectorAll(".fall tbody tr").length`); n != 7 {
		t.Errorf("%d lines of the waterfall, want the facts, five stages and what is answered", n)
	}
	eval[any](b, `document.querySelector(".verdicts a").click() || 1`)
	b.Until(`document.getElementById("detail").open`)
	panel := eval[string](b, `document.getElementById("detail").innerText`)
	for _, want := range []string{"retrieve: with its right output", "lost at retrieve",
		"right retrieve: 3 of 3 right", "1 error in 11 words",
		"What does a card cost?", "2 passages, 1 kept", "Dropped by the filter", "A lost card costs 10 dollars."} {
		if !strings.Contains(panel, want) {
			t.Errorf("the panel lacks %q:\n%s", want, panel)
		}
	}
	if said := eval[string](b, `document.querySelector(".heard del").textContent + " " + document.querySelector(".heard ins").textContent`); said != "fee, tree" {
		t.Errorf("the error of the transcript is %q, want fee, tree", said)
	}
	for _, width := range []int64{390, 1280} {
		b.Do(chromedp.EmulateViewport(width, 900))
		if h := eval[float64](b, `document.querySelector(".ladder thead th").getBoundingClientRect().height`); h < 10 {
			t.Errorf("%d pixels: the heading of the ladder is %v high", width, h)
		}
		if eval[bool](b, `document.documentElement.scrollWidth > document.documentElement.clientWidth`) {
			t.Errorf("%d pixels: the page is wider than the window", width)
		}
		if torn := eval[string](b, tornWords); torn != "" {
			t.Errorf("%d pixels: words of a table break: %s", width, torn)
		}
	}
	b.Clean()
}

// tornWords lists the short words of tables that stand on two lines.
const tornWords = `(() => {
	const torn = [], range = document.createRange();
	for (const cell of document.querySelectorAll("main table :is(th, td)")) {
		if (cell.closest("thead")?.getBoundingClientRect().height <= 1) continue; // for screen readers
		const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
		for (let node; (node = texts.nextNode());) {
			for (const word of node.data.matchAll(/[A-Za-z0-9.]{2,12}/g)) {
				range.setStart(node, word.index);
				range.setEnd(node, word.index + word[0].length);
				if (new Set([...range.getClientRects()].map(r => r.top)).size > 1) torn.push(word[0]);
			}
		}
	}
	return torn.join(", ");
})()`

func TestLostDefusesText(t *testing.T) {
	b := newBrowser(t)
	b.open(hostileLost(t))
	eval[any](b, `[...document.querySelectorAll(".cases .open")].find(x => x.textContent === "q001").click() || 1`)
	eval[any](b, `document.querySelectorAll("details").forEach(d => d.open = true) || 1`)
	if panel := eval[string](b, `document.getElementById("detail").textContent`); strings.Count(panel, `onerror="window.hacked=2"`) < 5 {
		t.Errorf("the attacks are not shown as text:\n%s", panel)
	}
	if eval[bool](b, `"hacked" in window || document.querySelector("img, iframe, object, main a[href^=javascript]") !== null`) {
		t.Error("an attack became part of the page")
	}
	if eval[bool](b, `/[\u0000-\u0008\u001b\u202a-\u202e]/.test(document.body.textContent)`) {
		t.Error("a control character is in the page")
	}
	b.Clean()
}
