package report

import (
	"math"

	"github.com/assay-eval/assay/summary"
)

// A tagTable is one run's differences from the baseline, by tag and metric.
type tagTable struct {
	Run  string
	Head []string
	Rows []comparedTagRow
}

type comparedTagRow struct {
	Tag   string
	Cases int
	Cells []comparedTagCell
}

// A comparedTagCell is a difference over the cases with one tag. Class is the
// style of how large it is, "up3" or "down1"; "" without a difference.
type comparedTagCell struct {
	Delta, CI, Class string
	N                int
	// Sign is "▲" or "▼" where the difference can be shown.
	Sign string
}

// comparedTags makes a table for every run but the first; nil without tags.
func comparedTags(c *Comparison) []tagTable {
	if len(c.Slices) == 0 {
		return nil
	}
	reach := map[string]float64{}
	for _, s := range c.Slices {
		for _, row := range s.Rows {
			for _, d := range row.Differences {
				reach[row.Name] = max(reach[row.Name], math.Abs(d.Diff))
			}
		}
	}
	var out []tagTable
	for i := 1; i < len(c.Runs); i++ {
		t := tagTable{Run: line(c.Runs[i])}
		for _, row := range c.Rows {
			t.Head = append(t.Head, arrow(row.MetricInfo))
		}
		for _, s := range c.Slices {
			r := comparedTagRow{Tag: line(s.Tag), Cases: s.Cases}
			for _, row := range s.Rows {
				r.Cells = append(r.Cells, tagDifference(row, i, reach[row.Name]))
			}
			t.Rows = append(t.Rows, r)
		}
		out = append(out, t)
	}
	return out
}

func tagDifference(row summary.ComparisonRow, i int, reach float64) comparedTagCell {
	d := row.Differences[i-1]
	if d.N == 0 {
		return comparedTagCell{Delta: "–"}
	}
	cell := comparedTagCell{Delta: signed(row.MetricInfo, d.Diff), N: d.N}
	if d.N >= summary.SliceCases && summary.Shown(d) {
		cell.Sign = shownSign(row.MetricInfo, d)
	}
	if d.CI != nil {
		cell.CI = signedInterval(row, d.CI)
	}
	if reach == 0 || math.Abs(d.Diff) <= equal {
		return cell
	}
	cell.Class = "down"
	if improves(row.MetricInfo, d) {
		cell.Class = "up"
	}
	cell.Class += string(rune('1' + min(int(4*math.Abs(d.Diff)/reach), 3)))
	return cell
}

// A changedRun is the cases in which a run differs most from the baseline.
type changedRun struct {
	Run  string
	Of   int
	Rows []changedRow
}

type changedRow struct {
	ID, Question, Metric string
	Old, New, Delta      string
	Worse                bool
}

// changedRuns lists what changed most in every run; asked tells whether any of
// these cases has a question to show.
func changedRuns(c *Comparison) (out []changedRun, asked bool) {
	const most = 10
	for i := 1; i < len(c.Runs); i++ {
		all := c.changes(i)
		r := changedRun{Run: line(c.Runs[i]), Of: len(all)}
		for _, x := range foremost(all, most) {
			m := c.Rows[x.row].MetricInfo
			r.Rows = append(r.Rows, changedRow{
				ID: line(x.id), Question: clip(line(x.question), 160), Metric: arrow(m),
				Old: number(m, x.old), New: number(m, x.new), Delta: signed(m, x.new-x.old), Worse: x.worse,
			})
			asked = asked || line(x.question) != ""
		}
		if r.Rows != nil {
			out = append(out, r)
		}
	}
	return out, asked
}
