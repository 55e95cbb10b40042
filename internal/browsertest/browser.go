// Package browsertest shows pages in a real Chromium, and finds what should not happen on
// them: console messages, exceptions, violations of a policy, requests to other places.
package browsertest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay/internal/requiretest"
)

// A Browser is a tab of the one Chromium of a test binary.
type Browser struct {
	t   testing.TB
	ctx context.Context
	// allowed reports whether a page may request an address.
	allowed func(address string) bool

	mu     sync.Mutex
	faults []string
}

// chromium is the one browser of all tests.
var chromium struct {
	once  sync.Once
	ctx   context.Context
	close func()

	mu sync.Mutex
	// profiles are those of the tests that run, by name.
	profiles map[string]context.Context
}

// Run runs the tests of a package that uses browsers, and closes the browser after them. It
// returns the exit code.
func Run(m *testing.M) int {
	code := m.Run()
	if chromium.close != nil {
		chromium.close()
	}
	return code
}

func startChromium(path string) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath(path),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1280, 900))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	// The first action starts the browser, which must have no deadline.
	if chromedp.Do(ctx, chromedp.Navigate("about:blank")) == nil {
		chromium.ctx = ctx
	}
	chromium.close = func() { cancel(); stop() }
}

// New returns a new tab in the profile of the test. Without Chromium the test is skipped, or
// fails where everything is required. It does not run under the race detector, which makes servers
// too slow for a person. Requests that allowed does not allow are faults.
func New(t testing.TB, allowed func(address string) bool) *Browser {
	t.Helper()
	requiretest.Apart(t)
	path := requiretest.Command(t, "chromium")
	chromium.once.Do(func() { startChromium(path) })
	if chromium.ctx == nil {
		t.Fatal("chromium does not start")
	}
	ctx, cancel := chromedp.NewContext(profile(t))
	t.Cleanup(cancel)
	b := &Browser{t: t, ctx: ctx, allowed: allowed}
	if err := chromedp.Listen(ctx, b.heard); err != nil {
		t.Fatal(err)
	}
	b.ctx, cancel = context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(cancel)
	return b
}

// profile returns the browser with the cookies and the storage of a test alone, which all
// tabs of the test share.
func profile(t testing.TB) context.Context {
	t.Helper()
	chromium.mu.Lock()
	defer chromium.mu.Unlock()
	if ctx, ok := chromium.profiles[t.Name()]; ok {
		return ctx
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	// The first action makes the profile.
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	if chromium.profiles == nil {
		chromium.profiles = map[string]context.Context{}
	}
	chromium.profiles[t.Name()] = ctx
	t.Cleanup(func() {
		chromium.mu.Lock()
		defer chromium.mu.Unlock()
		delete(chromium.profiles, t.Name())
		cancel()
	})
	return ctx
}

func (b *Browser) heard(ev any) {
	fault := ""
	switch ev := ev.(type) {
	case *runtime.EventExceptionThrown:
		fault = fmt.Sprintf("exception: %v", ev.ExceptionDetails)
	case *runtime.EventConsoleAPICalled:
		fault = fmt.Sprintf("console.%v", ev.Type)
	case *cdplog.EventEntryAdded:
		fault = fmt.Sprintf("log %v: %s %s", ev.Entry.Level, ev.Entry.Text, ev.Entry.URL)
	case *network.EventRequestWillBeSent:
		if !b.allowed(ev.Request.URL) {
			fault = "request: " + ev.Request.URL
		}
	}
	if fault != "" {
		b.mu.Lock()
		b.faults = append(b.faults, fault)
		b.mu.Unlock()
	}
}

// Do runs actions in the page.
func (b *Browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// Eval returns the value of an expression in the page.
func Eval[T any](b *Browser, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// Until waits for a condition in the page, also across loads of another page.
func (b *Browser) Until(js string) {
	b.t.Helper()
	until[bool](b, js)
}

// until waits for a value in the page that JavaScript takes as true, and returns it.
func until[T any](b *Browser, js string) T {
	b.t.Helper()
	for {
		v, err := chromedp.Run(b.ctx, chromedp.Poll[T](js, chromedp.WithPollingTimeout(time.Minute)))
		if err == nil {
			return v
		}
		if !strings.Contains(err.Error(), "-32000") { // the page of the poll is gone
			b.t.Fatalf("%s: %v", js, err)
		}
	}
}

// Focus waits for an element that a CSS selector names, and gives it the focus.
//
// Focus and Click find elements by scripts: the actions of chromedp keep numbers of nodes, which
// are void when the browser reports the document once more, as it does at any time after a load.
func (b *Browser) Focus(selector string) {
	b.t.Helper()
	b.Until(fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e?.focus();
		return !!e && document.activeElement === e;
	})()`, selector))
}

// Click waits until the first element that a CSS selector names stands still and can be seen with
// nothing over it, and clicks in the middle of its first line. It clicks again if the element moved
// or was replaced meanwhile, so that it heard of no click.
func (b *Browser) Click(selector string) {
	b.t.Helper()
	for {
		at := until[[]float64](b, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			e?.scrollIntoView({block: "center", behavior: "instant"});
			const box = e?.getClientRects()[0];
			if (!box) return null;
			const x = box.x + box.width / 2, y = box.y + box.height / 2, was = window.placeOfClick;
			window.placeOfClick = x + " " + y;
			if (was !== window.placeOfClick || !e.contains(document.elementFromPoint(x, y))) return null;
			window.missedClick = true;
			e.addEventListener("click", () => { window.missedClick = false; }, {once: true, capture: true});
			return [x, y];
		})()`, selector))
		b.Do(chromedp.MouseClickXY(at[0], at[1]))
		// Another page has another window: it was heard there.
		missed, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`window.missedClick === true`))
		if err != nil || !missed {
			return
		}
	}
}

// Screenshot returns the page as it is seen, as a PNG.
func (b *Browser) Screenshot() []byte {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

// PDF returns the page as it is printed.
func (b *Browser) PDF() []byte {
	b.t.Helper()
	r, err := chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Data
}

// Media has the page shown as for a medium, such as "print", with features, such as
// forced-colors, as pairs of names and values.
func (b *Browser) Media(medium string, features ...string) {
	b.t.Helper()
	p := emulation.SetEmulatedMediaParams{Media: medium}
	for i := 0; i+1 < len(features); i += 2 {
		p.Features = append(p.Features, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, p); err != nil {
		b.t.Fatal(err)
	}
}

// Faults returns the faults so far, and forgets them.
func (b *Browser) Faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.faults
	b.faults = nil
	return out
}

// Clean fails the test for every fault so far, and forgets them.
func (b *Browser) Clean() {
	b.t.Helper()
	for _, f := range b.Faults() {
		b.t.Error(f)
	}
}
