package report

import (
	"slices"

	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// readable returns the report without intervals over fewer than [stats.Readable] cases.
func (r *Report) readable() *Report {
	out := *r
	s := &out.Summary
	s.Metrics = readableMetrics(s.Metrics)
	s.Tags = slices.Clone(s.Tags)
	for i := range s.Tags {
		s.Tags[i].Metrics = readableMetrics(s.Tags[i].Metrics)
	}
	s.Waterfall = readableWaterfall(s.Waterfall)
	if s.Repeats != nil {
		repeats := *s.Repeats
		repeats.Pass = slices.Clone(repeats.Pass)
		for i := range repeats.Pass {
			p := &repeats.Pass[i]
			p.AnyCI, p.AllCI = over(p.N, p.AnyCI), over(p.N, p.AllCI)
		}
		s.Repeats = &repeats
	}
	if r.Gate != nil {
		g := *r.Gate
		g.Results, g.Tracked = slices.Clone(g.Results), slices.Clone(g.Tracked)
		for i := range g.Results {
			g.Results[i].CI = over(g.Results[i].N, g.Results[i].CI)
		}
		for i := range g.Tracked {
			g.Tracked[i].CI = over(g.Tracked[i].N, g.Tracked[i].CI)
		}
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
	metrics = slices.Clone(metrics)
	for i := range metrics {
		metrics[i].CI = over(metrics[i].N, metrics[i].CI)
	}
	return metrics
}

func readableWaterfall(w *summary.Waterfall) *summary.Waterfall {
	if w == nil {
		return nil
	}
	out := *w
	out.SurvivalCI = over(w.Cases, w.SurvivalCI)
	out.Stages, out.Verdicts = slices.Clone(w.Stages), slices.Clone(w.Verdicts)
	for i := range out.Stages {
		out.Stages[i].ShareCI = over(w.Cases, out.Stages[i].ShareCI)
	}
	for i := range out.Verdicts {
		out.Verdicts[i].ShareCI = over(w.Failed, out.Verdicts[i].ShareCI)
	}
	if w.Ladder != nil {
		g := *w.Ladder
		g.Stages = slices.Clone(g.Stages)
		for i := range g.Stages {
			g.Stages[i].CI = over(g.Cases, g.Stages[i].CI)
		}
		out.Ladder = &g
	}
	return &out
}

// readable returns the comparison without intervals over fewer than [stats.Readable] cases.
func (c *Comparison) readable() *Comparison {
	out := *c
	out.Rows = readableRows(c.Rows)
	out.Slices = slices.Clone(c.Slices)
	for i := range out.Slices {
		out.Slices[i].Rows = readableRows(out.Slices[i].Rows)
	}
	out.Standings = slices.Clone(c.Standings)
	for i := range out.Standings {
		q := &out.Standings[i].Quality
		q.CI = over(q.N, q.CI)
	}
	out.Lost = slices.Clone(c.Lost)
	for i := range out.Lost {
		out.Lost[i] = slices.Clone(out.Lost[i])
		for k := range out.Lost[i] {
			d := &out.Lost[i][k]
			d.CI = over(d.Cases, d.CI)
		}
	}
	return &out
}

func readableRows(rows []summary.ComparisonRow) []summary.ComparisonRow {
	rows = slices.Clone(rows)
	for i := range rows {
		r := &rows[i]
		r.Estimates, r.Differences = slices.Clone(r.Estimates), slices.Clone(r.Differences)
		for k := range r.Estimates {
			r.Estimates[k].CI = over(r.Estimates[k].N, r.Estimates[k].CI)
		}
		for k := range r.Differences {
			r.Differences[k].CI = over(r.Differences[k].N, r.Differences[k].CI)
		}
	}
	return rows
}
