package report

import (
	"io"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// ComparisonSchema names the version of the JSON format of comparisons.
const ComparisonSchema = "assay.comparison/1"

type comparisonJSON struct {
	Schema   string                  `json:"schema"`
	Level    float64                 `json:"level"`
	Baseline string                  `json:"baseline"`
	Runs     object[assay.Header]    `json:"runs"`
	Summary  object[*comparedMetric] `json:"summary"`
	Warnings []string                `json:"warnings"`
	Cases    []*comparedCase         `json:"cases"`
}

type comparedMetric struct {
	Title       string                  `json:"title"`
	Unit        string                  `json:"unit"`
	Better      string                  `json:"better"`
	Estimates   object[*estimateJSON]   `json:"estimates"`
	Differences object[*differenceJSON] `json:"differences"`
}

type differenceJSON struct {
	N        int             `json:"n"`
	Dropped  int             `json:"dropped"`
	Old      *float64        `json:"old"`
	New      *float64        `json:"new"`
	Diff     *float64        `json:"diff"`
	CI       *stats.Interval `json:"ci"`
	P        *float64        `json:"p"`
	Adjusted *float64        `json:"p_adjusted"`
	Shown    bool            `json:"shown"`
	Wins     int             `json:"wins"`
	Ties     int             `json:"ties"`
	Losses   int             `json:"losses"`
	Sentence string          `json:"sentence"`
	Warnings []string        `json:"warnings,omitempty"`
}

type comparedCase struct {
	ID       string                  `json:"id"`
	Question string                  `json:"question"`
	Runs     object[*comparedResult] `json:"runs"`
}

type comparedResult struct {
	Status  assay.Status       `json:"status"`
	Answer  *string            `json:"answer"`
	Scores  object[*scoreJSON] `json:"scores"`
	Latency *milliseconds      `json:"latency_ms"`
}

// CompareJSON writes the comparison with the estimates and differences of every
// metric and what every case scored in every run, in the format that
// [ComparisonSchema] names. The baseline comes first wherever there are runs.
func CompareJSON(w io.Writer, c *Comparison, _ Options) error {
	d := &comparisonJSON{
		Schema: ComparisonSchema, Level: c.Level, Baseline: c.Runs[0],
		Warnings: append([]string{}, c.Warnings...), Cases: []*comparedCase{},
	}
	for i, name := range c.Runs {
		d.Runs.put(name, c.Reports[i].Header)
	}
	for _, row := range c.Rows {
		m := &comparedMetric{Title: row.Title, Unit: row.Unit, Better: row.Better}
		for i, name := range c.Runs {
			e := estimatesJSON([]summary.Metric{{MetricInfo: row.MetricInfo, Estimate: row.Estimates[i]}})
			m.Estimates.put(name, e.values[row.Name])
			if i > 0 {
				m.Differences.put(name, newDifferenceJSON(c, row, i))
			}
		}
		d.Summary.put(row.Name, m)
	}
	d.Cases = comparedCases(c)
	return encode(w, d)
}

func newDifferenceJSON(c *Comparison, row summary.ComparisonRow, i int) *differenceJSON {
	d := row.Differences[i-1]
	out := &differenceJSON{
		N: d.N, Dropped: d.Dropped, CI: d.CI, Shown: summary.Shown(d), Wins: d.Wins, Ties: d.Ties, Losses: d.Losses,
		Sentence: c.Sentence(row, i), Warnings: d.Warnings,
	}
	if d.N > 0 {
		out.Old, out.New, out.Diff, out.P, out.Adjusted = &d.Old, &d.New, &d.Diff, &d.P, &d.PAdjusted
	}
	return out
}

// comparedCases lists the cases of all runs, in the order of the baseline and
// then of the others.
func comparedCases(c *Comparison) []*comparedCase {
	out := []*comparedCase{}
	at := map[string]*comparedCase{}
	var metrics []assay.MetricInfo
	for _, row := range c.Rows {
		metrics = append(metrics, row.MetricInfo)
	}
	for i, r := range c.Reports {
		for _, rec := range r.Records {
			x := at[rec.Case.ID]
			if x == nil {
				x = &comparedCase{ID: rec.Case.ID, Question: rec.Case.Question}
				at[rec.Case.ID] = x
				out = append(out, x)
			}
			res := &comparedResult{Status: summary.Status(r.Header.Metrics, rec)}
			for _, m := range metrics {
				if s, ok := rec.Scores[m.Name]; ok {
					res.Scores.put(m.Name, newScoreJSON(s))
				}
			}
			if p := rec.Response; p != nil {
				res.Answer, res.Latency = &p.Answer, took(p)
			}
			x.Runs.put(c.Runs[i], res)
		}
	}
	return out
}
