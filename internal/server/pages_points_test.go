package server

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/chromedp/chromedp/kb"
)

const surfPage = "/datasets/surf.jsonl/points/q1"

var (
	pointText    = regexp.MustCompile(`(?s)<textarea name="text"[^>]*>(.*?)</textarea>`)
	pointVital   = regexp.MustCompile(`<select name="vital"><option value="1"( selected)?>`)
	pointPassage = regexp.MustCompile(`(?s)<select name="passage">(.*?)</select>|<input type="hidden" name="passage" value="()">`)
	chosenOption = regexp.MustCompile(`<option value="([^"]*)" selected>`)
	pointTag     = regexp.MustCompile(`name="tag" value="([^"]*)"`)
	pointSaid    = regexp.MustCompile(`<p id="points-said" role="status">([^<]*)</p>`)
	pointMakers  = regexp.MustCompile(`<legend>[^<]*<small dir="auto">([^<]*)</small>`)
)

// pointForm returns what the form of points on a page would send.
func pointForm(text string) url.Values {
	out := url.Values{"tag": {html.UnescapeString(pointTag.FindStringSubmatch(text)[1])}}
	for _, m := range pointText.FindAllStringSubmatch(text, -1) {
		out.Add("text", html.UnescapeString(m[1]))
	}
	for _, m := range pointVital.FindAllStringSubmatch(text, -1) {
		out.Add("vital", map[bool]string{true: "1", false: "0"}[m[1] != ""])
	}
	for _, m := range pointPassage.FindAllStringSubmatch(text, -1) {
		id := ""
		if chosen := chosenOption.FindStringSubmatch(m[1]); chosen != nil {
			id = html.UnescapeString(chosen[1])
		}
		out.Add("passage", id)
	}
	return out
}

// saved sends the form on a page, and returns the page that follows.
func (b *bench) saved(text string, change func(url.Values)) string {
	b.t.Helper()
	form := pointForm(text)
	if change != nil {
		change(form)
	}
	g := b.send(surfPage, form).want(b.t, http.StatusSeeOther)
	return b.see(g.Header.Get("Location"))
}

// TestPointPagesWithoutScripts adds, rewords, deletes and weighs points by a form alone: all of it is one version.
func TestPointPagesWithoutScripts(t *testing.T) {
	b := start(t)
	b.uploaded("surf.jsonl", surfboards)
	if text := b.see("/datasets/surf.jsonl"); !strings.Contains(text, `href="/datasets/surf.jsonl/points"`) {
		t.Errorf("the page of the dataset does not lead to the points: %s", text)
	}
	names, addresses := rowsOf(b.see("/datasets/surf.jsonl/points"))
	if fmt.Sprint(names, addresses) != "[q1 q2] [/datasets/surf.jsonl/points/q1 /datasets/surf.jsonl/points/q2]" {
		t.Errorf("the list has %v %v", names, addresses)
	}
	if text := b.see("/datasets/surf.jsonl/points?q=SURF"); !strings.Contains(text, "2 points, 1 vital") || strings.Contains(text, "dogs") {
		t.Errorf("the list with a text: %s", text)
	}
	step := func(text, want, said string) {
		t.Helper()
		f := pointForm(text)
		if got := strings.Join(f["text"], "|") + " " + strings.Join(f["vital"], "") + " " + strings.Join(f["passage"], ","); got != want {
			t.Errorf("the form has %q, want %q", got, want)
		}
		if got := html.UnescapeString(pointSaid.FindStringSubmatch(text)[1]); got != said {
			t.Errorf("the page says %q, want %q", got, said)
		}
	}
	text := b.see(surfPage)
	step(text, "up to 1.8 m|free||| 10000 p1,,,,", "")
	text = b.saved(text, func(f url.Values) {
		f["text"][1], f["text"][2], f["vital"][2] = " ", "longer ones\r\nare freight.", "1"
	})
	step(text, "up to 1.8 m|longer ones\nare freight.||| 11000 p1,,,,", "Saved: version 2 of the dataset.")
	text = b.saved(text, func(f url.Values) { f["text"][0], f["vital"][1] = "up to 1.8 m; free", "0" })
	step(text, "up to 1.8 m; free|longer ones\nare freight.||| 10000 p1,,,,", "Saved: version 3 of the dataset.")
	if m := pointMakers.FindAllStringSubmatch(text, -1); len(m) != 5 || m[0][1] != "by me" || m[1][1] != "by me" {
		t.Errorf("who made the points: %v", m)
	}
	if !strings.Contains(text, "The points were last changed by me, ") {
		t.Errorf("who changed the points last: %s", text)
	}
	// Mistakes are told, and what was typed stays.
	form := pointForm(text)
	form["text"][1] = form["text"][0]
	g := b.send(surfPage, form)
	if g.StatusCode != http.StatusBadRequest || !strings.Contains(g.text, "point 2: says the same as point 1") ||
		strings.Count(g.text, `aria-invalid="true"`) != 1 ||
		len(pointForm(g.text)["text"]) != 5 {
		t.Errorf("a mistake: %s", g.text)
	}
	if g := b.send(surfPage, url.Values{"text": {"a"}}); g.StatusCode != http.StatusBadRequest {
		t.Errorf("a form without importance: %d", g.StatusCode)
	}
}

// TestPointPagesShowBoth: who saves second sees the points of both, loses nothing that was typed, and can save then.
func TestPointPagesShowBoth(t *testing.T) {
	b := start(t)
	b.uploaded("surf.jsonl", surfboards)
	first, second := b.see(surfPage), b.see(surfPage)
	b.saved(first, func(f url.Values) { f["text"][1] = "of the first" })
	form := pointForm(second)
	form["text"][1] = "of the second"
	g := b.send(surfPage, form)
	if g.StatusCode != http.StatusPreconditionFailed ||
		!strings.Contains(g.text, "Your points are not saved: me changed them meanwhile (version 2, ") || !strings.Contains(g.text, ">of the first<") ||
		strings.Join(pointForm(g.text)["text"], "|") != "up to 1.8 m|of the second|||" {
		t.Errorf("the second sees %s", g.text)
	}
	text := b.saved(g.text, nil)
	if got := strings.Join(pointForm(text)["text"], "|"); got != "up to 1.8 m|of the second|||" ||
		!strings.Contains(text, "version 3 of the dataset") {
		t.Errorf("after the second saved: %s", text)
	}
}

// TestPointPagesByScope: who may not change datasets sees the points, with the reason, and cannot post; nobody changes the
// folder.
func TestPointPagesByScope(t *testing.T) {
	b := start(t, withRivers(t), func(c *Config) { c.Tokens = true })
	_, b.token = b.issue(ScopeRun, epoch.AddDate(90, 0, 0))
	b.uploaded("surf.jsonl", surfboards)
	_, b.token = b.issue(ScopeLabel, epoch.AddDate(90, 0, 0))
	text := b.see(surfPage)
	if !strings.Contains(text, "a token needs the scope run") || strings.Contains(text, `class="button"`) ||
		strings.Count(text, "<fieldset disabled>") != 2 {
		t.Errorf("a token that labels: %s", text)
	}
	form := pointForm(text)
	if g := b.send(surfPage, form); g.StatusCode != http.StatusForbidden {
		t.Errorf("a token that labels posts: %d", g.StatusCode)
	}
	_, b.token = b.issue(ScopeRun, epoch.AddDate(90, 0, 0))
	if g := b.send(surfPage, form, "Sec-Fetch-Site", "cross-site"); g.StatusCode != http.StatusForbidden {
		t.Errorf("another origin posts: %d", g.StatusCode)
	}
	_, addresses := rowsOf(b.see("/datasets/rivers.jsonl/points"))
	if text := b.see(addresses[0]); !strings.Contains(text, "whose files the server does not write") || strings.Contains(text, `class="button"`) {
		t.Errorf("a file of the folder: %s", text)
	}
	for _, path := range []string{"/datasets/none/points", "/datasets/none/points/q1", "/datasets/surf.jsonl/points/none"} {
		if g := b.do("GET", path, nil); g.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, g.StatusCode)
		}
	}
	// What a text says is text.
	b.mustSave("q1", assay.Point{Text: `<script>alert(1)</script>"&`})
	if text := b.see(surfPage); strings.Contains(text, "<script>alert") || pointForm(text).Get("text") != `<script>alert(1)</script>"&` {
		t.Errorf("a text acts: %s", text)
	}
}

// TestPointPagesByKeyboard changes points without a pointer, and is warned before what is not saved is left.
func TestPointPagesByKeyboard(t *testing.T) {
	b := start(t)
	b.uploaded("surf.jsonl", surfboards)
	v := b.visit()
	v.open("/datasets/surf.jsonl/points")
	v.keys("j", kb.Enter)
	v.at(surfPage)
	v.Focus(`li:nth-child(3) textarea`)
	// Letters that are shortcuts elsewhere are text.
	v.keys("j", "u", "s", "t")
	v.Focus(`.points-bar button`)
	v.keys(kb.Enter)
	v.at(surfPage + "?saved=2")
	v.Until(`document.getElementById("points-said").textContent === "Saved: version 2 of the dataset."`)
	v.Clean()
}
