package report

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// mostFlaky is how many cases that differ between draws are named.
const mostFlaky = 5

// chance formats pass rates as ratios.
var chance = assay.MetricInfo{Range: [2]float64{0, 1}}

// draws shows how the draws of the cases differ.
func (c *content) draws() []document.Section {
	s := c.r.Summary
	r := s.Repeats
	if r == nil {
		return nil
	}
	out := document.Section{ID: "draws", Title: c.w.Names().DrawsTitle, Views: document.Reading | document.Page}
	note := func(text string) {
		out.Blocks = append(out.Blocks, document.Paragraph{Kind: document.Note, Text: document.T(text)})
	}
	note(c.w.Say("DrawsNote", words.V{"least": r.Least, "draws": r.Draws, "same": r.Same()}))
	if r.Same() {
		return []document.Section{out}
	}
	if len(r.Pass) > 0 {
		note(c.w.Names().Passing)
		ci := c.w.Interval(percent(c.r.Level()))
		t := document.Table{ID: "stages", Columns: []document.Column{{Head: "k"}, {Head: "pass@k"}, {Head: ci}, {Head: "pass^k"},
			{Head: ci}, {Head: "n"}}}
		for _, p := range r.Pass {
			t.Add(p.K, number(chance, p.Any), interval(chance, p.AnyCI), number(chance, p.All), interval(chance, p.AllCI), p.N)
		}
		out.Blocks = append(out.Blocks, t)
	}
	out.Blocks = append(out.Blocks, c.drawTable())
	note(c.w.Say("NoiseFloor", words.V{"level": percent(c.r.Level())}))
	note(c.w.Say("CasesDiffer", words.V{"n": len(r.Flaky), "of": r.Cases, "which": c.flaky(r.Flaky)}))
	return []document.Section{out}
}

// drawTable shows how each metric differs between draws. It shows pass rates for
// metrics whose values are themselves pass or fail.
func (c *content) drawTable() document.Table {
	s, h := c.r.Summary, c.w.Names().DrawHeads
	k := itoa(s.Repeats.Draws)
	t := document.Table{ID: "stages", Columns: []document.Column{{Head: h.Metric, Words: true}, {Head: h.Changed}, {Head: h.SD}, {Head: h.Floor},
		{Head: h.Furthest, Words: true}, {ID: "any", Head: "pass@" + k}, {ID: "all", Head: "pass^" + k}, {Head: "n"}}}
	for i, m := range s.Repeats.Metrics {
		info := s.Metrics[i].MetricInfo
		sd, floor, worst, any, all := "–", "–", document.T("–"), "–", "–"
		if m.SD != nil {
			sd, floor = number(info, *m.SD), "±"+number(info, m.Floor(c.r.Level()))
		}
		if m.Worst != "" {
			worst = document.Join(document.C(m.Worst), document.T(" "+c.w.Say("By", words.V{"spread": number(info, m.Spread)})))
		}
		if n := len(m.Pass); n > 0 {
			known, of := m.Pass[n-1], ""
			if known.N != m.N { // cases with all draws scored
				of = fmt.Sprintf(" (n %d)", known.N)
			}
			any, all = number(chance, known.Any)+of, number(chance, known.All)+of
		}
		t.Add(document.C(m.Name), m.Changed, sd, floor, worst, any, all, m.N)
	}
	return t.Filled("any", "all")
}

// repeatLines returns a few lines on how the draws of the cases differ, or nil if each
// was asked once.
func (c *content) repeatLines() []string {
	r, s := c.r.Summary.Repeats, c.r.Summary
	if r == nil {
		return nil
	}
	first := c.w.Say("EachAsked", words.V{"least": r.Least, "draws": r.Draws, "same": r.Same()})
	if r.Same() {
		return []string{first}
	}
	if n := len(r.Pass); n > 0 {
		one, last := r.Pass[0], r.Pass[n-1]
		first += " · pass@1 " + rate(one.Any, one.AnyCI)
		if last.N != one.N {
			first += fmt.Sprintf(" · n %d", one.N)
		}
		if n > 1 {
			first += fmt.Sprintf(" · pass@%d %s · pass^%d %s", last.K, rate(last.Any, last.AnyCI), last.K, rate(last.All, last.AllCI))
		}
		first += fmt.Sprintf(" · n %d", last.N)
	}
	lines := []string{first, c.w.Say("CasesDiffer", words.V{"n": len(r.Flaky), "of": r.Cases, "which": c.flaky(r.Flaky)})}
	var noise []string
	for i, m := range r.Metrics {
		if m.Changed > 0 && m.SD != nil {
			noise = append(noise, fmt.Sprintf("%s ±%s (%d)", line(m.Name), number(s.Metrics[i].MetricInfo, m.Floor(c.r.Level())), m.Changed))
		}
	}
	if noise != nil {
		lines = append(lines, c.w.Say("Spreads", words.V{"metrics": noise}))
	}
	return lines
}

// rate formats a rate: "0.812 [0.751…0.861]".
func rate(v float64, ci *stats.Interval) string {
	if ci == nil {
		return number(chance, v)
	}
	return fmt.Sprintf("%s [%s]", number(chance, v), interval(chance, ci))
}

// flaky returns the first cases that differ between draws, and how they differ.
func (c *content) flaky(list []summary.Flaky) string {
	var names []string
	for _, f := range list[:min(mostFlaky, len(list))] {
		said := c.w.Say("Flaky", words.V{"Passed": f.Passes(), "Draws": len(f.Status), "Metric": line(f.Metric), "Metrics": mapped(f.Metrics, line),
			"Spread": fmt.Sprintf("%.3g", f.Spread)})
		names = append(names, clip(line(f.Case), 40)+" ("+said+")")
	}
	return c.w.List(names, len(list)-len(names))
}

type repeatsJSON struct {
	Draws   int                   `json:"draws"`
	Least   int                   `json:"least,omitempty"`
	Cases   int                   `json:"cases"`
	Pass    []summary.PassRate    `json:"pass,omitempty"`
	Metrics object[*repeatedJSON] `json:"metrics"`
	Flaky   []summary.Flaky       `json:"flaky"`
}

type repeatedJSON struct {
	N       int                `json:"n"`
	Changed int                `json:"changed"`
	SD      *float64           `json:"sd"`
	Floor   float64            `json:"noise_floor"`
	Worst   string             `json:"worst,omitempty"`
	Spread  float64            `json:"spread,omitempty"`
	Pass    []summary.PassRate `json:"pass,omitempty"`
}

// newRepeatsJSON summarizes the draws. It returns nil if each case was asked once.
func newRepeatsJSON(r *summary.Repeats, level float64) *repeatsJSON {
	if r == nil {
		return nil
	}
	// No flaky case is an empty list, not null.
	out := &repeatsJSON{Draws: r.Draws, Least: r.Least, Cases: r.Cases, Pass: r.Pass, Flaky: append([]summary.Flaky{}, r.Flaky...)}
	for _, m := range r.Metrics {
		out.Metrics.put(m.Name, &repeatedJSON{m.N, m.Changed, m.SD, m.Floor(level), m.Worst, m.Spread, m.Pass})
	}
	return out
}

// repeats is the inverse of newRepeatsJSON. The metrics are those of the run, in
// order.
func (j *repeatsJSON) repeats(metrics []assay.MetricInfo) (*summary.Repeats, error) {
	if j == nil {
		return nil, nil
	}
	r := &summary.Repeats{Draws: j.Draws, Least: j.Least, Cases: j.Cases, Pass: j.Pass, Metrics: []summary.RepeatedMetric{}}
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
