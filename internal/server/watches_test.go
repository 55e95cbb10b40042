package server

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/watch"
)

// watched stores the state of a watch.
func (b *bench) watched(st *watch.State) {
	b.t.Helper()
	body, err := json.Marshal(st)
	if err != nil {
		b.t.Fatal(err)
	}
	it := store.Item{Kind: store.KindWatch, ID: st.Name, Created: st.Begun, Updated: st.Updated, Body: body}
	if err := b.store.PutItem(b.t.Context(), it); err != nil {
		b.t.Fatal(err)
	}
}

// seriesOf makes a series of a metric and a kind with so many scores of 1, and of 0.
func seriesOf(m assay.MetricInfo, kind string, ones, zeros int, begun time.Time) *watch.Series {
	s := &watch.Series{Metric: m, Stratum: kind, Identity: "i", Begun: begun, Days: []watch.DayMean{}, Recent: []watch.Point{}}
	for i := range ones + zeros {
		s.Bounds.Add(float64(map[bool]int{true: 1}[i < ones]))
	}
	for i := range min(ones+zeros, 9) {
		s.Days = append(s.Days, watch.DayMean{
			Date: begun.AddDate(0, 0, i-9).Format(time.DateOnly), N: 10 + i, Mean: s.Value(float64(ones)/float64(ones+zeros) - float64(i%3)/50),
		})
	}
	return s
}

var (
	watchFaith = assay.MetricInfo{Name: "faithfulness", Title: "Faithfulness", Better: "higher", Range: [2]float64{0, 1}, Version: 1, Judged: true}
	watchToxic = assay.MetricInfo{Name: "toxicity", Title: "Toxicity", Better: "lower", Range: [2]float64{0, 2}, Version: 1, Judged: true}
)

// production is a watch of two kinds and two metrics: one is worse, one is fine, one learns its
// line, and one of which lower values are better is fine.
func production() *watch.State {
	begun := epoch.AddDate(0, 0, -3)
	worse := seriesOf(watchFaith, "/b", 30, 50, epoch.Add(-time.Hour))
	worse.Worse, worse.Line = true, &watch.Line{At: 0.82, Mean: 0.9, Cases: 200}
	fine := seriesOf(watchFaith, "/a", 470, 30, begun)
	fine.Line, fine.Unscored = &watch.Line{At: 0.8, Threshold: true}, 4
	low := seriesOf(watchToxic, "/a", 480, 20, begun)
	low.Line = &watch.Line{At: 0.9, Mean: 0.96, Cases: 200}
	return &watch.State{
		Name: "production", Settings: watch.Defaults(), Begun: begun, From: begun, Updated: epoch, Day: epoch.Format(time.DateOnly),
		Total: watch.Counts{Sampled: 1240, Judged: 1100, Failed: 3, Skipped: 120, Unread: 7, Cost: 3_720_000},
		Today: watch.Counts{Sampled: 50, Judged: 40, Skipped: 10, Cost: 120_000},
		Strata: []watch.Stratum{
			{Name: "/a", Sampled: 930, Judged: 800, Skipped: 100, Today: 20}, {Name: "/b", Sampled: 310, Judged: 300, Skipped: 20, Today: 20},
		},
		Series: []*watch.Series{fine, worse, low, seriesOf(watchToxic, "/b", 29, 1, begun)},
		Alarms: []watch.Alarm{
			{At: begun.Add(time.Hour), Metric: "faithfulness", Title: "Faithfulness", Stratum: "/b", Line: 0.82, Cases: 40, Mean: 0.6, Over: 40, Run: "r1"},
			{At: begun.Add(9 * time.Hour), Metric: "faithfulness", Title: "Faithfulness", Stratum: "/b", Recovered: true, Line: 0.82, Cases: 90,
				Mean: 0.92, Over: 90, Run: "r2"},
			{At: epoch.Add(-time.Hour), Metric: "faithfulness", Title: "Faithfulness", Stratum: "/b", Line: 0.82, Cases: 60, Mean: 0.4, Over: 60,
				Since: epoch.Add(-4 * time.Hour), Run: "r3"},
		},
		Waiting: []watch.Waiting{{ID: "w"}}, Rounds: 12, Last: "r4", Due: epoch.Add(10 * time.Minute),
	}
}

// TestWatches: the list and a watch say what its state says, in the unit of each metric.
func TestWatches(t *testing.T) {
	b := start(t)
	if got := read[page[WatchSummary]](t, b.do("GET", "/api/v1/watches", nil).want(t, 200)); got.Total != 0 || got.Items == nil {
		t.Errorf("%+v: want an empty list", got)
	}
	st := production()
	st.Settings.By, st.Settings.Budget = "http.route", 5_000_000
	st.Untold = []watch.Delivery{{Alarm: st.Alarms[2], Tries: 2, Next: epoch.Add(time.Minute)}}
	st.Round, st.Trouble = &watch.Round{Exchanges: make([]watch.Waiting, 5), Run: "r5"}, "no key"
	b.watched(st)
	b.watched(&watch.State{Name: "fresh", Settings: watch.Defaults(), Begun: epoch, Updated: epoch.Add(-time.Hour), Day: "2026-11-22"})
	list := read[page[WatchSummary]](t, b.do("GET", "/api/v1/watches?limit=1&offset=1", nil).want(t, 200))
	if list.Total != 2 || len(list.Items) != 1 || list.Items[0].Name != "production" || list.Items[0].State != "worse" ||
		list.Items[0].Worse != 1 || list.Items[0].Followed != 4 || list.Items[0].Running || list.Items[0].Trouble != "no key" {
		t.Errorf("%+v", list)
	}
	v := read[WatchView](t, b.do("GET", "/api/v1/watches/production", nil).want(t, 200))
	if v.Total != (WatchCounts{1240, 1100, 3, 120, 7, 3.72}) || v.Today.Judged != 40 || v.Day != "2026-11-22" || v.Waiting != 1 || v.Rounds != 12 ||
		v.LastRun != "r4" || !v.Next.Equal(st.Due) || v.Round == nil || *v.Round != (WatchRound{5, "r5"}) {
		t.Errorf("%+v", v)
	}
	if want := (WatchSettings{0.1, "http.route", 5, 900, 200, 30, 200, 0.02, 10000, 0.95}); v.Settings != want {
		t.Errorf("settings %+v, want %+v", v.Settings, want)
	}
	var lines []string
	for _, s := range v.Series {
		line := fmt.Sprintf("%s %s %s %.3f", s.Metric, s.Kind, s.State, *s.Mean)
		if s.Line != nil {
			line += fmt.Sprintf(" %s %.3f %d", s.Line.From, s.Line.Value, s.Line.Cases)
		}
		if *s.Low > *s.Mean || *s.High < *s.Mean {
			t.Errorf("%s: bounds %v and %v", line, *s.Low, *s.High)
		}
		lines = append(lines, line)
	}
	// 480 of 500 scores are the best, 0, and 20 the worst, 2: their mean is 0.08. The line at 0.9
	// of the way to the best is 0.2.
	want := []string{"faithfulness /a ok 0.940 threshold 0.800 0", "faithfulness /b worse 0.375 learned 0.820 200",
		"toxicity /a ok 0.080 learned 0.200 200", "toxicity /b learning 0.067"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
	if v.Series[0].Unscored != 4 || len(v.Series[0].Days) != 9 || v.Series[0].Days[0].Date != "2026-11-10" {
		t.Errorf("%+v", v.Series[0])
	}
	// 0.75 of the traffic at 0.94, 0.25 at 0.375.
	if len(v.Overall) != 2 || fmt.Sprintf("%.5f", v.Overall[0].Mean) != "0.79875" || v.Overall[0].N != 580 {
		t.Errorf("%+v", v.Overall)
	}
	if len(v.Alarms) != 3 || !v.Alarms[1].Recovered || v.Alarms[2].Run != "r3" || v.Alarms[2].From != "learned" ||
		len(v.Untold) != 1 || v.Untold[0].Tries != 2 {
		t.Errorf("%+v, %+v", v.Alarms, v.Untold)
	}
	fresh := b.do("GET", "/api/v1/watches/fresh", nil).want(t, 200).text
	if !strings.Contains(fresh, `"state":"new"`) || strings.Contains(fresh, "null") || strings.Contains(fresh, "next_round") {
		t.Error(fresh)
	}
	release, err := b.store.Claim(t.Context(), "watch.fresh")
	if err != nil {
		t.Fatal(err)
	}
	if v := read[WatchView](t, b.do("GET", "/api/v1/watches/fresh", nil).want(t, 200)); !v.Running {
		t.Error("a watch with a process: want running")
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"none", "..%2f", "a%20b", strings.Repeat("a", 64)} {
		b.do("GET", "/api/v1/watches/"+name, nil).want(t, 404)
	}
}

// TestMetricsOfWatches: /metrics has what the states of the watches say, and can be read.
func TestMetricsOfWatches(t *testing.T) {
	b := start(t)
	if got := b.meter("assay_watch"); len(got) != 0 {
		t.Errorf("%v: want nothing without a watch", got)
	}
	st := production()
	st.Trouble = "no key"
	odd := "a \"kind\"\n\\ {x=\"y\"} \u202e"
	st.Series = append(st.Series, seriesOf(watchFaith, odd, 0, 0, epoch))
	b.watched(st)
	release, err := b.store.Claim(t.Context(), "watch.production")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = release() }()
	got := b.meter("assay_watch")
	for name, want := range map[string]string{
		`assay_watch_score{kind="/a",metric="faithfulness",watch="production"}`:       "0.94",
		`assay_watch_score{kind="/b",metric="faithfulness",watch="production"}`:       "0.375",
		`assay_watch_line{kind="/a",metric="faithfulness",watch="production"}`:        "0.8",
		`assay_watch_line{kind="/b",metric="toxicity",watch="production"}`:            "",
		`assay_watch_worse{kind="/a",metric="faithfulness",watch="production"}`:       "0",
		`assay_watch_worse{kind="/b",metric="faithfulness",watch="production"}`:       "1",
		`assay_watch_exchanges_total{outcome="judged",watch="production"}`:            "1097",
		`assay_watch_exchanges_total{outcome="failed",watch="production"}`:            "3",
		`assay_watch_exchanges_total{outcome="skipped",watch="production"}`:           "120",
		`assay_watch_exchanges_total{outcome="unread",watch="production"}`:            "7",
		`assay_watch_cost_usd_total{watch="production"}`:                              "3.72",
		`assay_watch_updated_timestamp_seconds{watch="production"}`:                   strconv.FormatFloat(float64(epoch.Unix()), 'g', -1, 64),
		`assay_watch_running{watch="production"}`:                                     "1",
		`assay_watch_trouble{watch="production"}`:                                     "1",
		`assay_watch_score_lower{kind="/b",metric="faithfulness",watch="production"}`: fmt.Sprint(*watchSeries(st.Series[1], 0.95).Low),
		`assay_watch_score_upper{kind="/b",metric="faithfulness",watch="production"}`: fmt.Sprint(*watchSeries(st.Series[1], 0.95).High),
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	families, err := b.server.meters.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if f.GetName() == "assay_watch_worse" && l.GetName() == "kind" {
					kinds[l.GetValue()] = true
				}
			}
		}
	}
	if want := []string{"/a", "/b", odd}; !slices.Equal(slices.Sorted(maps.Keys(kinds)), want) {
		t.Errorf("kinds %q, want %q", slices.Sorted(maps.Keys(kinds)), want)
	}
}

// TestMetricsWithoutTheStore: a store that is away takes the metrics of the watches with it, and
// no others.
func TestMetricsWithoutTheStore(t *testing.T) {
	b := start(t)
	b.watched(production())
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	if got := b.meter("assay_"); len(got) == 0 || got["assay_event_streams"] != "0" || got[`assay_watch_running{watch="production"}`] != "" {
		t.Errorf("%v: want the other metrics", got)
	}
}

// TestAlertsNameMetrics: the example of alerting rules names metrics and labels that there are.
func TestAlertsNameMetrics(t *testing.T) {
	text, err := os.ReadFile("../../examples/watch/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := start(t)
	b.watched(production())
	there := map[string]bool{}
	for sample := range b.meter("assay_watch") {
		name, labels, _ := strings.Cut(sample, "{")
		there[name] = true
		for _, label := range strings.Split(strings.TrimSuffix(labels, "}"), ",") {
			there[label], there[strings.Split(label, "=")[0]] = true, true
		}
	}
	seen := 0
	for _, m := range regexp.MustCompile(`assay_[a-z_]+|by \(([a-z, ]+)\)|outcome!?=("[a-z]+")|labels\.([a-z]+)`).FindAllStringSubmatch(string(text), -1) {
		names := []string{m[0]}
		switch {
		case m[1] != "":
			names = strings.Split(m[1], ", ")
		case m[2] != "":
			names = []string{"outcome=" + m[2]}
		case m[3] != "":
			names = m[3:]
		}
		for _, name := range names {
			if seen++; !there[name] {
				t.Errorf("%s: /metrics has no %s", m[0], name)
			}
		}
	}
	if seen < 20 {
		t.Errorf("%d names, want 20", seen)
	}
}
