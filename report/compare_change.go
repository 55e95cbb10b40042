package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A change compares one case's values of one metric in the baseline and in another
// run. Each value is the mean over the case's draws.
type change struct {
	id       string
	row      int
	old, new float64
	// size is the difference as a share of the metric's scale; all is the sum of the
	// sizes over every metric.
	size, all float64
	// worse is set if the new run does worse.
	worse bool
}

// changes returns, for run i, each case that differs from the baseline, with the
// metric on which it differs most; estimates decide nothing and are left out. The largest change comes first. Among equal sizes,
// the case with the larger sum over all metrics comes first, and losses come before
// gains.
func (c *Comparison) changes(i int) []change {
	at := map[string]*change{}
	var ids []string
	for row, m := range c.Rows {
		if m.Estimate {
			continue
		}
		lo, hi := span(m.MetricInfo)
		pairs, _ := summary.PairsOf(m.MetricInfo, c.Reports[0].Cases, c.Reports[i].Cases)
		for _, p := range pairs {
			size := math.Abs(p.New-p.Old) / (hi - lo)
			if same(p) {
				continue
			}
			x := at[p.Case]
			if x == nil {
				x = &change{id: p.Case, row: row}
				at[p.Case] = x
				ids = append(ids, p.Case)
			}
			x.all += size
			if size > x.size {
				x.row, x.old, x.new, x.size = row, p.Old, p.New, size
				x.worse = (p.New < p.Old) == (m.Better != "lower")
			}
		}
	}
	out := make([]change, len(ids))
	for k, id := range ids {
		out[k] = *at[id]
	}
	slices.SortStableFunc(out, func(a, b change) int {
		// Rounding must not decide between changes of equal size.
		return cmp.Or(compareNearly(b.size, a.size), compareNearly(b.all, a.all), summary.TrueFirst(a.worse, b.worse))
	})
	return out
}

// foremost returns the most largest changes in their order. At least half of them are
// losses if there are enough, because gains must not hide losses.
func foremost(all []change, most int) []change {
	losses := 0
	for _, x := range all {
		if x.worse {
			losses++
		}
	}
	gains := most - min(losses, (most+1)/2)
	var out []change
	for _, x := range all {
		switch {
		case len(out) == most:
			return out
		case x.worse:
			out = append(out, x)
		case gains > 0:
			gains--
			out = append(out, x)
		}
	}
	return out
}

// equal is the largest distance between two values that count as equal, as for a tie
// in [stats.Compare].
const equal = 1e-12

func same(p stats.Pair) bool { return math.Abs(p.New-p.Old) <= equal }

func compareNearly(a, b float64) int {
	return cmp.Compare(math.Round(a*1e9), math.Round(b*1e9))
}

// question returns the question of a case, given the id that its draws share, of the first
// run that has one. A baseline file has none.
func (c *Comparison) question(id string) string {
	m := c.Matrix()
	k := m.Index(id)
	if k < 0 {
		return ""
	}
	for i, r := range c.Reports {
		if row, ok := m.Row(i, k); ok {
			if q := r.whole(row).Case.Question; q != "" {
				return q
			}
		}
	}
	return ""
}

// missed holds the cases that no run solves: all have them, and get them wrong ([Class]).
type missed struct {
	// ids are in the order of the baseline; of is the number of cases that all runs
	// asked.
	ids []string
	of  int
}

func (c *Comparison) missed() missed {
	m := c.Matrix()
	var out missed
	for k, id := range m.Cases {
		asked, wrong := true, true
		for i := range c.Reports {
			asked, wrong = asked && m.Has(i, k), wrong && m.Outcome(i, k) == assay.AnswerWrong
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

// missed lists the cases that no run solves.
func (x *compared) missed() []document.Section {
	m := x.c.missed()
	if len(m.ids) == 0 {
		return nil
	}
	s := document.Section{ID: "missed", Title: x.w.Say("MissedTitle", words.V{"n": len(m.ids), "of": m.of}), Sub: true, Bare: document.Glance}
	for _, v := range []struct {
		view document.Views
		most int
	}{{document.Glance, x.o.cases(8)}, {document.Reading, x.o.cases(20)}, {document.Page, 30}} {
		names := ""
		if shown := m.ids[:min(v.most, len(m.ids))]; len(shown) > 0 {
			names = x.w.List(mapped(shown, clipped), len(m.ids)-len(shown))
		}
		text := x.w.Say("Missed", words.V{"runs": len(x.c.Runs), "n": len(m.ids), "of": m.of, "names": names})
		s.Blocks = append(s.Blocks, document.Paragraph{Text: document.T(text), Views: v.view})
	}
	return []document.Section{s}
}
