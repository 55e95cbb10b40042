package report

import (
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// readable returns the report without intervals over fewer than [stats.Readable] cases.
func (r *Report) readable() *Report {
	out := *r
	s := &out.Summary
	s.Metrics = readableMetrics(s.Metrics)
	s.Tags = edited(s.Tags, func(t *summary.Slice) { t.Metrics = readableMetrics(t.Metrics) })
	s.Waterfall = readableWaterfall(s.Waterfall)
	if s.Repeats != nil {
		repeats := *s.Repeats
		repeats.Pass = edited(repeats.Pass, func(p *summary.PassRate) { p.AnyCI, p.AllCI = over(p.N, p.AnyCI), over(p.N, p.AllCI) })
		s.Repeats = &repeats
	}
	if r.Gate != nil {
		g, edit := *r.Gate, func(x *gate.Result) { x.CI = over(x.N, x.CI) }
		g.Results, g.Tracked = edited(g.Results, edit), edited(g.Tracked, edit)
		out.Gate = &g
	}
	return &out
}

// over returns an interval over n cases, or nil if they are too few.
func over(n int, i *stats.Interval) *stats.Interval {
	if n < stats.Readable {
		return nil
	}
	return i
}

func readableMetrics(metrics []summary.Metric) []summary.Metric {
	return edited(metrics, func(m *summary.Metric) { m.CI = over(m.N, m.CI) })
}

func readableWaterfall(w *summary.Waterfall) *summary.Waterfall {
	if w == nil {
		return nil
	}
	out := *w
	out.SurvivalCI = over(w.Cases, w.SurvivalCI)
	out.Stages = edited(w.Stages, func(s *summary.WaterfallStage) { s.ShareCI = over(w.Cases, s.ShareCI) })
	out.Verdicts = edited(w.Verdicts, func(v *summary.Verdict) { v.ShareCI = over(w.Failed, v.ShareCI) })
	if w.Ladder != nil {
		g := *w.Ladder
		g.Stages = edited(g.Stages, func(s *summary.Gain) { s.CI = over(g.Cases, s.CI) })
		out.Ladder = &g
	}
	return &out
}

// readable returns the comparison without intervals over fewer than [stats.Readable] cases.
func (c *Comparison) readable() *Comparison {
	out := *c
	out.Rows = readableRows(c.Rows)
	out.Slices = edited(c.Slices, func(s *summary.ComparisonSlice) { s.Rows = readableRows(s.Rows) })
	out.Standings = edited(c.Standings, func(s *summary.Standing) { s.Quality.CI = over(s.Quality.N, s.Quality.CI) })
	out.Lost = edited(c.Lost, func(lost *[]summary.LostDifference) {
		*lost = edited(*lost, func(d *summary.LostDifference) { d.CI = over(d.Cases, d.CI) })
	})
	return &out
}

func readableRows(rows []summary.ComparisonRow) []summary.ComparisonRow {
	return edited(rows, func(r *summary.ComparisonRow) {
		r.Estimates = edited(r.Estimates, func(e *stats.Estimate) { e.CI = over(e.N, e.CI) })
		r.Differences = edited(r.Differences, func(d *stats.Comparison) { d.CI = over(d.N, d.CI) })
	})
}
