package report

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// mostFlaky is how many cases are named that differ between draws.
const mostFlaky = 5

// chance is how pass rates are shown: as ratios.
var chance = assay.MetricInfo{Range: [2]float64{0, 1}}

// repeatLines says on a few lines how the draws of the cases differ; none when
// each was asked once.
func repeatLines(s summary.Summary) []string {
	r := s.Repeats
	if r == nil {
		return nil
	}
	first := fmt.Sprintf("%d of each case", r.Draws)
	if r.Same() {
		return []string{first + " · all the same"}
	}
	if n := len(r.Pass); n > 0 {
		one, last := r.Pass[0], r.Pass[n-1]
		first += fmt.Sprintf(" · pass@1 %s", rate(one.Any, one.AnyCI))
		if n > 1 {
			first += fmt.Sprintf(" · pass@%d %s · pass^%d %s", last.K, rate(last.Any, last.AnyCI), last.K, rate(last.All, last.AllCI))
		}
		first += fmt.Sprintf(" · n %d", one.N)
	}
	lines := []string{first, fmt.Sprintf("%d of %s differ between draws: %s", len(r.Flaky), plural(r.Cases, "case", "cases"),
		flakyLine(r.Flaky))}
	var noise []string
	for i, m := range r.Metrics {
		if m.Changed > 0 && m.SD != nil {
			noise = append(noise, fmt.Sprintf("%s %s (%d)", line(m.Name), number(s.Metrics[i].MetricInfo, *m.SD), m.Changed))
		}
	}
	if noise != nil {
		lines = append(lines, "sd within a case, and how many change: "+strings.Join(noise, ", "))
	}
	return lines
}

// rate shows "0.812 [0.751…0.861]".
func rate(v float64, ci *stats.Interval) string {
	return fmt.Sprintf("%s [%s]", number(chance, v), interval(chance, ci))
}

// flakyLine names the first cases that differ.
func flakyLine(flaky []summary.Flaky) string {
	var names []string
	for _, f := range flaky[:min(mostFlaky, len(flaky))] {
		names = append(names, clip(line(f.Case), 40)+" ("+flakyWhy(f)+")")
	}
	if more := len(flaky) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(names, ", ")
}

// flakyWhy says how the draws of a case differ.
func flakyWhy(f summary.Flaky) string {
	var parts []string
	if n := f.Passes(); n > 0 && n < len(f.Status) {
		parts = append(parts, fmt.Sprintf("%d of %d pass", n, len(f.Status)))
	}
	switch {
	case f.Metric != "":
		parts = append(parts, fmt.Sprintf("%s by %.3g", line(f.Metric), f.Spread))
	case f.Metrics != nil:
		parts = append(parts, line(strings.Join(f.Metrics, ", "))+" not in all")
	case parts == nil:
		parts = append(parts, "fails in different ways")
	}
	return strings.Join(parts, ", ")
}

type repeatsJSON struct {
	Draws   int                   `json:"draws"`
	Cases   int                   `json:"cases"`
	Pass    []summary.PassRate    `json:"pass,omitempty"`
	Metrics object[*repeatedJSON] `json:"metrics"`
	Flaky   []summary.Flaky       `json:"flaky"`
}

type repeatedJSON struct {
	N       int                `json:"n"`
	Changed int                `json:"changed"`
	SD      *float64           `json:"sd"`
	Worst   string             `json:"worst,omitempty"`
	Spread  float64            `json:"spread,omitempty"`
	Pass    []summary.PassRate `json:"pass,omitempty"`
}

// newRepeatsJSON gives what the draws came to; nil when each case was asked once.
func newRepeatsJSON(r *summary.Repeats) *repeatsJSON {
	if r == nil {
		return nil
	}
	// No flaky case is an empty list, not null.
	out := &repeatsJSON{Draws: r.Draws, Cases: r.Cases, Pass: r.Pass, Flaky: append([]summary.Flaky{}, r.Flaky...)}
	for _, m := range r.Metrics {
		out.Metrics.put(m.Name, &repeatedJSON{m.N, m.Changed, m.SD, m.Worst, m.Spread, m.Pass})
	}
	return out
}

// repeats is what newRepeatsJSON was made from: the metrics are those of the run,
// in its order.
func (j *repeatsJSON) repeats(metrics []assay.MetricInfo) (*summary.Repeats, error) {
	if j == nil {
		return nil, nil
	}
	r := &summary.Repeats{Draws: j.Draws, Cases: j.Cases, Pass: j.Pass, Metrics: []summary.RepeatedMetric{}}
	for _, info := range metrics {
		m := j.Metrics.values[info.Name]
		if m == nil {
			return nil, fmt.Errorf("report: repeats: it lacks the metric %q of the run", info.Name)
		}
		r.Metrics = append(r.Metrics, summary.RepeatedMetric{Name: info.Name, N: m.N, Changed: m.Changed, SD: m.SD, Worst: m.Worst,
			Spread: m.Spread, Pass: m.Pass})
	}
	for _, f := range j.Flaky {
		if len(f.Status) == 0 {
			return nil, fmt.Errorf("report: repeats: flaky: case %q has no status", f.Case)
		}
		r.Flaky = append(r.Flaky, f)
	}
	return r, nil
}
