package report

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
)

// missed holds the cases that no run solves: all have them, and get them wrong ([Class]).
type missed struct {
	// yardstick is nil when no metric can serve as one.
	yardstick *assay.MetricInfo
	// ids are in the order of the baseline; of is the number of cases that all runs
	// asked.
	ids []string
	of  int
}

func (c *Comparison) missed() missed {
	m := c.Matrix()
	out := missed{yardstick: m.Yardstick}
	for k, id := range m.Cases {
		asked, wrong := true, true
		for i := range c.Reports {
			asked, wrong = asked && m.Has(i, k), wrong && m.Wrong(i, k)
		}
		if !asked {
			continue
		}
		out.of++
		if wrong {
			out.ids = append(out.ids, id)
		}
	}
	return out
}

// remembered reports whether the record holds only scores, like the records of a
// baseline file. Such a record has no response even if the target gave one.
func remembered(r *assay.Record) bool {
	return r.Response == nil && r.Failure == nil && r.Attempts == 0
}

func (c *Comparison) yardstick() *assay.MetricInfo {
	var metrics []assay.MetricInfo
	for _, row := range c.Rows {
		metrics = append(metrics, row.MetricInfo)
	}
	var tables []*columns.Table
	for _, r := range c.Reports {
		tables = append(tables, r.Cases)
	}
	return yardstickOf(metrics, c.Primary, tables)
}

// yardstickOf returns the metric whose worst value makes a case wrong, of those that all runs
// have: see [Matrix.Yardstick].
func yardstickOf(metrics []assay.MetricInfo, leading string, runs []*columns.Table) *assay.MetricInfo {
	var first, primary *assay.MetricInfo
	for i := range metrics {
		m := &metrics[i]
		yes := yesOrNo(*m, runs)
		if m.Name == leading {
			if yes {
				return m
			}
			primary = m
		}
		if yes && first == nil && !m.Estimate {
			first = m
		}
	}
	if first == nil && primary != nil && primary.Better != "lower" {
		return primary
	}
	return first
}

// yesOrNo reports whether every case in every run has the metric's best or worst
// value.
func yesOrNo(m assay.MetricInfo, runs []*columns.Table) bool {
	known := false
	for _, cases := range runs {
		column := cases.Metric(m.Name)
		for i := range cases.Len() {
			s, _ := column.Numbers(i)
			if s.State != assay.Scored {
				continue
			}
			known = true
			if s.Value != m.Range[0] && s.Value != m.Range[1] {
				return false
			}
		}
	}
	return known
}

// missed lists the cases that no run solves.
func (x *compared) missed() []document.Section {
	m := x.c.missed()
	if len(m.ids) == 0 {
		return nil
	}
	s := document.Section{ID: "missed", Title: x.w.MissedTitle(len(m.ids), m.of), Sub: true, Bare: document.Glance}
	for _, v := range []struct {
		view document.View
		most int
	}{{document.Glance, x.o.cases(8)}, {document.Reading, x.o.cases(20)}, {document.Page, 30}} {
		said := words.Unsolved{Runs: len(x.c.Runs), N: len(m.ids), Of: m.of}
		if y := m.yardstick; y != nil {
			worst, best := span(*y)
			if y.Better == "lower" {
				worst = best
			}
			said.Metric, said.Worst = line(y.Name), draw.Tick(worst)
		}
		for _, id := range m.ids[:min(v.most, len(m.ids))] {
			said.Names = append(said.Names, clip(line(id), 40))
		}
		s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(x.w.Missed(said)), Views: v.view})
	}
	return []document.Section{s}
}
