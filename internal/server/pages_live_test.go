package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay"
)

// The watchers of TestPagesFollowedByMany: more tabs than a browser has connections to a
// server, and other clients.
const (
	tabsWatching    = 8
	clientsWatching = 42
)

// behind is how far those who watch a run may be behind its store, after a restart of the server
// too; patienceOfTest is how long pages have to load.
const (
	behind         = time.Second
	patienceOfTest = 30 * time.Second
)

// stretched says how many times longer than alone a thing takes while others use the processors,
// at least 1: the time of a short loop in the mean, over its shortest time.
func stretched() float64 {
	const rounds = 200
	least, sum, x := time.Hour, time.Duration(0), uint64(1)
	for range rounds {
		began := time.Now()
		for range 400_000 {
			x = x*6364136223846793005 + 1442695040888963407
		}
		took := time.Since(began)
		least, sum = min(least, took), sum+took
	}
	if x == 0 { // never: the loop is used
		return 1
	}
	return float64(sum) / rounds / float64(least)
}

// watch follows the state of a run as a client of the API does, and keeps the number of cases
// that are done.
func (b *bench) watch(run string, done *atomic.Int64) {
	for b.t.Context().Err() == nil {
		r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+"/api/v1/runs/"+run+"/events?cases=false", nil)
		if err != nil {
			return
		}
		// A connection of its own, as a client on another machine has.
		if res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r); err == nil {
			for lines := bufio.NewScanner(res.Body); lines.Scan(); {
				var e struct{ Done int64 }
				if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok && json.Unmarshal([]byte(text), &e) == nil {
					done.Store(e.Done)
				}
			}
			_ = res.Body.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestPagesFollowedByMany: fifty who watch a run of 2,000 cases are at most a second behind its
// store, and go on after a restart of the server. The tabs of a browser share one stream, so that
// pages still load, and hidden ones hold none. The gate decides at the end and not before.
func TestPagesFollowedByMany(t *testing.T) {
	fast := func(c *Config) { c.Look = 100 * time.Millisecond }
	b := start(t, fast)
	const cases = 2000
	_, more := b.goesOn(strings.Repeat("1101", cases/4))
	half := 0.5
	b.changed("live", func(h *assay.Header) { h.Metrics[0].Threshold = &half })
	unlock, err := b.store.Lock(t.Context(), "live")
	if err != nil {
		t.Fatal(err)
	}
	more(20)
	tabs := make([]*visit, tabsWatching)
	for i := range tabs {
		tabs[i] = b.visit()
		tabs[i].open("/runs/live")
	}
	clients := make([]atomic.Int64, clientsWatching)
	for i := range clients {
		go b.watch("live", &clients[i])
	}
	n, stretch := 20, 1.0
	// reached waits until all have heard of n cases.
	reached := func(within time.Duration) {
		t.Helper()
		within = time.Duration(float64(within) * stretch)
		began := time.Now()
		for i := range clients {
			for clients[i].Load() < int64(n) {
				if time.Since(began) > within {
					t.Fatalf("client %d has heard of %d cases of %d after %v", i, clients[i].Load(), n, within)
				}
				time.Sleep(5 * time.Millisecond)
			}
		}
		for i, v := range tabs {
			for {
				at := v.number(`document.querySelector("run-live progress").value`)
				if at >= n {
					break
				}
				if time.Since(began) > within {
					t.Fatalf("tab %d shows %d cases of %d after %v", i, at, n, within)
				}
				time.Sleep(5 * time.Millisecond)
			}
			if v.text(`document.querySelector(".verdict")?.outerHTML ?? ""`) != "" {
				t.Fatalf("tab %d shows a verdict after %d cases: %s", i, n, v.text(`document.querySelector(".verdict").closest("table, p, section").outerHTML`))
			}
		}
		t.Logf("%d cases: the last of all was %v behind, where things take %.1f times as long as alone", n, time.Since(began).Round(time.Millisecond), stretch)
	}
	reached(patienceOfTest)
	if open := len(b.server.streams); open != clientsWatching+1 {
		t.Errorf("%d streams are open, want those of %d clients and one for %d tabs", open, clientsWatching, tabsWatching)
	}
	for n < cases/2 {
		stretch = stretched()
		n += len(more(140))
		reached(behind)
	}
	// Another page loads beside them.
	other := b.visit()
	other.open("/")
	address := b.web.Listener.Addr().String()
	b.server.Stop()
	b.web.CloseClientConnections()
	b.web.Close()
	n += len(more(100))
	again := startOn(t, b.store, fast)
	stretch = stretched()
	on, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	second := &http.Server{Handler: again.server.Handler()}
	go func() { _ = second.Serve(on) }()
	t.Cleanup(func() { _ = second.Close() })
	reached(behind)
	for n < cases-200 {
		stretch = stretched()
		n += len(more(200))
		reached(behind)
	}
	for _, v := range tabs {
		v.text(`Object.defineProperty(document, "hidden", {value: true, configurable: true}); document.dispatchEvent(new Event("visibilitychange")); ""`)
	}
	for waited := time.Now(); len(again.server.streams) != clientsWatching; time.Sleep(20 * time.Millisecond) {
		if time.Since(waited) > patienceOfTest {
			t.Fatalf("%d streams are open, want those of %d clients: hidden tabs hold none", len(again.server.streams), clientsWatching)
		}
	}
	for _, v := range tabs {
		v.text(`Object.defineProperty(document, "hidden", {value: false, configurable: true}); document.dispatchEvent(new Event("visibilitychange")); ""`)
	}
	n += len(more(cases - n))
	reached(patienceOfTest)
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	b.changed("live", func(h *assay.Header) { h.State, h.Finished = stateFinished, h.Started.Add(time.Minute) })
	for i, v := range tabs {
		v.Until(`document.readyState === "complete" && !document.querySelector("run-live") && !!document.querySelector(".verdict")`)
		if got := v.text(`document.querySelector("h1").textContent`); !strings.Contains(got, "run") {
			t.Errorf("tab %d: %s", i, got)
		}
	}
	other.Do(chromedp.Navigate(fmt.Sprint("http://", address, "/runs/live")))
	other.Until(`!!document.querySelector(".verdict")`)
}

// TestALivePageOpenedBeforeTheRun: a page that was opened before the cases were counted counts
// them with the first event, and shows the first cases at once.
func TestALivePageOpenedBeforeTheRun(t *testing.T) {
	b := start(t, func(c *Config) { c.Look = 100 * time.Millisecond })
	h, more := b.goesOn(strings.Repeat("1101", 10))
	b.changed("live", func(h *assay.Header) { h.Dataset.Cases = 0 })
	unlock, err := b.store.Lock(t.Context(), "live")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unlock() }()
	v := b.visit()
	v.open("/runs/live")
	b.changed("live", func(now *assay.Header) { now.Dataset.Cases = h.Dataset.Cases })
	more(16)
	for end := time.Now().Add(patienceOfTest); v.number(`document.querySelector("run-live progress").value`) < 16; {
		if time.Now().After(end) {
			t.Fatal("the page shows no case")
		}
	}
	if got := v.text(`document.querySelector(".progress-text").textContent`); got != "16 of 40 cases so far" {
		t.Errorf("%q: want 16 of 40 cases", got)
	}
}
