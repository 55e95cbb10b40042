package server

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
)

// planted stores a run of 160 cases, which gets wrong those that ask for the ferry in one of
// two, and others in one of ten. If it is better, it gets the ferries right, too. Every
// eighth case has no value of the metric. The ferries have the tag boats, and more tags.
func (b *bench) planted(id string, better bool, more ...string) {
	b.t.Helper()
	h := assay.Header{ID: id, Name: "run " + id, State: stateFinished, Started: time.Unix(1, 0), Finished: time.Unix(2, 0),
		Dataset: assay.DatasetInfo{Name: "d", Hash: "h", Cases: 160},
		Metrics: []assay.MetricInfo{
			{Name: "hit@1", Title: "Hit@1", Better: "higher", Range: [2]float64{0, 1}, Version: 1},
			{Name: "wer", Title: "WER", Better: "lower", Range: [2]float64{0, 1}, Version: 1},
			{Name: "support", Title: "Support", Better: "higher", Range: [2]float64{0, 1}, Version: 1, Estimate: true},
		}}
	if err := b.store.CreateRun(b.t.Context(), h); err != nil {
		b.t.Fatal(err)
	}
	for i := range 160 {
		r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprint("q", i), Question: fmt.Sprintf("Tell me of %s %d.", strings.Repeat("things ", 20), i%7)},
			Response: &assay.Response{Answer: "x"}}
		v := 1.0
		if i%10 == 3 {
			v = 0
		}
		if i%4 == 0 {
			r.Case.Question, r.Case.Tags = fmt.Sprintf("Where does the Ferry %d leave 渡輪", i), append([]string{"boats"}, more...)
			if i%8 != 0 && !better {
				v = 0
			}
		}
		r.Scores = map[string]assay.Score{"hit@1": assay.Value(v), "wer": assay.Value(1 - v), "support": assay.Value(v)}
		if i%8 == 7 {
			r.Scores["hit@1"] = assay.None("no label")
		}
		if err := b.store.Put(b.t.Context(), id, r); err != nil {
			b.t.Fatal(err)
		}
	}
}

var foundCases = regexp.MustCompile(`<b>(?:(\d+) of )?(\d+) cases</b>`)

// TestPagesListSlices: the slices of a run and of a comparison are those of the API; each
// leads to as many cases as it counts, and its text is no markup.
func TestPagesListSlices(t *testing.T) {
	b := start(t)
	b.planted("a", true, "x "+attack)
	b.planted("b", false, "x "+attack)
	for _, c := range []struct{ page, api, worst string }{
		{"/runs/b/slices?", "/api/v1/runs/b/slices?", "−"},
		{"/runs/b/slices?metric=wer", "/api/v1/runs/b/slices?metric=wer", "+"},
		{"/compare?runs=a,b&view=slices", "/api/v1/runs/b/slices?baseline=a", "−"},
	} {
		text := b.see(c.page)
		found := read[slicesView](t, b.do("GET", c.api, nil).want(t, 200))
		names, addresses := rowsOf(text)
		if len(found.Items) == 0 || len(names) != len(found.Items) || found.Looked < len(found.Items) || found.Cases != 160 {
			t.Fatalf("%s: %q, the API has %+v", c.page, names, found)
		}
		if want := fmt.Sprintf("%d slices were looked through: on %d of them", found.Looked, len(found.Items)); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", c.page, want, text)
		}
		if missing := strings.Contains(text, "20 of 160 cases have no value"); missing != (found.Valued == 140) {
			t.Errorf("%s: %d cases have a value", c.page, found.Valued)
		}
		worst := found.Items[0]
		if !worst.Worse || worst.CI == nil || !strings.Contains(html.UnescapeString(text), "▼ "+c.worst) || worst.Q != "tag:boats" {
			t.Errorf("%s: the worst is %+v", c.page, worst)
		}
		for i, one := range found.Items {
			q, err := url.Parse(addresses[i])
			if err != nil || q.Query().Get("q") != one.Q {
				t.Errorf("%s: %s leads to %s", c.page, one.Q, addresses[i])
			}
			if m := foundCases.FindStringSubmatch(b.see(addresses[i])); m == nil || m[1] != fmt.Sprint(one.Cases) {
				t.Errorf("%s: %s counts %d cases, the list says %q", c.page, one.Q, one.Cases, m)
			}
		}
		for _, bad := range []string{"<script>", "<img"} {
			if strings.Contains(typed.ReplaceAllString(text, ""), bad) {
				t.Errorf("%s: %q in the page", c.page, bad)
			}
		}
		if part := b.see(c.page, "Assay-Part", "list"); !strings.HasPrefix(strings.TrimSpace(part), `<div id="part-list"`) {
			t.Errorf("%s: the part is %.80q", c.page, part)
		}
		if text := b.see(c.page, "Accept-Language", "zh-TW"); !strings.Contains(text, "個切片") {
			t.Errorf("%s: want Traditional Chinese: %s", c.page, text)
		}
	}
	if !strings.Contains(b.see("/runs/b"), `href="/runs/b/slices"`) || !strings.Contains(b.see("/runs/b/cases"), `href="/runs/b/slices"`) {
		t.Error("no page leads to the slices")
	}
}

// TestSlicesOfNothing: no finding is a result; runs that go on, estimates and unknown metrics
// say why there is none.
func TestSlicesOfNothing(t *testing.T) {
	b := start(t)
	b.planted("a", true)
	b.planted("b", true)
	if text := b.see("/compare?runs=a,b&view=slices"); !strings.Contains(text, "on none of them does hit@1 change otherwise") {
		t.Errorf("nothing changed: %s", text)
	}
	if text := b.see("/runs/a/slices?metric=support"); !strings.Contains(text, "slices were looked through") {
		t.Error("an unknown metric is not the first")
	}
	b.stored("few", "101")
	if text := b.see("/runs/few/slices"); !strings.Contains(text, "No slice has enough cases") {
		t.Errorf("three cases: %s", text)
	}
	for _, path := range []string{"/runs/a/slices?metric=support", "/runs/a/slices?metric=nothing", "/runs/b/slices?baseline=a&metric=support",
		"/runs/a/slices?baseline=a"} {
		b.do("GET", "/api/v1"+path, nil).want(t, http.StatusBadRequest)
	}
	b.changed("a", func(h *assay.Header) { h.State = "interrupted" })
	for _, path := range []string{"/runs/a/slices", "/runs/a/slices?baseline=b"} {
		b.do("GET", "/api/v1"+path, nil).want(t, http.StatusConflict)
	}
	for _, path := range []string{"/runs/a/slices", "/compare?runs=a,b&view=slices"} {
		if text := html.UnescapeString(b.see(path)); !strings.Contains(text, "when a run is finished") {
			t.Errorf("%s: %s", path, text)
		}
	}
}
