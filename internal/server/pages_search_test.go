package server

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay"
)

// TestPagesSearch: a search finds pages, runs, metrics and cases without a script, and every
// find leads to a page.
func TestPagesSearch(t *testing.T) {
	b := start(t)
	b.stored("apple", strings.Repeat("10x", 4))
	b.stored("banana", strings.Repeat("011", 4))
	link := regexp.MustCompile(`class="open" href="([^"]*)"[^>]*>([^<]*)<`)
	for _, x := range []struct{ q, want, address string }{
		{"", "Compare", "/compare"}, {"sett", "Settings", "/settings"}, {"APPLE", "run apple", "/runs/apple"},
		{"hit@", "hit@1", "/runs/banana/cases?sort=hit%401"},
		{"q11", "q11", "/runs/banana/cases/q11?q="}, {"what 11", "q11", "/runs/banana/cases/q11?q="},
	} {
		text := b.see("/search?q=" + url.QueryEscape(x.q))
		found := false
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			address := html.UnescapeString(m[1])
			if address != "/docs" && address != "/frontier" { // the latter leads on to a comparison
				b.see(address)
			}
			found = found || m[2] == x.want && strings.HasPrefix(address, x.address)
		}
		if !found {
			t.Errorf("%q: no %q at %s in %q", x.q, x.want, x.address, link.FindAllString(text, -1))
		}
	}
	if text := b.see("/search?q=zebra"); !strings.Contains(text, "Nothing is found.") || !strings.Contains(text, "the latest finished runs, one a dataset: run banana.") {
		t.Errorf("nothing is found, and the page does not say so, or not where it searched: %s", text)
	}
	// A word that is a name of a field, or has quotes, is still a word.
	for _, q := range []string{`status:ok`, `"`, `\`, `OR`, `-x`, `(`, "拾獲"} {
		b.see("/search?q=" + url.QueryEscape(q))
	}
	// A list that is cut leads to all of it.
	if text := b.see("/search?q=q"); !strings.Contains(text, `href="/runs/banana/cases?q=id~q`) || !strings.Contains(text, ">12 cases<") {
		t.Errorf("no way to the rest of the cases: %s", text)
	}
	b.changed("banana", func(h *assay.Header) { h.Repeat = 3 })
	for _, address := range []string{"/search?q=q", "/runs/banana/cases"} {
		if text := b.see(address); !strings.Contains(text, "12 draws<") || strings.Contains(text, "12 cases<") {
			t.Errorf("%s: draws count as cases: %s", address, text)
		}
	}
	part := b.see("/search?q=apple", "Assay-Part", "options")
	if !strings.HasPrefix(part, `<div id="part-options" role="listbox"`) || !strings.Contains(part, `data-value="/runs/apple"`) {
		t.Errorf("the part of the palette is %s", part)
	}
}

// TestPagesPalette opens a run by the palette, from within a box of text, and changes the
// theme by it.
func TestPagesPalette(t *testing.T) {
	b := start(t)
	b.stored("apple", strings.Repeat("10x", 4))
	v := b.visit()
	v.open("/runs/apple/cases")
	// With a control key no letter is typed.
	ctrlK := chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl), func(p *input.DispatchKeyEventParams) { p.Text = "" })
	v.keys("/")
	v.Until(`document.activeElement.id === "filter"`)
	v.Do(ctrlK)
	v.Until(`document.activeElement.id === "palette-q"`)
	v.Until(`document.querySelector("#palette [aria-selected=true]")?.textContent === "Runs"`)
	v.keys(kb.ArrowDown)
	if got := v.text(`document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).textContent`); got != "Compare" {
		t.Errorf("the arrow key chose %q", got)
	}
	v.keys(kb.Escape)
	v.Until(`!document.getElementById("palette").open && document.activeElement.id !== "palette-q"`)
	v.Do(ctrlK)
	v.Until(`document.activeElement.id === "palette-q"`)
	v.keys("q7")
	v.Until(`document.querySelector("#palette [aria-selected=true]")?.dataset.value.startsWith("/runs/apple/cases/q7")`)
	v.keys(kb.Enter)
	v.Until(`document.querySelector("h1").textContent === "q7"`)
	v.ready()
	v.Click(`.site .find`)
	v.Until(`document.activeElement.id === "palette-q"`)
	v.keys("dark")
	v.Until(`document.querySelector("#palette [aria-selected=true]")?.textContent === "Theme: dark"`)
	v.keys(kb.Enter)
	v.Until(`document.documentElement.dataset.theme === "dark" && document.querySelector("h1").textContent === "q7"`)
	v.Clean()
}
