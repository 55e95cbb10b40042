package report

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// CompareHTML writes the comparison as one page like that of [HTML]: the
// differences with their intervals as a forest plot, each case's difference, the
// differences by tag, quality against cost and latency, what changed most, and a
// table of the cases in which to see who won and what no run solves. Without
// scripts all but that table is there.
func CompareHTML(w io.Writer, c *Comparison, _ Options) error {
	p := newPage("Comparison", "compare.js")
	p.Report = c.Reports[0]
	p.Level = c.Level
	v := &compareView{Comparison: c, Power: c.power(), PowerNote: powerNote, Tags: comparedTags(c), SliceNote: sliceNote, Places: c.places(), Plots: frontPlots(c)}
	v.Shown, v.Not = c.sentences()
	v.Compared, v.Axes = comparedRows(c)
	v.Primary, _ = c.primary()
	v.Priced = c.priced()
	v.Changed, v.Asked = changedRuns(c)
	v.Missed = c.missed()
	v.Falls, v.LostNote = c.falls(), lostNote
	v.Settings = c.settings()
	for i := range c.Reports {
		v.Origins = append(v.Origins, fact{line(c.Runs[i]), c.origin(i, line)})
	}
	p.Compare = v
	if err := p.embed(newCompareData(c)); err != nil {
		return err
	}
	return templates.ExecuteTemplate(w, "compare.html.tmpl", p)
}

// A compareView is what the template of a comparison sees beside the page.
type compareView struct {
	*Comparison
	Shown, Not []string
	Power      []string
	PowerNote  string
	Compared   []comparedRow
	Axes       []template.HTML
	Tags       []tagTable
	SliceNote  string
	Primary    assay.MetricInfo
	Priced     bool
	Places     []place
	Plots      []template.HTML
	Changed    []changedRun
	Asked      bool
	Missed     missed
	Falls      []comparedFall
	LostNote   string
	Settings   []setting
	Origins    []fact
}

// Line says how many cases no run solves, and names the first.
func (m missed) Line(runs int) string { return m.line(runs, 30) }

// Any reports whether there are such cases.
func (m missed) Any() bool { return len(m.ids) > 0 }

// A comparedRow is one metric of one run beside the baseline.
type comparedRow struct {
	summary.ComparisonRow
	Run      string
	First    bool // of the metric
	Runs     int  // rows of the metric
	Old, New string
	EndsOld  string
	EndsNew  string
	D        stats.Comparison
	Shown    bool
	Delta, P string
	CI       string
	Better   int
	Worse    int
	Forest   template.HTML
	Cases    template.HTML
	MDE      string
	Remarks  []string
}

// comparedRows gives the rows of the table of differences, and an axis for
// each scale among them: one for ratios, one for each unit.
func comparedRows(c *Comparison) ([]comparedRow, []template.HTML) {
	reach, units := reaches(c)
	var rows []comparedRow
	for _, row := range c.Rows {
		for i, d := range row.Differences {
			m := row.MetricInfo
			r := comparedRow{
				ComparisonRow: row, Run: line(c.Runs[i+1]), First: i == 0, Runs: len(row.Differences),
				Old: mean(m, row.Estimates[0]), New: mean(m, row.Estimates[i+1]),
				EndsOld: ends(m, row.Estimates[0]), EndsNew: ends(m, row.Estimates[i+1]),
				D: d, Shown: summary.Shown(d), Delta: "–", P: pValue(d), Better: better(m, d), Worse: worse(m, d), MDE: mde(d), Remarks: pairNotes(d),
				Forest: forest(m, d, niceReach(reach[row.Unit])),
				Cases:  caseByCase(m, differencesOf(m, c.Reports[0].Records, c.Reports[i+1].Records)),
			}
			if d.N > 0 {
				r.Delta, r.CI = signed(m, d.Diff), signedInterval(row, d.CI)
			}
			rows = append(rows, r)
		}
	}
	var axes []template.HTML
	for _, u := range units {
		axes = append(axes, forestAxis(u, niceReach(reach[u])))
	}
	return rows, axes
}

const forestWidth = 240

func forestScale(reach float64) scale { return scale{-reach, reach, 10, forestWidth - 10} }

// niceReach rounds up to a number that reads well on an axis.
func niceReach(v float64) float64 {
	if v <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range []float64{1, 1.5, 2, 3, 5, 10} {
		if v <= f*power {
			return f * power
		}
	}
	return v
}

// forest draws a difference with its interval on an axis around 0. The mark is
// full when the difference can be shown and hollow when it cannot.
func forest(m assay.MetricInfo, d stats.Comparison, reach float64) template.HTML {
	p := &drawing{width: forestWidth, height: 38}
	x := forestScale(reach)
	p.line("zero", x.at(0), 0, x.at(0), 38)
	if d.N == 0 {
		return p.svg("no case in common")
	}
	class := "none"
	if summary.Shown(d) {
		class = "worse"
		if improves(m, d) {
			class = "better"
		}
	}
	words := "difference " + signed(m, d.Diff)
	if d.CI != nil {
		words += fmt.Sprintf(", %s interval %s to %s", percent(d.Level), signed(m, d.CI.Lo), signed(m, d.CI.Hi))
		p.line("whisker "+class, x.at(d.CI.Lo), 19, x.at(d.CI.Hi), 19)
	}
	p.dot("point "+class, x.at(d.Diff), 19, 4.5, words)
	return p.svg(words)
}

func forestAxis(unit string, reach float64) template.HTML {
	p := &drawing{width: forestWidth, height: 20}
	x := forestScale(reach)
	p.line("axis", x.from, 0.5, x.to, 0.5)
	for i, v := range []float64{-reach, -reach / 2, 0, reach / 2, reach} {
		p.line("axis", x.at(v), 0.5, x.at(v), 4)
		label := tick(math.Abs(v))
		if v < 0 {
			label = "−" + label
		} else if v > 0 {
			label = "+" + label
		}
		// The outer labels stay inside the picture.
		switch i {
		case 0:
			p.text(0, 16, "start", label)
		case 4:
			p.text(forestWidth, 16, "end", label)
		default:
			p.text(x.at(v), 16, "middle", label)
		}
	}
	words := "axis of differences"
	if unit != "" {
		words += " in " + unit
	}
	return p.svg(words)
}

// differencesOf gives the sorted differences of the cases of two runs; a
// positive one is better.
func differencesOf(m assay.MetricInfo, old, new []assay.Record) []float64 {
	pairs, _, _ := summary.PairsOf(m, old, new)
	out := make([]float64, len(pairs))
	for i, p := range pairs {
		out[i] = p.New - p.Old
		if m.Better == "lower" {
			out[i] = -out[i]
		}
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return out
}

// caseByCase draws the sorted differences of all cases, better ones up and to
// the left. Among many cases each column stands for several, by their mean.
func caseByCase(m assay.MetricInfo, diffs []float64) template.HTML {
	const most = 120
	p := &drawing{width: 130, height: 30}
	columns := min(len(diffs), most)
	if columns == 0 {
		return p.svg("no case in common")
	}
	reach := max(diffs[0], -diffs[len(diffs)-1])
	step := min(float64(most)/float64(columns), 8)
	p.line("zero", 4, 15, 4+step*float64(columns), 15)
	for i := range columns {
		part := diffs[i*len(diffs)/columns : (i+1)*len(diffs)/columns]
		sum := 0.0
		for _, v := range part {
			sum += v
		}
		v := sum / float64(len(part))
		if v == 0 || reach == 0 {
			continue
		}
		h := max(13*math.Abs(v)/reach, 0.6)
		x, w := 4+float64(i)*step, max(step-0.4, 0.6)
		if v > 0 {
			p.rect("better", x, 15-h, w, h, "")
		} else {
			p.rect("worse", x, 15, w, h, "")
		}
	}
	return p.svg(fmt.Sprintf("differences of %s, from better to worse; the largest is %s", plural(len(diffs), "case", "cases"), number(m, reach)))
}
