package report

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// missed holds the cases that no run solves.
//
// A run misses a case if no draw of it is ok (the target failed, or a score missed the
// run's threshold), or if the case has the worst value of the yardstick metric. The
// yardstick is the primary metric if that is 0 or 1 in every case, else the first
// metric for which this holds, else the primary metric if more is better. Cases that
// some run did not ask are left out.
type missed struct {
	// yardstick is nil when no metric can serve as one.
	yardstick *assay.MetricInfo
	// ids are in the order of the baseline; of is the number of cases that all runs
	// asked.
	ids []string
	of  int
}

func (c *Comparison) missed() missed {
	m := missed{yardstick: c.yardstick()}
	misses := map[string]int{}
	asked := map[string]int{}
	for _, r := range c.Reports {
		for id, missed := range missesOf(r, m.yardstick) {
			asked[id]++
			if missed {
				misses[id]++
			}
		}
	}
	seen := map[string]bool{}
	for i := range c.Reports[0].Cases.Len() {
		id := c.Reports[0].Cases.Base(i)
		if seen[id] || asked[id] < len(c.Reports) {
			continue
		}
		seen[id] = true
		m.of++
		if misses[id] == len(c.Reports) {
			m.ids = append(m.ids, id)
		}
	}
	return m
}

// missesOf returns, for every case of a run, whether the run misses it.
func missesOf(r *Report, yardstick *assay.MetricInfo) map[string]bool {
	out := map[string]bool{}
	ok := map[string]bool{}
	for _, rec := range r.Cases.Records() {
		id := rec.Case.Base()
		out[id] = false
		ok[id] = ok[id] || remembered(rec) || summary.Status(r.Header.Metrics, *rec) == assay.StatusOK
	}
	if yardstick != nil {
		for _, v := range summary.Values(*yardstick, r.Cases) {
			out[v.Case] = v.Known > 0 && way(*yardstick, v.Mean) <= equal
		}
	}
	for id := range out {
		out[id] = out[id] || !ok[id]
	}
	return out
}

// remembered reports whether the record holds only scores, like the records of a
// baseline file. Such a record has no response even if the target gave one.
func remembered(r *assay.Record) bool {
	return r.Response == nil && r.Failure == nil && r.Attempts == 0
}

func (c *Comparison) yardstick() *assay.MetricInfo {
	var first, primary *assay.MetricInfo
	for i := range c.Rows {
		m := &c.Rows[i].MetricInfo
		yes := c.yesOrNo(*m)
		if m.Name == c.Primary {
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
func (c *Comparison) yesOrNo(m assay.MetricInfo) bool {
	known := false
	for _, r := range c.Reports {
		column := r.Cases.Metric(m.Name)
		for i := range r.Cases.Len() {
			s, _ := column.Score(i)
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
