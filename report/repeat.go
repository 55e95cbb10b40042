package report

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// passing says what it is for a draw to pass.
const passing = "A draw passes when the target answered and no threshold was missed. pass@k is the chance that at least one of k draws passes, pass^k that all do."

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
	lines := []string{first, fmt.Sprintf("%d of %s differ between draws: %s", len(r.Flaky), plural(r.Cases, "case", "cases"), flakyLine(r.Flaky))}
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

func chanceOf(v float64) string { return number(chance, v) }

func chancesOf(ci *stats.Interval) string { return interval(chance, ci) }

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

// criticalCases counts the critical cases of a run, each once.
func criticalCases(r *Report) int {
	seen := map[string]bool{}
	for _, rec := range r.Records {
		if rec.Case.Critical {
			seen[rec.Case.Base()] = true
		}
	}
	return len(seen)
}

// casesAsked says how many cases a run has, and how often each was asked.
func casesAsked(h assay.Header, s summary.Summary) string {
	cases := plural(s.Cases, "case", "cases")
	if h.Repeat > 1 {
		cases = fmt.Sprintf("%s × %d draws", plural(h.Dataset.Cases, "case", "cases"), h.Repeat)
		if s.Cases < h.Asked() {
			cases = fmt.Sprintf("%d of %d draws of %s", s.Cases, h.Asked(), plural(h.Dataset.Cases, "case", "cases"))
		}
	} else if s.Cases < h.Dataset.Cases {
		cases = fmt.Sprintf("%d of %d cases", s.Cases, h.Dataset.Cases)
	}
	return cases
}

// answersAsked counts what the numbers of a run's outcomes are of: its cases, or
// their draws.
func answersAsked(h assay.Header, s summary.Summary) string {
	if h.Repeat > 1 {
		return plural(s.Cases, "draw", "draws")
	}
	return plural(s.Cases, "case", "cases")
}

// repeats writes how the draws of the cases differ.
func (m *markdown) repeats() {
	s := m.r.Summary
	r := s.Repeats
	if r == nil {
		return
	}
	m.printf("\n## Draws\n\nEach case was asked %d times, and each answer judged by itself. Means are over the cases' own means, so that n counts cases.", r.Draws)
	if r.Same() {
		m.printf("All draws of every case gave the same scores.")
		return
	}
	if len(r.Pass) > 0 {
		m.printf("\n%[1]s\n\n| k | pass@k | %[2]s | pass^k | %[2]s | n |\n|---:|---:|---|---:|---|---:|", passing, intervals(m.r.Level()))
		for _, p := range r.Pass {
			m.printf("| %d | %s | %s | %s | %s | %d |", p.K, chanceOf(p.Any), chancesOf(p.AnyCI), chanceOf(p.All), chancesOf(p.AllCI), p.N)
		}
	}
	rows := repeatRows(s)
	binary := ""
	if rows.Binary {
		binary = fmt.Sprintf(" pass@%d | pass^%d |", r.Draws, r.Draws)
	}
	m.printf("\n| Metric | Cases that change | sd within a case | Moved furthest |%s n |\n|---|---:|---:|---|%s---:|", binary, strings.Repeat("---:|", strings.Count(binary, "|")))
	for _, row := range rows.Rows {
		worst, pass := "–", ""
		if row.Worst != "" {
			worst = fmt.Sprintf("%s by %s", code(row.Worst), row.Spread)
		}
		if rows.Binary {
			pass = fmt.Sprintf(" %s | %s |", row.Any, row.All)
		}
		m.printf("| %s | %d | %s | %s |%s %d |", code(row.Name), row.Changed, row.SD, worst, pass, row.N)
	}
	m.printf("\n%s differ between draws: %s", plural(len(r.Flaky), "case", "cases"), inline(flakyLine(r.Flaky)))
}

// A repeatTable is how the metrics differ between draws, as it is shown. Binary
// is set when some metric says itself what passes.
type repeatTable struct {
	Draws        int
	Same, Binary bool
	Pass         []summary.PassRate
	Rows         []repeatRow
	Flaky        string
	Cases, Of    int
}

type repeatRow struct {
	Name, SD, Worst, Spread, Any, All string
	Changed, N                        int
}

// repeatRows prepares the table; nil when each case was asked once.
func repeatRows(s summary.Summary) *repeatTable {
	r := s.Repeats
	if r == nil {
		return nil
	}
	out := &repeatTable{Draws: r.Draws, Same: r.Same(), Pass: r.Pass, Flaky: flakyLine(r.Flaky), Cases: len(r.Flaky), Of: r.Cases}
	for i, m := range r.Metrics {
		info := s.Metrics[i].MetricInfo
		row := repeatRow{Name: m.Name, SD: "–", Changed: m.Changed, N: m.N, Any: "–", All: "–", Worst: m.Worst, Spread: number(info, m.Spread)}
		if m.SD != nil {
			row.SD = number(info, *m.SD)
		}
		if n := len(m.Pass); n > 0 {
			out.Binary = true
			row.Any, row.All = number(chance, m.Pass[n-1].Any), number(chance, m.Pass[n-1].All)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
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
		r.Metrics = append(r.Metrics, summary.RepeatedMetric{Name: info.Name, N: m.N, Changed: m.Changed, SD: m.SD, Worst: m.Worst, Spread: m.Spread, Pass: m.Pass})
	}
	for _, f := range j.Flaky {
		if len(f.Status) == 0 {
			return nil, fmt.Errorf("report: repeats: flaky: case %q has no status", f.Case)
		}
		r.Flaky = append(r.Flaky, f)
	}
	return r, nil
}
