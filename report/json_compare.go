package report

import (
	"cmp"
	"io"
	"iter"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// ComparisonSchema is the version of the JSON format of comparisons.
const ComparisonSchema = "assay.comparison/1"

type comparisonJSON struct {
	Schema string  `json:"schema"`
	Level  float64 `json:"level"`
	Tests  int     `json:"tests"`
	// Primary is the metric that was declared primary; its tests are not among Tests.
	Primary      string                  `json:"primary,omitempty"`
	PrimaryTests int                     `json:"primary_tests,omitempty"`
	Baseline     string                  `json:"baseline"`
	Runs         object[assay.Header]    `json:"runs"`
	Summary      object[*comparedMetric] `json:"summary"`
	ByTag        object[*comparedTag]    `json:"by_tag"`
	// Standings is absent if there was no primary metric to compare.
	Standings *standingsJSON `json:"standings,omitempty"`
	// Waterfall is absent if no two runs were followed through the stages.
	Waterfall *object[*lostJSON] `json:"waterfall,omitempty"`
	// Pairwise is absent unless a judge compared the answers in pairs.
	Pairwise  *summary.Preferences    `json:"pairwise,omitempty"`
	Changes   object[[]changeJSON]    `json:"changes"`
	BothWrong bothWrongJSON           `json:"both_wrong"`
	Settings  object[object[*string]] `json:"settings"`
	Warnings  []string                `json:"warnings"`
	Cases     []*comparedCase         `json:"cases"`
}

type comparedMetric struct {
	Title       string                  `json:"title"`
	Unit        string                  `json:"unit"`
	Better      string                  `json:"better"`
	Estimate    bool                    `json:"estimate,omitempty"`
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
	Test     stats.Test      `json:"test,omitempty"`
	P        *float64        `json:"p"`
	Adjusted *float64        `json:"p_adjusted"`
	Shown    bool            `json:"shown"`
	Wins     int             `json:"wins"`
	Ties     int             `json:"ties"`
	Losses   int             `json:"losses"`
	SignP    *float64        `json:"sign_p"`
	Disagree bool            `json:"mean_and_sign_disagree"`
	SD       *float64        `json:"sd"`
	DZ       *float64        `json:"dz"`
	TCI      *stats.Interval `json:"t_ci"`
	MDE      *float64        `json:"mde"`
	Clusters int             `json:"clusters"`
	Sentence string          `json:"sentence,omitempty"`
	Warnings []stats.Warning `json:"warnings,omitempty"`
	// Corrected is the difference as people would judge it, if the metric has labels.
	Corrected *correctedJSON `json:"corrected,omitempty"`
}

type correctedJSON struct {
	summary.Correction
	// Direction says which run people favour; Overrules is set if the judge says otherwise.
	Direction summary.Direction `json:"direction"`
	Overrules bool              `json:"overrules_judge"`
	Sentence  string            `json:"sentence"`
}

type comparedTag struct {
	Cases   int                     `json:"cases"`
	Tested  bool                    `json:"tested"`
	Summary object[*comparedMetric] `json:"summary"`
}

type standingsJSON struct {
	Metric string                `json:"metric"`
	Runs   object[*standingJSON] `json:"runs"`
}

type standingJSON struct {
	Mean      *float64        `json:"mean"`
	CI        *stats.Interval `json:"ci"`
	N         int             `json:"n"`
	Cost      *usd            `json:"cost_usd"`
	Latency   *milliseconds   `json:"latency_ms"`
	Front     bool            `json:"front"`
	Dominated string          `json:"dominated_by,omitempty"`
	Tied      []string        `json:"tied"`
}

type changeJSON struct {
	ID     string  `json:"id"`
	Metric string  `json:"metric"`
	Old    float64 `json:"old"`
	New    float64 `json:"new"`
	Diff   float64 `json:"diff"`
	Better bool    `json:"better"`
}

type bothWrongJSON struct {
	Rule  string   `json:"rule"`
	Of    int      `json:"of"`
	Cases []string `json:"cases"`
}

// CompareJSON writes the comparison in the format of [ComparisonSchema]: the estimates
// and differences of every metric, and the scores of every case in every run. The
// baseline comes first in every list of runs.
func CompareJSON(w io.Writer, c *Comparison, _ Options) error {
	return c.failed(encodeCases(w, newComparisonJSON(c), c.cases()))
}

// CompareSummaryJSON writes the comparison as [CompareJSON] does, without its cases.
func CompareSummaryJSON(w io.Writer, c *Comparison) error { return encode(w, newComparisonJSON(c)) }

func newComparisonJSON(c *Comparison) *comparisonJSON {
	d := &comparisonJSON{
		Schema: ComparisonSchema, Level: c.Level, Tests: c.Tests, PrimaryTests: c.PrimaryTests, Baseline: c.Runs[0],
		Summary: comparedMetrics(c, c.Rows, true), Standings: newStandingsJSON(c), Waterfall: newLostJSON(c),
		Pairwise: c.Preferences,
		Warnings: c.Warnings(words.English), Cases: []*comparedCase{},
	}
	if c.Declared {
		d.Primary = c.Primary
	}
	for i, name := range c.Runs {
		d.Runs.put(name, c.Reports[i].Header)
		if i > 0 {
			d.Changes.put(name, changesJSON(c, i))
		}
	}
	for _, s := range c.Slices {
		d.ByTag.put(s.Tag, &comparedTag{s.Cases, s.Tested, comparedMetrics(c, s.Rows, false)})
	}
	m := c.missed()
	d.BothWrong = bothWrongJSON{c.OutcomeRule(words.English), m.of, append([]string{}, m.ids...)}
	for _, s := range c.Settings(words.English) {
		var values object[*string]
		for i, name := range c.Runs {
			values.put(name, unlessZero(s.Values[i]))
		}
		d.Settings.put(s.Key, values)
	}
	return d
}

// comparedMetrics returns the rows of the whole comparison, whose differences have
// sentences, or the rows of one tag.
func comparedMetrics(c *Comparison, rows []summary.ComparisonRow, sentences bool) object[*comparedMetric] {
	var out object[*comparedMetric]
	for _, row := range rows {
		m := &comparedMetric{Title: row.Title, Unit: row.Unit, Better: row.Better, Estimate: row.Estimate}
		for i, name := range c.Runs {
			e := estimatesJSON([]summary.Metric{{MetricInfo: row.MetricInfo, Estimate: row.Estimates[i]}})
			m.Estimates.put(name, e.values[row.Name])
			if i > 0 {
				d := newDifferenceJSON(row, i)
				if x, ok := c.Correction(row, i); ok && sentences {
					d.Corrected = &correctedJSON{x.Correction, x.Direction(x.Metric), x.Overrules(x.Metric, x.Judge), words.English.Corrected(x)}
				}
				if sentences {
					d.Sentence = words.English.Difference(c.Computed.Comparison, row, i)
				}
				m.Differences.put(name, d)
			}
		}
		out.put(row.Name, m)
	}
	return out
}

func newDifferenceJSON(row summary.ComparisonRow, i int) *differenceJSON {
	d := row.Differences[i-1]
	out := &differenceJSON{
		N: d.N, Dropped: d.Dropped, CI: d.CI, Test: d.Test, Shown: summary.Shown(d), Wins: d.Wins, Ties: d.Ties, Losses: d.Losses,
		Disagree: d.Disagree, DZ: known(d.DZ), TCI: d.TCI, Warnings: d.Warnings,
	}
	if v, ok := summary.Detects(row.MetricInfo, d); ok {
		out.MDE = known(&v)
	}
	if i <= len(row.Clusters) {
		out.Clusters = row.Clusters[i-1]
	}
	if d.N > 0 {
		out.Old, out.New, out.Diff, out.SD = &d.Old, &d.New, &d.Diff, &d.SD
		if !row.Estimate {
			out.P, out.Adjusted, out.SignP = &d.P, &d.PAdjusted, &d.SignP
		}
	}
	return out
}

// known returns nil for a number that JSON cannot represent.
func known(v *float64) *float64 {
	if v == nil || !finiteNumber(*v) {
		return nil
	}
	return v
}

func newStandingsJSON(c *Comparison) *standingsJSON {
	if c.Standings == nil {
		return nil
	}
	out := &standingsJSON{Metric: c.Primary}
	for _, s := range c.Standings {
		x := &standingJSON{CI: s.Quality.CI, N: s.Quality.N, Front: s.Dominated == "", Dominated: s.Dominated,
			Tied: append([]string{}, s.Tied...), Cost: (*usd)(s.Cost), Latency: (*milliseconds)(s.Latency)}
		if s.Quality.N > 0 {
			x.Mean = &s.Quality.Mean
		}
		out.Runs.put(s.Run, x)
	}
	return out
}

func changesJSON(c *Comparison, i int) []changeJSON {
	out := []changeJSON{}
	for _, x := range c.changes(i) {
		out = append(out, changeJSON{x.id, c.Rows[x.row].Name, x.old, x.new, x.new - x.old, !x.worse})
	}
	return out
}

type comparedCase struct {
	ID string `json:"id"`
	// Draw is the index of the repetition from 0; DrawOf is the case it repeats.
	Draw     int                     `json:"draw,omitempty"`
	DrawOf   string                  `json:"draw_of,omitempty"`
	Question string                  `json:"question"`
	Runs     object[*comparedResult] `json:"runs"`
}

type comparedResult struct {
	Status  assay.Status       `json:"status,omitempty"`
	Outcome assay.Correctness  `json:"outcome,omitempty"`
	Answer  *string            `json:"answer"`
	Scores  object[*scoreJSON] `json:"scores"`
	Latency *milliseconds      `json:"latency_ms"`
}

// blockCases is the number of cases whose records are in memory at a time.
const blockCases = 256

// cases yields the cases of all runs in the order of the baseline, then those that it
// lacks. An error ends the sequence.
func (c *Comparison) cases() iter.Seq2[*comparedCase, error] {
	return func(yield func(*comparedCase, error) bool) {
		for block := range slices.Chunk(c.alignedRows(), blockCases) {
			cases, err := c.caseBlock(block)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, x := range cases {
				if !yield(x, nil) {
					return
				}
			}
		}
	}
}

// alignedRows returns, for each case, its row in every run, −1 if the run lacks it.
func (c *Comparison) alignedRows() [][]int {
	first := c.Reports[0].Cases
	var out [][]int
	at := map[string]int{}
	add := func(run, row int) {
		rows := slices.Repeat([]int{-1}, len(c.Reports))
		rows[run] = row
		at[c.Reports[run].Cases.ID(row)] = len(out)
		out = append(out, rows)
	}
	for row := range first.Len() {
		add(0, row)
	}
	for run, r := range c.Reports[1:] {
		for row := range r.Cases.Len() {
			if k, ok := at[r.Cases.ID(row)]; ok {
				out[k][run+1] = row
			} else {
				add(run+1, row)
			}
		}
	}
	return out
}

// caseBlock reads cases, given the rows of each.
func (c *Comparison) caseBlock(block [][]int) ([]*comparedCase, error) {
	out := make([]*comparedCase, len(block))
	bases := make([]string, len(block))
	for i, r := range c.Reports {
		var rows, places []int
		for k, all := range block {
			if all[i] >= 0 {
				rows, places = append(rows, all[i]), append(places, k)
			}
		}
		records, err := r.at(rows)
		if err != nil {
			return nil, err
		}
		for n, k := range places {
			rec := &records[n]
			if out[k] == nil {
				out[k], bases[k] = &comparedCase{ID: rec.Case.ID}, rec.Case.Base()
				if rec.Case.Draw > 0 {
					out[k].Draw, out[k].DrawOf = rec.Case.Draw, rec.Case.Base()
				}
			}
			out[k].Question = cmp.Or(out[k].Question, rec.Case.Question)
			out[k].Runs.put(c.Runs[i], c.result(r, rec))
		}
	}
	for k, x := range out {
		if x.Question == "" {
			x.Question = c.question(bases[k])
		}
	}
	return out, nil
}

// result returns what a run has of a case.
func (c *Comparison) result(r *Report, rec *assay.Record) *comparedResult {
	out := &comparedResult{}
	if !remembered(rec) {
		out.Status, out.Outcome = summary.Status(r.Header.Metrics, *rec), r.Check(*rec).Outcome()
	}
	for _, row := range c.Rows {
		if s, ok := rec.Scores[row.Name]; ok {
			out.Scores.put(row.Name, newScoreJSON(s))
		}
	}
	if p := rec.Response; p != nil {
		out.Answer, out.Latency = &p.Answer, took(p)
	}
	return out
}
