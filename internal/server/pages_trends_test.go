package server

import (
	"fmt"
	"html"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/stats"
)

// nights stores runs of one system on successive days. Each has the number of its hits, of
// ten cases; set changes their headers.
func (b *bench) nights(name string, hits []int, set func(i int, h *assay.Header)) {
	b.t.Helper()
	for i, n := range hits {
		id := fmt.Sprintf("%s%02d", name, i)
		b.stored(id, strings.Repeat("1", n)+strings.Repeat("0", 10-n))
		b.changed(id, func(h *assay.Header) {
			h.Name, h.Started, h.Target.Adapter = name, time.Date(2026, 3, 1+i, 2, 0, 0, 0, time.UTC), "http"
			if set != nil {
				set(i, h)
			}
		})
	}
}

// step is a series that changes in the middle.
var step = []int{5, 5, 6, 5, 5, 5, 8, 9, 8, 8, 9, 8}

func (b *bench) trend(query string) wire.Trend {
	b.t.Helper()
	return read[wire.Trend](b.t, b.do("GET", "/api/v1/trends?"+query, nil).want(b.t, 200))
}

// TestTrendFindsChanges: values, noise and changes are those of a computation from the list
// of runs.
func TestTrendFindsChanges(t *testing.T) {
	b := start(t)
	b.nights("n", step, nil)
	got := b.trend("metric=hit@1")
	var values []float64
	for _, n := range step {
		values = append(values, float64(n)/10)
	}
	want := stats.Shifts(values, 0.95, 1)
	if len(want) != 1 || len(got.Series) != 1 || len(got.Series[0].Changes) != 1 {
		t.Fatalf("%+v, want the changes %+v", got.Series, want)
	}
	s := got.Series[0]
	c, w := s.Changes[0], want[0]
	if c.Last != "n05" || c.First != "n06" || c.Before != w.Before || c.After != w.After || c.Lo == nil || *c.Lo != w.CI.Lo || *c.Hi != w.CI.Hi ||
		c.P != w.P || c.RunsIn != [2]int{6, 6} || !c.At.Equal(time.Date(2026, 3, 7, 2, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v, want %+v", c, w)
	}
	squares, n := 0.0, 0
	for i := range values {
		if i > 0 && i != 6 {
			squares, n = squares+math.Pow(values[i]-values[i-1], 2)/2, n+1
		}
	}
	if s.Noise == nil || s.Noise.N != n || math.Abs(s.Noise.SD-math.Sqrt(squares/float64(n))) > 1e-12 || s.Noise.Half <= s.Noise.SD {
		t.Errorf("noise %+v, want a deviation of %g of %d differences", s.Noise, math.Sqrt(squares/float64(n)), n)
	}
	if s.Runs != 12 || s.Needed != stats.LeastShifts || s.Content != "h" || s.Name != "n" {
		t.Errorf("%+v", s)
	}
}

// TestTrendsKeepApartWhatDiffers: runs over other data, of another number of cases, version
// of the metric, judge, target or name are another series, in which no change is reported.
func TestTrendsKeepApartWhatDiffers(t *testing.T) {
	judge := func(model string) *assay.JudgeInfo { return &assay.JudgeInfo{Provider: "p", Model: model} }
	for name, test := range map[string]struct {
		by   string
		want []string
		set  func(late bool, h *assay.Header)
	}{
		"dataset":  {"name", []string{"dataset"}, func(late bool, h *assay.Header) { h.Dataset.Hash = fmt.Sprint(late) }},
		"cases":    {"name", []string{"cases"}, func(late bool, h *assay.Header) { h.Dataset.Cases += map[bool]int{true: 1}[late] }},
		"metric":   {"name", []string{"metric"}, func(late bool, h *assay.Header) { h.Metrics[0].Version += map[bool]int{true: 1}[late] }},
		"judge":    {"name", []string{"judge"}, func(late bool, h *assay.Header) { h.Metrics[0].Judged, h.Judge = true, judge(fmt.Sprint(late)) }},
		"no judge": {"name", []string{"-"}, func(late bool, h *assay.Header) { h.Judge = judge(fmt.Sprint(late)) }},
		"address":  {"target", nil, func(late bool, h *assay.Header) { h.Target.Endpoint = fmt.Sprint(late) }},
		"names":    {"name", nil, func(late bool, h *assay.Header) { h.Name = fmt.Sprint(late) }},
		"together": {"target", []string{"-"}, func(late bool, h *assay.Header) { h.Name = fmt.Sprint(late) }},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t)
			b.nights("n", step, func(i int, h *assay.Header) { test.set(i >= 6, h) })
			got := b.trend("metric=hit@1&by=" + test.by)
			if slices.Equal(test.want, []string{"-"}) {
				if len(got.Series) != 1 || len(got.Series[0].Changes) != 1 {
					t.Errorf("%+v, want one series with a change", got.Series)
				}
				return
			}
			if len(got.Series) != 2 || len(got.Series[0].Changes)+len(got.Series[1].Changes) != 0 || !slices.Equal(got.Series[1].Differs, test.want) ||
				got.Series[0].Differs != nil || got.Points[5].Series != 0 || got.Points[6].Series != 1 {
				t.Errorf("%+v, want two series, and the second differs in %v", got.Series, test.want)
			}
			text := html.UnescapeString(b.see("/trends?metric=hit@1&by=" + test.by))
			if strings.Contains(text, "hit@1 rose") || strings.Contains(text, "→ 0.8") {
				t.Errorf("the page claims a change")
			}
		})
	}
}

// TestTrendsLeaveOutPartialRuns: a run that lost many cases is no sign of a change.
func TestTrendsLeaveOutPartialRuns(t *testing.T) {
	b := start(t)
	b.nights("n", []int{5, 5, 6, 5, 5, 6, 5, 5, 6}, nil)
	b.stored("lost", "11111-----")
	b.changed("lost", func(h *assay.Header) {
		h.Name, h.Target.Adapter, h.Started = "n", "http", time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	})
	got := b.trend("metric=hit@1")
	if last := got.Points[len(got.Points)-1]; !last.Partial || last.Run != "lost" || last.N != 5 || got.Series[0].Runs != 9 {
		t.Errorf("%+v of %+v", last, got.Series)
	}
	if text := b.see("/trends"); !strings.Contains(text, "values of 5 cases") || !strings.Contains(text, "No change of hit@1 can be shown in 9 runs") {
		t.Error("the page does not say that the run is left out")
	}
}

var sentences = regexp.MustCompile(`(?s)<ul class="findings">(.*?)</ul>`)

// said returns the sentences of a page.
func said(t *testing.T, text string) string {
	t.Helper()
	m := sentences.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no sentence: %.2000s", text)
	}
	return strings.Join(strings.Fields(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], " "))), " ")
}

// TestPagesOfTrendsSay: the sentence of a page fits what can be shown, in both languages.
func TestPagesOfTrendsSay(t *testing.T) {
	lower := func(_ int, h *assay.Header) { h.Metrics[0].Better = "lower" }
	for name, test := range map[string]struct {
		hits        []int
		set         func(int, *assay.Header)
		want, zh    string
		not, notTwo string
	}{
		"better": {step, nil, "hit@1 rose between 2026-03-06 02:00 and 2026-03-07 02:00: 0.500 → 0.800 in 6 and 6 runs (difference +0.300…+0.400, p 0.002). That is better.",
			"這是進步", "worse", "No change"},
		"lower is better": {step, lower, "That is worse.", "這是退步", "That is better", "No change"},
		"an estimate": {step, func(_ int, h *assay.Header) { h.Metrics[0].Estimate = true }, "does not show that quality changed",
			"這是估計值", "That is", "No change"},
		"nothing":  {[]int{5, 6, 5, 5, 6, 5, 6, 5}, nil, "No change of hit@1 can be shown in 8 runs.", "8 次執行中看不出 hit@1 有變化", "rose", "fell"},
		"too few":  {step[3:10], nil, "cannot be told from 7 runs that can be compared: 8 are needed", "需要 8 次", "rose", "No change"},
		"the same": {[]int{5, 5, 5, 5, 5, 5, 5, 5}, nil, "Successive runs have the same mean.", "平均值都相同", "±", "rose"},
		"the same but for a change": {[]int{5, 5, 5, 5, 5, 5, 8, 8, 8, 8, 8, 8}, nil, "Between these changes, successive runs have the same mean.", "除上述變化外",
			"±", "Successive runs"},
		"each its own name": {step, func(i int, h *assay.Header) { h.Name = fmt.Sprint("night ", i) }, "cannot be told from 1 run that", "只有 1 次", "rose", "fell"},
	} {
		t.Run(name, func(t *testing.T) {
			b := start(t)
			b.nights("n", test.hits, test.set)
			got := said(t, b.see("/trends", "Accept-Language", "en"))
			if !strings.Contains(got, test.want) || strings.Contains(got, test.not) || strings.Contains(got, test.notTwo) {
				t.Errorf("%s: want %q", got, test.want)
			}
			if got := said(t, b.see("/trends", "Accept-Language", "zh-Hant")); !strings.Contains(got, test.zh) {
				t.Errorf("%s: want %q", got, test.zh)
			}
		})
	}
}

// TestTrendsChoose: what the address does not say is that of the latest run, and every
// choice of a control leads to a page.
func TestTrendsChoose(t *testing.T) {
	b := start(t)
	if text := b.see("/trends"); !strings.Contains(text, "assay quickstart") {
		t.Error("without a run the page does not say how to make one")
	}
	b.nights("early", step, nil)
	b.nights("late", []int{5, 6, 5}, func(_ int, h *assay.Header) {
		h.Dataset.Name, h.Started, h.Config = "e", h.Started.AddDate(1, 0, 0), map[string]string{"primary": "mrr"}
	})
	text := b.see("/trends")
	if !strings.Contains(text, `<option value="e" selected>`) || !strings.Contains(text, `<option value="mrr" selected>`) ||
		!strings.Contains(text, `<option value="late" selected>`) || strings.Count(text, `<a class="open"`) != 3 {
		t.Error("the page does not begin with the latest run")
	}
	if text := b.see("/trends?dataset=d&metric=hit@1&by=name"); strings.Count(text, `<a class="open"`) != 12 || !strings.Contains(text, "/compare?runs=early05%2Cearly06") {
		t.Errorf("another dataset: %s", said(t, text))
	}
	early := b.see("/trends?dataset=d&metric=hit@1&by=name")
	for part, n := range map[string]int{`class="point run"`: 12, `class="band"`: 2, `class="cut better"`: 1, `class="trail"`: 11, `>+0.300</text>`: 1} {
		if got := strings.Count(early, part); got != n {
			t.Errorf("the picture has %d of %s, want %d", got, part, n)
		}
	}
	trend := regexp.MustCompile(`href="(/trends\?[^"]*)"`).FindStringSubmatch(b.see("/runs/early03"))
	if trend == nil || !strings.Contains(said(t, b.see(html.UnescapeString(trend[1]))), "hit@1 rose") {
		t.Errorf("the page of a run has no link to its trend: %v", trend)
	}
	for _, path := range []string{"/trends?by=target&name=late", "/trends?dataset=d&name=late"} {
		b.see(path)
	}
	for path, want := range map[string]string{
		"/trends?dataset=none": "There are: d, e", "/trends?metric=none": "hit@1, mrr", "/trends?target=none": "There are: http", "/trends?name=none": "There are: early, late",
		"/frontier?dataset=none": "", "/frontier?y=none": "", "/runs/early00/slices?metric=none": "hit@1, mrr",
		"/compare?runs=early00,early01&view=slices&metric=none": "hit@1, mrr", "/compare?runs=early00,early01&view=matrix&metric=none": "hit@1, mrr",
		"/compare?runs=early00,early01&view=matrix&run=none": "There are: early01", "/compare/case/q1?runs=early00,early01&metric=none": "hit@1, mrr",
		"/compare?runs=early00,early01&primary=none": "none",
		"/trends?by=none": "There are: name, target", "/?state=done": "cancelled, failed, finished",
		"/compare?runs=early00,early01&view=none": "forest, matrix", "/compare?runs=early00,early01&view=matrix&class=none": "newly_right",
		"/compare?runs=early00,early01&view=matrix&sort=none": "There are: change, dataset, delta", "/datasets/d?list=none": "flaky, unruled, unsolved",
		"/compare/case/q1?runs=early00,early01&diff=none": "off", "/judge/early00/hit@1/label?how=none": "random, unsure",
	} {
		if got := b.do("GET", path, nil); got.StatusCode/100 != 4 || !strings.Contains(html.UnescapeString(got.text), want) {
			t.Errorf("%s: %d %s, want an error with %q", path, got.StatusCode, got.text, want)
		}
	}
}

// TestFrontier: the address leads to the comparison of the latest run of each target, which says what beats what;
// runs over other data are left out.
func TestFrontier(t *testing.T) {
	b := start(t)
	for i, c := range []struct {
		name string
		hits int
		cost int64
	}{{"good", 38, 900}, {"dear", 38, 2000}, {"bad", 8, 2100}, {"cheap", 8, 100}, {"old", 2, 1}} {
		b.spent(c.name, 40, c.hits, c.cost, time.Duration(c.cost)*time.Millisecond)
		b.changed(c.name, func(h *assay.Header) {
			h.Name, h.Target.Adapter, h.Started = c.name, "http", time.Date(2026, 3, 20-i, 0, 0, 0, 0, time.UTC)
			if c.name == "old" {
				h.Dataset.Hash = "other"
			}
		})
	}
	// An earlier run of a target does not stand for it.
	b.spent("earlier", 40, 40, 1, time.Millisecond)
	b.changed("earlier", func(h *assay.Header) { h.Name, h.Target.Adapter, h.Started = "bad", "http", time.Unix(9, 0) })
	leads := func(path, want string) {
		t.Helper()
		if g := b.do("GET", path, nil).want(t, http.StatusSeeOther); g.Header.Get("Location") != want {
			t.Errorf("%s leads to %s, want %s", path, g.Header.Get("Location"), want)
		}
	}
	all := "runs=cheap%2Cbad%2Cdear%2Cgood"
	leads("/frontier", "/compare?primary=hit%401&"+all)
	leads("/frontier?dataset=d&y=mrr", "/compare?primary=mrr&"+all)
	text := html.UnescapeString(b.see("/compare?primary=hit%401&" + all))
	if !strings.Contains(text, `class="front"`) && !strings.Contains(text, "front") {
		t.Errorf("the comparison does not set quality against cost: %s", text)
	}
	for _, name := range []string{"good", "dear", "bad", "cheap"} {
		b.changed(name, func(h *assay.Header) { h.Metrics[0].Estimate = true })
	}
	leads("/frontier", "/compare?"+all)
	b.changed("good", func(h *assay.Header) { h.Metrics[0].Better = "lower" })
	if text := b.see("/frontier"); !strings.Contains(text, "it takes two") {
		t.Errorf("a metric of the other direction is compared: %s", text)
	}
}

// spent stores a run in which so many of the cases are hits, and each takes a little more or
// less than a cost and a time.
func (b *bench) spent(id string, cases, hits int, cost int64, took time.Duration) {
	b.t.Helper()
	b.stored(id, "")
	b.changed(id, func(h *assay.Header) { h.Dataset.Cases = cases })
	for i := range cases {
		value := assay.Value(0)
		if i < hits {
			value = assay.Value(1)
		}
		vary := int64(100 + i%7 - 3)
		if err := b.store.Put(b.t.Context(), id, assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprint("q", i)},
			Response: &assay.Response{Answer: "a", Latency: took * time.Duration(vary) / 100, Usage: assay.Usage{Cost: cost * vary / 100}},
			Scores:   map[string]assay.Score{"hit@1": value, "mrr": value}}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// overTime stores runs over the dataset over: a system that changes, other data, and two
// targets of which one beats the other.
func (b *bench) overTime() {
	b.t.Helper()
	b.nights("n", append(step[:12:12], 3, 4), func(i int, h *assay.Header) {
		if h.Dataset.Name = "over"; i >= 12 {
			h.Dataset.Hash = "other"
		}
	})
	for i, cost := range []int64{100, 9000} {
		id := fmt.Sprint("q", 1+i)
		b.spent(id, 40, 30-10*i, cost, time.Second)
		b.changed(id, func(h *assay.Header) {
			h.Name, h.Dataset.Name, h.Target.Adapter, h.Started = id, "over", "http", time.Date(2026, 4, 1, i, 0, 0, 0, time.UTC)
		})
	}
}

// TestTrendsReadHeadersOnce: a header that did not change is not read again; one that
// changed is, and that of a run that is gone is forgotten.
func TestTrendsReadHeadersOnce(t *testing.T) {
	b := start(t)
	b.nights("n", step, nil)
	ctx := t.Context()
	if _, err := (pageBackend{b.server}).Finished(ctx); err != nil {
		t.Fatal(err)
	}
	kept := b.server.heads.by["n03"]
	kept.Name = "as it was kept"
	b.server.heads.by["n03"] = kept
	if &kept.Metrics[0] != &b.server.heads.by["n09"].Metrics[0] {
		t.Error("runs with the same metrics do not share them")
	}
	b.changed("n04", func(h *assay.Header) { h.Name = "renamed" })
	if err := b.store.DeleteRun(ctx, "n05"); err != nil {
		t.Fatal(err)
	}
	hs, err := pageBackend{b.server}.Finished(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, h := range hs {
		names = append(names, h.ID+" "+h.Name)
	}
	if got := strings.Join(names, ", "); !strings.Contains(got, "n06 n, n04 renamed, n03 as it was kept, n02 n") || len(b.server.heads.by) != 11 {
		t.Error(got)
	}
}

// TestPagesOfTrendsByKeyboard goes from the trend to the comparison across a change.
func TestPagesOfTrendsByKeyboard(t *testing.T) {
	b := start(t)
	b.nights("n", step, nil)
	v := b.visit()
	v.open("/")
	v.keys("g", "t")
	v.at("/trends")
	v.text(`document.querySelector("#by").focus(); ""`)
	v.keys("\t", "\t")
	if got := v.text(focused); !strings.HasPrefix(got, "Compare the runs") {
		t.Errorf("the focus is on %q", got)
	}
	v.keys(kb.Enter)
	v.at("/compare?runs=" + url.QueryEscape("n05,n06"))
	v.keys("g", "f")
	v.at("/frontier")
	v.Clean()
}
