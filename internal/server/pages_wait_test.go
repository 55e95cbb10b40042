package server

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay/internal/requiretest"
)

// TestPagesThatTakeLong: a page that is not ready says so, and opens by itself once it is.
func TestPagesThatTakeLong(t *testing.T) {
	axe, err := os.ReadFile(requiretest.Env(t, "ASSAY_AXE"))
	if err != nil {
		t.Fatal(err)
	}
	b := start(t, func(c *Config) { c.Patience = 50 * time.Millisecond })
	b.stored("a", strings.Repeat("10x", 40))
	v := b.visit()
	v.Do(chromedp.EmulateViewport(320, 800))
	for range cap(b.server.heavy) { // no run is read meanwhile
		b.server.heavy <- struct{}{}
	}
	v.Do(chromedp.Navigate(v.base + "/runs/a"))
	if at := v.text(`document.querySelector("page-wait p")?.textContent ?? document.body.innerHTML`); !strings.Contains(at, "so far") {
		t.Fatalf("the page does not say that it is being prepared: %s", at)
	}
	if found := v.violations(axe); found != "" {
		t.Error(found)
	}
	if n := v.number(`document.documentElement.scrollWidth`); n > 320 {
		t.Errorf("it is %d pixels wide", n)
	}
	v.Until(`document.querySelector("page-wait p").textContent.includes(" 2 s so far")`)
	for range cap(b.server.heavy) {
		<-b.server.heavy
	}
	v.Until(`document.querySelector("h1")?.textContent === "run a"`)
	v.ready()
	if n := v.number(`performance.getEntriesByType("navigation").length + history.length`); n != 3 {
		t.Errorf("the way back has %d steps more than before", n-3)
	}
	v.Clean()
}
