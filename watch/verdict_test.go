package watch_test

import (
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/watch"
)

// TestVerdict: the verdict on a watch is the worst that is known of a metric.
func TestVerdict(t *testing.T) {
	t.Parallel()
	line := &watch.Line{At: 0.5}
	learning, fine, worse := &watch.Series{}, &watch.Series{Line: line}, &watch.Series{Line: line, Worse: true}
	for want, series := range map[string][]*watch.Series{
		"new": {}, "learning": {learning, learning}, "ok": {learning, fine, learning}, "worse": {fine, worse, learning},
	} {
		if got := (&watch.State{Series: series}).Verdict(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestBegan: an alarm began the mean of its metric and kind, unless it was before, or the state
// has changed since for another reason.
func TestBegan(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	st := &watch.State{Alarms: []watch.Alarm{
		{At: at, Metric: "m", Stratum: "a", Run: "first"}, {At: at.Add(time.Hour), Metric: "m", Stratum: "a", Recovered: true, Run: "second"},
		{At: at.Add(2 * time.Hour), Metric: "m", Stratum: "a", Run: "third"}, {At: at.Add(2 * time.Hour), Metric: "m", Stratum: "b", Run: "other"},
	}}
	for name, test := range map[string]struct {
		kind  string
		begun time.Duration
		worse bool
		want  string
	}{
		"worse": {"a", 2 * time.Hour, true, "third"}, "recovered": {"a", time.Hour, false, "second"}, "kind": {"b", 2 * time.Hour, true, "other"},
		"another line": {"a", 2 * time.Hour, false, ""}, "not kept": {"a", 3 * time.Hour, true, ""}, "another kind": {"c", 0, true, ""},
	} {
		one := &watch.Series{Metric: assay.MetricInfo{Name: "m"}, Stratum: test.kind, Begun: at.Add(test.begun), Worse: test.worse}
		if a, ok := st.Began(one); a.Run != test.want || ok != (test.want != "") {
			t.Errorf("%s: %q %t, want %q", name, a.Run, ok, test.want)
		}
	}
}
