package server

import (
	"encoding/csv"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
)

// labSentence is the sentence of the page of an outcome.
var labSentence = regexp.MustCompile(`<p class="findings lab-said">([^<]*)</p>`)

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// formOf returns the hidden fields of the form to label on a page.
func formOf(text string) url.Values {
	out := url.Values{}
	if i := strings.Index(text, `class="lab-form"`); i >= 0 {
		text = text[i:]
	}
	for _, m := range hiddenField.FindAllStringSubmatch(text, -1) {
		out.Set(m[1], html.UnescapeString(m[2]))
	}
	return out
}

const labelPage = "/judge/a/faithfulness/label"

// send posts a form of a page and returns the reply.
func (b *bench) send(path string, form url.Values, headers ...string) got {
	b.t.Helper()
	return b.do("POST", path, form.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)...)
}

// TestLabelPagesWithoutScripts labels a sample by forms alone, takes one label back, and reads
// the outcome, whose sentence is that of the table that the page exports.
func TestLabelPagesWithoutScripts(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 1000)
	if text := b.see("/judge"); !strings.Contains(text, `href="/judge/a/faithfulness"`) || !strings.Contains(text, `href="/judge/a/faithfulness/label"`) {
		t.Errorf("the list of judged runs has no link to the run: %s", text)
	}
	if text := b.see("/judge/a/faithfulness"); !strings.Contains(text, "No label counts yet") || strings.Contains(text, "<table") {
		t.Errorf("an outcome without labels: %s", text)
	}
	path, first := labelPage, ""
	for i := range 40 {
		form := formOf(b.see(path))
		id := form.Get("case")
		var n int
		if _, err := fmt.Sscanf(id, "q%d", &n); err != nil {
			t.Fatalf("%s shows case %q", path, id)
		}
		if i == 0 {
			first = id
		}
		form.Set("label", fmt.Sprint(personSays(n)))
		g := b.send(path, form)
		if g.StatusCode != http.StatusSeeOther {
			t.Fatalf("%d: %s", g.StatusCode, g.text)
		}
		path = g.Header.Get("Location")
		if i == 19 {
			// With few labels the page says what is lacking, and no figures.
			text := b.see("/judge/a/faithfulness")
			if !strings.Contains(text, "faithfulness: 0.604 by the judge over the 1000 cases with a score.<") || !strings.Contains(text, "10 labels more, of cases drawn at random") ||
				strings.Contains(text, "AUROC") {
				t.Errorf("the outcome of 20 labels: %s", text)
			}
		}
	}
	text := b.see(path)
	if !strings.Contains(text, "40 labelled, 960 left") || !strings.Contains(text, "corrected with 40 labels") {
		t.Errorf("the progress is not told: %s", text)
	}
	// The last label is taken back, and given again.
	last := regexp.MustCompile(`name="case" value="(q\d+)"><input type="hidden" name="undo"`).FindStringSubmatch(text)[1]
	g := b.send(path, url.Values{"case": {last}, "undo": {"1"}})
	if g.StatusCode != http.StatusSeeOther || g.Header.Get("Location") != labelPage+"?case="+last {
		t.Fatalf("undo: %d to %s", g.StatusCode, g.Header.Get("Location"))
	}
	back := b.see(g.Header.Get("Location"))
	if form := formOf(back); form.Get("version") != "2" || form.Get("case") != last || !strings.Contains(back, "39 labelled") {
		t.Errorf("after the undo the form is %v: %s", form, back)
	}
	form := formOf(back)
	var n int
	if _, err := fmt.Sscanf(last, "q%d", &n); err != nil {
		t.Fatal(err)
	}
	form.Set("label", fmt.Sprint(personSays(n)))
	b.send(labelPage, form)
	// A form of a page that was open before is a conflict that tells both.
	form.Set("label", "unsure")
	if g := b.send(labelPage, form); g.StatusCode != http.StatusPreconditionFailed || !strings.Contains(g.text, "It is now:") ||
		!strings.Contains(g.text, "Yours was: Unsure") || formOf(g.text).Get("version") != "3" {
		t.Errorf("%d: want a conflict: %s", g.StatusCode, g.text)
	}
	b.outcomeIsThatOfTheTable(t, 40)
	// The judge's score and the reasons are there once the reader labelled the case, if asked for.
	if text := b.see(labelPage + "?case=" + first + "&reveal=1"); !strings.Contains(text, "the judge&#39;s own reason") || formOf(text).Get("sighted") != "1" {
		t.Errorf("the judge says nothing: %s", text)
	}
}

// outcomeIsThatOfTheTable calibrates the judge by the exported table, as the command does, and
// compares the page with it; the cells lead to as many cases as they count.
func (b *bench) outcomeIsThatOfTheTable(t *testing.T, labels int) {
	t.Helper()
	text := b.see("/judge/a/faithfulness")
	export := html.UnescapeString(regexp.MustCompile(`href="(/api/v1/labels\.csv[^"]*)"`).FindStringSubmatch(text)[1])
	table := b.do("GET", export, nil).want(t, 200).text
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != labels+1 {
		t.Fatalf("%d rows, %v: want %d", len(rows), err, labels+1)
	}
	read, err := judge.ReadLabels(strings.NewReader(table), "labels.csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]*float64{}
	for _, l := range read {
		by[l.Case] = l.Labels
	}
	var items []judge.Rated
	for i := range 1000 {
		id, score := fmt.Sprint("q", i), judgedScore(i).Value
		items = append(items, judge.Rated{Case: id, Score: &score, Labels: by[id]})
	}
	r, err := judge.Calibrate(items, judge.CalibrateOptions{Threshold: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("faithfulness: %.3f by the judge over the 1000 cases with a score; %.3f [%.3f, %.3f] corrected with %d labels; about %d more would halve the interval.",
		*r.Run.Score.Value, r.Run.PPI.Mean, r.Run.PPI.CI.Lo, min(1, r.Run.PPI.CI.Hi), labels, *r.Run.LabelsForHalf)
	if m := labSentence.FindStringSubmatch(text); m == nil || m[1] != want {
		t.Errorf("the page says %q, want %q", m, want)
	}
	c := r.Binary.Confusion
	for cell, n := range map[string]int{"tp": c.TP, "fn": c.FN, "fp": c.FP, "tn": c.TN} {
		if n == 0 {
			continue
		}
		if !strings.Contains(text, fmt.Sprintf(`?cell=%s#cell">%d</a>`, cell, n)) {
			t.Errorf("cell %s does not count %d", cell, n)
		}
		if names, _ := rowsOf(b.see("/judge/a/faithfulness?cell=" + cell)); len(names) != n {
			t.Errorf("cell %s lists %v, want %d", cell, names, n)
		}
	}
	for _, f := range []judge.Figure{r.Binary.Judge.Agreement, r.Binary.Judge.Kappa, r.Binary.AUROC} {
		if row := fmt.Sprintf(`<td class="num">%.3f</td>`, *f.Value); !strings.Contains(text, row) {
			t.Errorf("no %s in the table", row)
		}
	}
}

// TestLabelPagesAreBlind: before a person labels a case the bytes of its page hold neither a
// score or a reason of the judge, nor the name of the run, nor what others say.
func TestLabelPagesAreBlind(t *testing.T) {
	b := start(t)
	b.judgedRun("a", "says ", 40)
	b.judgedRun("b", "says ", 40)
	b.label("a", map[string]any{"case_id": "q1", "value": 0, "annotator": "somebody", "comment": "their own note"}).want(t, 201)
	b.label("b", map[string]any{"case_id": "q1", "value": 0, "annotator": "else"}).want(t, 201)
	secrets := []string{"0.0625", "0.938", "0.9375", "0.063", "own reason", "named a", "somebody", "their own note", "else:", "unsupported"}
	for _, path := range []string{labelPage, labelPage + "?case=q1", labelPage + "?case=q1&reveal=1", labelPage + "?how=unsure", labelPage + "?after=q5&last=q5"} {
		for _, part := range [][]string{nil, {"Assay-Part", "label"}, {"Accept-Language", "zh-TW"}} {
			text := b.see(path, part...)
			for _, secret := range secrets {
				if strings.Contains(text, secret) {
					t.Errorf("%s %v holds %q", path, part, secret)
				}
			}
		}
	}
	b.label("a", map[string]any{"case_id": "q1", "value": 1}).want(t, 201)
	text := b.see(labelPage + "?case=q1&reveal=1")
	for _, told := range []string{"0.938", "own reason 1", "somebody: wrong", "else: wrong · from run b"} {
		if !strings.Contains(text, told) {
			t.Errorf("the label is given, and no %q is told", told)
		}
	}
	// A label that stays the same after that counts still; one that changes does not.
	form := formOf(text)
	for _, x := range []struct {
		label string
		want  bool
	}{{"1", false}, {"0", true}} {
		form.Set("label", x.label)
		if g := b.send(labelPage, form); g.StatusCode != http.StatusSeeOther {
			t.Fatalf("%d: %s", g.StatusCode, g.text)
		}
		l := read[page[LabelView]](t, b.do("GET", "/api/v1/labels?run_id=a&case_id=q1&annotator=me", nil)).Items[0]
		if l.Sighted != x.want {
			t.Errorf("label %s after the score was shown: sighted %t", x.label, l.Sighted)
		}
	}
}

// TestLabelPagesByScope: who may not label sees the pages, with the reason, and cannot post.
func TestLabelPagesByScope(t *testing.T) {
	b := start(t, func(c *Config) { c.Tokens = true })
	b.judgedRun("a", "says ", 40)
	_, reader := b.issue(ScopeRead, epoch.AddDate(90, 0, 0))
	_, labeller := b.issue(ScopeLabel, epoch.AddDate(90, 0, 0))
	b.token = reader
	text := b.see(labelPage)
	if strings.Count(text, " disabled>") < 4 || !strings.Contains(text, "needs the scope label") {
		t.Errorf("the page does not say why it is disabled: %s", text)
	}
	form := formOf(text)
	form.Set("label", "1")
	if g := b.send(labelPage, form); g.StatusCode != http.StatusForbidden || !strings.Contains(g.text, "this request needs label") {
		t.Errorf("%d: %s", g.StatusCode, g.text)
	}
	b.token = labeller
	if text := b.see(labelPage); strings.Contains(text, " disabled>") {
		t.Error("who may label cannot")
	}
	if g := b.send(labelPage, form); g.StatusCode != http.StatusSeeOther {
		t.Errorf("%d: %s", g.StatusCode, g.text)
	}
	if g := b.send(labelPage, form, "Sec-Fetch-Site", "cross-site"); g.StatusCode != http.StatusForbidden {
		t.Errorf("another origin posted: %d", g.StatusCode)
	}
	for _, wrong := range []url.Values{{"label": {"1"}, "case": {"q1"}}, {"label": {"2"}, "case": {"q1"}, "version": {"0"}}, {"label": {"1"}, "case": {"nobody"}, "version": {"0"}}} {
		if g := b.send(labelPage, wrong); g.StatusCode != http.StatusBadRequest {
			t.Errorf("%v: %d", wrong, g.StatusCode)
		}
	}
	if g := b.do("GET", "/judge/a/none", nil); g.StatusCode != http.StatusNotFound {
		t.Errorf("a metric that is not there: %d", g.StatusCode)
	}
}
