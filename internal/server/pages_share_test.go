package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay/internal/web"
)

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
	if v := read[web.ViewView](t, b.do("GET", "/api/v1/views/mine", nil, token[ScopeRead]...).want(t, http.StatusOK)); v.URL != "/runs/a" {
		t.Errorf("%+v", v)
	}
	if l := read[page[web.ViewView]](t, b.do("GET", "/api/v1/views", nil, token[ScopeRead]...)); l.Total != 2 {
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
