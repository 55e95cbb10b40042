package server

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/browsertest"
	"github.com/assay-eval/assay/internal/requiretest"
)

// A printed page has its words with their places.
type printed struct {
	Pages []struct {
		Width float64 `xml:"width,attr"`
		Words []struct {
			From float64 `xml:"xMin,attr"`
			To   float64 `xml:"xMax,attr"`
			Text string  `xml:",chardata"`
		} `xml:"word"`
	} `xml:"body>doc>page"`
}

// letters returns a text without what breaks lines and words.
func letters(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, text)
}

// TestPagesPrint prints pages: all that they show is on paper, within its edges, with what is
// folded on the screen, and nothing that only acts.
func TestPagesPrint(t *testing.T) {
	program := requiretest.Command(t, "pdftotext")
	b := start(t)
	b.stored("a", strings.Repeat("10x", 20))
	b.stored("b", strings.Repeat("011", 20))
	b.changed("a", func(h *assay.Header) { h.Dataset.Cases = 61 })
	if err := b.store.Put(t.Context(), "a", assay.Record{Seq: 60, Attempts: 1, Case: assay.Case{ID: "long", Question: "What is long?"},
		Response: &assay.Response{Answer: strings.Repeat("many words ", 3000) + "endoftheanswer",
			Passages: []assay.Passage{{ID: "p", Text: strings.Repeat("a passage ", 3000) + "endofthepassage"}},
			Trace:    &assay.Trace{Stages: []assay.Stage{{Name: assay.StageGenerate, Prompt: "Say " + strings.Repeat("wide", 400) + " endoftheprompt"}}}},
		Scores: map[string]assay.Score{"hit@1": assay.Value(1), "mrr": assay.Value(1)}}); err != nil {
		t.Fatal(err)
	}
	v := b.visit()
	v.Do(chromedp.EmulateViewport(700, 900)) // about as wide as paper
	for path, wants := range map[string][]string{
		"/runs/a": {"hit@1", "mrr"}, "/compare?runs=a,b": {"runa", "runb"}, "/compare?runs=a,b&view=matrix": {"q0"},
		"/runs/a/cases": {"q0", "q49"}, "/runs/a/cases/long": {"endoftheanswer", "endofthepassage", "endoftheprompt"},
	} {
		v.Media("")
		v.open(path)
		v.Media("print")
		// What only screen readers have is not printed.
		shown := v.text(`[...document.querySelectorAll("body *")].filter((e) => getComputedStyle(e).clipPath !== "none").forEach((e) => e.remove()); ` +
			`document.body.innerText`)
		file := filepath.Join(t.TempDir(), "page.pdf")
		if err := os.WriteFile(file, v.PDF(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), program, "-bbox", file, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		var paper printed
		d := xml.NewDecoder(strings.NewReader(string(out)))
		d.Strict, d.Entity = false, xml.HTMLEntity
		if err := d.Decode(&paper); err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		outside := ""
		for _, p := range paper.Pages {
			for _, w := range p.Words {
				all.WriteString(letters(w.Text))
				if w.From < 0 || w.To > p.Width {
					outside = fmt.Sprintf("%q at %.0f to %.0f of %.0f", w.Text, w.From, w.To, p.Width)
				}
			}
		}
		if outside != "" {
			t.Errorf("%s: over the edge of the paper: %s", path, outside)
		}
		text := all.String()
		for _, w := range append(strings.Fields(shown), wants...) {
			if w = letters(w); len(w) < 60 && !strings.Contains(text, w) {
				t.Errorf("%s: %q is shown and not printed", path, w)
				break
			}
		}
		for _, not := range []string{"Copylink", "Saveasonefile", "Settings", "Apply", "Nextpage"} {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q is printed", path, not)
			}
		}
		clipped := v.text(`[...document.querySelectorAll("main *")].filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && ` +
			`["hidden", "clip", "auto", "scroll"].includes(getComputedStyle(e).overflowX)).slice(0, 3).map((e) => e.tagName + "." + e.className + " " + ` +
			`e.textContent.slice(0, 40)).join(", ")`)
		if clipped != "" {
			t.Errorf("%s: cut off: %s", path, clipped)
		}
	}
}

// TestPagesInForcedColours: what a colour of its own would show has an outline or the colour of
// the text, and nothing moves for a reader who wants it so.
func TestPagesInForcedColours(t *testing.T) {
	b := start(t)
	b.stored("a", strings.Repeat("10x", 20))
	b.stored("b", strings.Repeat("011", 20))
	v := b.visit()
	v.Media("", "forced-colors", "active", "prefers-reduced-motion", "reduce")
	v.open("/compare?runs=a,b&view=matrix&class=newly_wrong")
	if got := v.text(`getComputedStyle(document.querySelector(".chip[aria-current]")).outlineStyle`); got != "solid" {
		t.Errorf("the chosen class has the outline %q", got)
	}
	v.open("/runs/a/cases")
	same := `getComputedStyle(document.querySelector(".spread .bar")).fill === getComputedStyle(document.body).color`
	if v.text(`String(`+same+`)`) != "true" {
		t.Errorf("bars are %s", v.text(`getComputedStyle(document.querySelector(".spread .bar")).fill`))
	}
	for _, path := range []string{"/", "/runs/a", "/runs/a/cases/q0"} {
		v.open(path)
		if moving := v.text(`[...document.querySelectorAll("*")].filter((e) => { const s = getComputedStyle(e); ` +
			`return s.animationName !== "none" || parseFloat(s.transitionDuration) > 0; }).map((e) => e.tagName).join()`); moving != "" {
			t.Errorf("%s: %s move", path, moving)
		}
	}
}

// TestPagesSignInAgain: a reader whose session has ended on a page signs in and is on the page
// that they went to.
func TestPagesSignInAgain(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	b.stored("a", strings.Repeat("10x", 40))
	_, first := b.issue(ScopeRead, time.Time{})
	v := b.visit()
	signIn := func(token string) {
		t.Helper()
		v.ready()
		v.Focus(`input[name=token]`)
		v.keys(token, "\r")
	}
	const to = "/runs/a/cases?q=hit%401%3E0"
	v.Do(chromedp.Navigate(b.url + to))
	v.Until(`location.pathname === "/signin"`)
	signIn(first)
	v.at(to)
	tokens, err := Tokens(t.Context(), b.store)
	if err != nil {
		t.Fatal(err)
	}
	_, second := b.issue(ScopeRead, time.Time{})
	if err := b.store.DeleteItem(t.Context(), "token", tokens[0].ID); err != nil {
		t.Fatal(err)
	}
	v.Click(`th.m a`)
	v.Until(`location.pathname === "/signin"`)
	signIn(second)
	v.at("/runs/a/cases?q=hit%401%3E0&sort=hit%401")
}

// TestPagesOfAnotherOrigin: a page of another origin shows none of ours in a frame, and posts
// nothing.
func TestPagesOfAnotherOrigin(t *testing.T) {
	b := start(t)
	b.stored("a", "10")
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>other</title><iframe src="%s/runs/a"></iframe><form method=post action="%s/runs/a/cancel"></form>`, b.url, b.url)
	}))
	t.Cleanup(evil.Close)
	other, err := url.Parse(evil.URL)
	if err != nil {
		t.Fatal(err)
	}
	// A host of its own, so that it is another site, too.
	address := "http://localhost:" + other.Port() + "/"
	v := browsertest.New(t, func(string) bool { return true })
	v.Do(chromedp.Navigate(address))
	v.Until(`document.title === "other" && document.readyState === "complete"`)
	if said := strings.Join(v.Faults(), "\n"); !strings.Contains(said, "frame-ancestors") {
		t.Errorf("the frame was not refused: %s", said)
	}
	v.Do(chromedp.Evaluate[chromedp.Void](`document.forms[0].submit()`))
	v.Until(`document.body.textContent.includes("cross-origin")`)
}
