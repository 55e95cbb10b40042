package report

import (
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
// differences with their intervals as a forest plot, each case's difference,
// and a table of the cases in which to see who won.
func CompareHTML(w io.Writer, c *Comparison, _ Options) error {
	p := newPage("Comparison", "compare.js")
	p.Comparison = c
	p.Report = c.Reports[0]
	p.Level = c.Level
	p.Shown, p.Not = c.sentences()
	p.Compared, p.Axes = comparedRows(c)
	for i, r := range c.Reports {
		p.Config = append(p.Config, fact{line(c.Runs[i]), fmt.Sprintf("run %s · assay %s · seed %d · %s", r.Header.ID, r.Header.Version, r.Header.Seed, commandLine(r))})
	}
	if err := p.embed(newCompareData(c)); err != nil {
		return err
	}
	return templates.ExecuteTemplate(w, "compare.html.tmpl", p)
}

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
	Remarks  []string
}

// comparedRows gives the rows of the table of differences, and an axis for
// each scale among them: one for ratios, one for each unit.
func comparedRows(c *Comparison) ([]comparedRow, []template.HTML) {
	reach := map[string]float64{}
	var units []string
	for _, row := range c.Rows {
		if _, ok := reach[row.Unit]; !ok {
			units = append(units, row.Unit)
			reach[row.Unit] = 0
		}
		for _, d := range row.Differences {
			reach[row.Unit] = max(reach[row.Unit], math.Abs(d.Diff))
			if d.CI != nil {
				reach[row.Unit] = max(reach[row.Unit], math.Abs(d.CI.Lo), math.Abs(d.CI.Hi))
			}
		}
	}
	var rows []comparedRow
	for _, row := range c.Rows {
		for i, d := range row.Differences {
			m := row.MetricInfo
			r := comparedRow{
				ComparisonRow: row, Run: line(c.Runs[i+1]), First: i == 0, Runs: len(row.Differences),
				Old: mean(m, row.Estimates[0]), New: mean(m, row.Estimates[i+1]),
				EndsOld: ends(m, row.Estimates[0]), EndsNew: ends(m, row.Estimates[i+1]),
				D: d, Shown: summary.Shown(d), Delta: "–", P: pValue(d), Better: better(m, d), Worse: worse(m, d), Remarks: pairNotes(d),
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
		if (d.Diff > 0) == (m.Better != "lower") {
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
	for _, v := range []float64{-reach, -reach / 2, 0, reach / 2, reach} {
		p.line("axis", x.at(v), 0.5, x.at(v), 4)
		label := tick(math.Abs(v))
		if v < 0 {
			label = "−" + label
		} else if v > 0 {
			label = "+" + label
		}
		p.text(x.at(v), 16, "middle", label)
	}
	words := "axis of differences"
	if unit != "" {
		words += " in " + unit
	}
	return p.svg(words)
}

// differencesOf pairs two runs by case id; a positive difference is better.
func differencesOf(m assay.MetricInfo, old, new []assay.Record) []float64 {
	before := map[string]float64{}
	for _, r := range old {
		if v, ok := paired(m, r); ok {
			before[r.Case.ID] = v
		}
	}
	var out []float64
	for _, r := range new {
		a, had := before[r.Case.ID]
		if b, has := paired(m, r); had && has {
			d := b - a
			if m.Better == "lower" {
				d = -d
			}
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
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

// compareData is what the script of the comparison reads.
type compareData struct {
	Metrics []pageMetric  `json:"metrics"`
	Runs    []string      `json:"runs"`
	Cases   []compareCase `json:"cases"`
}

type compareCase struct {
	ID       string          `json:"id"`
	Tags     []string        `json:"tags,omitempty"`
	Question string          `json:"question"`
	Want     []pageLabel     `json:"want,omitempty"`
	Runs     []*compareEntry `json:"runs"`
}

// A compareEntry is a case in one run. Values are those that enter the
// comparison.
type compareEntry struct {
	Status   assay.Status  `json:"status"`
	Answer   *string       `json:"answer"`
	Failure  string        `json:"failure,omitempty"`
	Latency  *milliseconds `json:"latency"`
	Values   []*float64    `json:"values"`
	States   []assay.State `json:"states"`
	Passages []pagePassage `json:"passages,omitempty"`
}

func newCompareData(c *Comparison) *compareData {
	d := &compareData{Metrics: []pageMetric{}, Cases: []compareCase{}}
	var metrics []assay.MetricInfo
	for _, row := range c.Rows {
		metrics = append(metrics, row.MetricInfo)
	}
	d.Metrics = pageMetrics(metrics)
	var all []assay.Record
	for _, r := range c.Reports {
		all = append(all, r.Records...)
	}
	pk := &packer{limit: textLimit(all)}
	at := map[string]int{}
	for i, r := range c.Reports {
		d.Runs = append(d.Runs, line(c.Runs[i]))
		for _, rec := range r.Records {
			k, ok := at[rec.Case.ID]
			if !ok {
				k = len(d.Cases)
				at[rec.Case.ID] = k
				d.Cases = append(d.Cases, pk.compared(rec, len(c.Runs)))
			}
			d.Cases[k].Runs[i] = pk.entry(r.Header.Metrics, metrics, rec)
		}
	}
	return d
}

func (p *packer) compared(r assay.Record, runs int) compareCase {
	c := compareCase{ID: line(r.Case.ID), Question: p.cut(r.Case.Question), Runs: make([]*compareEntry, runs)}
	for _, t := range r.Case.Tags {
		c.Tags = append(c.Tags, line(t))
	}
	c.Want = p.labels(r.Case.Want)
	return c
}

// entry takes in a case of one run: its status by the run's own thresholds, its
// values on the metrics that are compared.
func (p *packer) entry(own, metrics []assay.MetricInfo, r assay.Record) *compareEntry {
	e := &compareEntry{Status: summary.Status(own, r), Values: []*float64{}, States: []assay.State{}}
	for _, m := range metrics {
		var value *float64
		if v, ok := paired(m, r); ok {
			value = &v
		}
		e.Values = append(e.Values, value)
		e.States = append(e.States, r.Scores[m.Name].State)
	}
	if r.Failure != nil {
		e.Failure = p.cut(r.Failure.Kind + ": " + r.Failure.Message)
	}
	if r.Response != nil {
		answer := p.cut(r.Response.Answer)
		e.Answer, e.Latency = &answer, took(r.Response)
		for _, x := range r.Response.Passages[:min(len(r.Response.Passages), 10)] {
			q := pagePassage{Name: line(passageName(x))}
			if g, ok := judged(r.Case.Want, x); ok {
				q.Grade = &g
			}
			e.Passages = append(e.Passages, q)
		}
	}
	return e
}
