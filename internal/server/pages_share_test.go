package server

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay/internal/browsertest"
)

// TestSavedPages: a page as one file has what the page shows and the address it was at, acts on
// nothing, and loads nothing, also with texts that attack.
func TestSavedPages(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 40))
	b.stored("b", strings.Repeat("011", 40))
	b.hostileRun("h", 3)
	b.hostileRun("i", 3)
	dir := t.TempDir()
	browser := browsertest.New(t, func(address string) bool {
		return strings.HasPrefix(address, "file://"+dir+"/") || address == "about:blank"
	})
	for _, x := range []struct{ path, want string }{
		{"/", "run a"}, {"/runs/a/cases?q=hit@1%3E0", "40 of 120 cases"}, {"/runs/a/cases/q0?q=hit@1%3E0", "a says 0"},
		{"/compare?runs=a,b", "mrr"}, {"/compare?runs=a,b&view=matrix&class=newly_wrong", "q0"}, {"/compare/case/q0?runs=a,b", "run b"},
		{"/runs/h/cases", "拾獲的雨傘"}, {"/runs/h/cases/h0", "拾獲的雨傘"}, {"/runs/h/cases/long", "拾獲的雨傘"}, {"/compare/case/h0?runs=h,i", "拾獲的雨傘"},
	} {
		sign := "?"
		if strings.Contains(x.path, "?") {
			sign = "&"
		}
		g := b.do("GET", x.path+sign+"as=file", nil).want(t, http.StatusOK)
		if d := g.Header.Get("Content-Disposition"); !strings.HasPrefix(d, `attachment; filename="assay-`) || !strings.HasSuffix(d, `.html"`) {
			t.Errorf("%s: Content-Disposition %q", x.path, d)
		}
		for _, bad := range []string{"<script", "<form", "<input", "<button", "<nav", "data-part", `href="/`, "<img", "\u202e", "as=file"} {
			if strings.Contains(g.text, bad) {
				t.Errorf("%s: %q in the file", x.path, bad)
			}
		}
		if !strings.Contains(g.text, `class="note saved">Saved from <a href="`+b.url+"/") || !strings.Contains(g.text, x.want) {
			t.Errorf("%s: no address, or no %q: %.2000s", x.path, x.want, g.text)
		}
		if strings.Contains(x.path, "hit@1") && !strings.Contains(g.text, "<code dir=\"auto\">hit@1&gt;0</code>") {
			t.Errorf("%s: the file does not say its filter", x.path)
		}
		file := filepath.Join(dir, "page.html")
		if err := os.WriteFile(file, []byte(g.text), 0o600); err != nil {
			t.Fatal(err)
		}
		browser.Do(chromedp.Navigate("file://" + file))
		browser.Until(`document.readyState === "complete"`)
		if browsertest.Eval[string](browser, `getComputedStyle(document.querySelector("h1")).fontFamily`) != browsertest.Eval[string](browser,
			`getComputedStyle(document.documentElement).getPropertyValue("--serif").trim()`) {
			t.Errorf("%s: the sheet does not apply", x.path)
		}
		browser.Clean()
	}
	// The report of a run is its file.
	if text := b.see("/runs/a?as=file"); !strings.Contains(text, `class="file" href="/api/v1/runs/a/report.html"`) {
		t.Error("the page of a run does not lead to its report")
	}
	for _, path := range []string{"/settings?as=file", "/search?as=file", "/views?as=file", "/new?as=file"} {
		if g := b.do("GET", path, nil); g.Header.Get("Content-Disposition") != "" || strings.Contains(g.text, `class="file"`) {
			t.Errorf("%s is a file", path)
		}
	}
}

// TestSavedViews: a name leads to a page of this server and nowhere else; only who saved it
// changes it.
func TestSavedViews(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	b.stored("a", "10")
	token := map[Scope][]string{}
	for _, s := range Scopes {
		_, text := b.issue(s, time.Time{})
		token[s] = []string{"Authorization", "Bearer " + text}
	}
	refused := func(g got, status int) {
		t.Helper()
		if g.StatusCode != status {
			t.Errorf("status %d, want %d", g.StatusCode, status)
		}
	}
	form := func(scope Scope, values url.Values) got {
		return b.do("POST", "/views", values.Encode(), append(token[scope], "Content-Type", "application/x-www-form-urlencoded")...)
	}
	const to = "/runs/a/cases?q=hit%401%3E0&sort=id"
	refused(form(ScopeRead, url.Values{"name": {"mine"}, "url": {to}}), http.StatusForbidden)
	if text := b.see(to, token[ScopeRead]...); !strings.Contains(text, "scope label") || !strings.Contains(text, " disabled") {
		t.Error("the form does not say that it needs more")
	}
	for _, name := range []string{"mine", "五月 的退步"} {
		if g := form(ScopeLabel, url.Values{"name": {name}, "url": {to}}); g.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %s", name, g.text)
		}
		if g := b.do("GET", "/s/"+url.PathEscape(name), nil, token[ScopeRead]...); g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") != to {
			t.Errorf("%s leads to %q", name, g.Header.Get("Location"))
		}
	}
	refused(form(ScopeRun, url.Values{"name": {"mine"}, "url": {"/"}}), http.StatusConflict)
	b.do("DELETE", "/api/v1/views/mine", nil, token[ScopeRun]...).want(t, http.StatusConflict)
	if text := b.see("/views", token[ScopeRun]...); !strings.Contains(text, ">mine<") || strings.Contains(text, "views/delete") {
		t.Errorf("the list of another reader: %s", text)
	}
	if text := b.see("/search?q=退步", token[ScopeRead]...); !strings.Contains(text, ">五月 的退步<") {
		t.Error("the search does not find the view")
	}
	for _, bad := range []string{
		"https://evil.example/", "//evil.example/", `/\evil.example`, "/\tx", "javascript:alert(1)", "", "runs/a", "/s/mine", "/api/v1/runs",
		"/signout", "/" + strings.Repeat("x", 5000), "/../..//evil.example", "/views",
	} {
		if g := form(ScopeLabel, url.Values{"name": {"other"}, "url": {bad}}); g.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: status %d", bad, g.StatusCode)
		}
	}
	for _, bad := range []string{"", "..", "a/b", " ", "<b>", "-x", strings.Repeat("x", 101), "a\u202eb"} {
		if g := form(ScopeLabel, url.Values{"name": {bad}, "url": {to}}); g.StatusCode != http.StatusBadRequest {
			t.Errorf("name %q: status %d", bad, g.StatusCode)
		}
	}
	b.do("PUT", "/api/v1/views/mine", `{"url":"/runs/a"}`, token[ScopeLabel]...).want(t, http.StatusOK)
	if v := read[viewView](t, b.do("GET", "/api/v1/views/mine", nil, token[ScopeRead]...).want(t, http.StatusOK)); v.URL != "/runs/a" {
		t.Errorf("%+v", v)
	}
	if l := read[page[viewView]](t, b.do("GET", "/api/v1/views", nil, token[ScopeRead]...)); l.Total != 2 {
		t.Errorf("%+v", l)
	}
	b.do("DELETE", "/api/v1/views/mine", nil, token[ScopeAdmin]...).want(t, http.StatusOK)
	refused(b.do("GET", "/s/mine", nil, token[ScopeRead]...), http.StatusNotFound)
}

// TestPagesShare copies the link of a page after its part was replaced, and saves it as a view,
// by keyboard.
func TestPagesShare(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 40))
	v := b.visit()
	v.open("/runs/a/cases")
	v.Click(`.pages a[rel=next]`)
	v.at("/runs/a/cases?page=2")
	v.Until(`document.querySelector(".share .file").getAttribute("href") === "/runs/a/cases?page=2&as=file"`)
	v.text(`window.kept = ""; Object.defineProperty(navigator, "clipboard", {value: {writeText: async (s) => { window.kept = s; }}}); ""`)
	v.keys(".")
	v.Until(`window.kept === location.href && document.querySelector(".share .copy").textContent === "The link is copied."`)
	v.Until(`document.querySelector(".share .copy").textContent === "Copy link"`)
	v.Focus(`.share summary`)
	v.keys(" ", "\t", "second page", kb.Enter)
	v.at("/views")
	v.Click(`a.open`)
	v.at("/runs/a/cases?page=2")
	v.Clean()
}
