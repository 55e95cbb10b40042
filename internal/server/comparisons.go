package server

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/assay-eval/assay"
	filter "github.com/assay-eval/assay/internal/query"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// comparisonSpace is the size limit of the comparisons that were asked for last, in bytes.
// One of two runs of 100,000 cases and 10 metrics takes about 60 MB.
const comparisonSpace = 128 << 20

// A comparison is kept with what lists of its cases are made from.
type comparison struct {
	*report.Comparison
	// differing and flaky are by run and case of the matrix; flaky is nil of a run that is
	// compared without repeated cases.
	differing, flaky [][]bool

	mu sync.Mutex
	// values has the values of a metric, by run and case of the matrix.
	values map[string][][]float64
}

func newComparison(c *report.Comparison) *comparison {
	out := &comparison{Comparison: c, differing: make([][]bool, len(c.Reports)),
		flaky: make([][]bool, len(c.Reports)), values: map[string][][]float64{}}
	for i := 1; i < len(c.Reports); i++ {
		out.differing[i], out.flaky[i] = c.Differing(i), c.Flaky(i)
	}
	return out
}

// size returns roughly how much memory the comparison takes, in bytes.
func (c *comparison) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := c.Matrix().Size()
	for _, r := range c.Reports {
		size += r.Cases.Size() + len(c.Matrix().Cases)*(2+8*len(c.values))
	}
	return size
}

// An askedComparison is a comparison as a request asks for it. It implements [web.Comparison].
type askedComparison struct {
	*comparison
	s  *Server
	hs []assay.Header
	in Compared
	// disagree has the cases on which people disagree, by run; nil without labels.
	disagree []map[int]bool
}

// Report implements [web.Comparison].
func (c *askedComparison) Report() *report.Comparison { return c.Comparison }

// Count implements [web.Comparison].
func (c *askedComparison) Count(run int, class report.Class, among []int) (n int, known bool) {
	for _, k := range among {
		if c.is(run, k, class) {
			n++
		}
	}
	switch class {
	case report.Disagree:
		return n, c.disagree[run] != nil
	case report.Flaky:
		return n, c.flaky[run] != nil
	}
	return n, true
}

// is reports whether a case of the matrix is of a class, in a run and the baseline. Every
// case that one of the two has is of the class "".
func (c *askedComparison) is(run, k int, class report.Class) bool {
	m := c.Matrix()
	switch {
	case !m.Has(0, k) && !m.Has(run, k):
		return false
	case class == "":
		return true
	case class == report.Disagree:
		return c.disagree[run][k]
	case class == report.Different:
		return c.differing[run][k]
	case class == report.Flaky:
		return c.flaky[run] != nil && c.flaky[run][k]
	}
	return m.Class(run, k) == class
}

// Values implements [web.Comparison].
func (c *comparison) Values(m assay.MetricInfo) [][]float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if all, ok := c.values[m.Name]; ok {
		return all
	}
	var all [][]float64
	for _, r := range c.Reports {
		all = append(all, c.Matrix().Values(m, r))
	}
	c.values[m.Name] = all
	return all
}

// A pairedCase is a case of a comparison in a list. Draws of a case count as one.
type pairedCase struct {
	ID       string     `json:"case_id" doc:"id of the case; draws share it" example:"q17"`
	Class    string     `json:"class" enum:"both_right,both_wrong,newly_right,newly_wrong,unknown,unpaired" doc:"how it ended in the two"`
	Differs  bool       `json:"different" doc:"whether it is right in only one, or has another value of a metric that is no estimate"`
	Question string     `json:"question" doc:"the question" example:"Which river flows through Rome?"`
	Delta    *float64   `json:"delta" required:"true" doc:"value in the run less that in the baseline; null without both" example:"-0.25"`
	Cells    []caseCell `json:"cells" nullable:"false" doc:"by run, the baseline first; runs without the case are left out"`
}

// A caseCell is a case in one run.
type caseCell struct {
	Run     string   `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Status  string   `json:"status" enum:"ok,failed,error" doc:"how the case, or its first draw, ended"`
	Outcome string   `json:"outcome" enum:"right,wrong,unknown" doc:"whether the run gets the case right; draws must agree"`
	State   string   `json:"state" enum:"unset,scored,not_applicable,abstained,target_error,judge_error" doc:"state of the first draw"`
	Value   *float64 `json:"value" required:"true" doc:"value of the metric, the mean over the draws; null if there is none" example:"0.5"`
	Answer  string   `json:"answer,omitempty" doc:"beginning of the answer, of the first draw" example:"The Tiber."`
	Failure string   `json:"failure,omitempty" doc:"why the target failed" example:"timeout: no reply within 30 s"`
	Latency float64  `json:"latency_ms" doc:"time of the answer in milliseconds; 0 if unknown" example:"412.5"`
}

type pairedCasesInput struct {
	Compared
	Paging
	Run    string `query:"run" maxLength:"128" doc:"the run that is set against the baseline; default: the second"`
	Metric string `query:"metric" maxLength:"256" doc:"metric of values and delta; default: the primary one, else the first"`
	Class  string `query:"class" enum:"both_right,both_wrong,newly_right,newly_wrong,unknown,unpaired,different,flaky,disagree" doc:"only cases of this class"`
	Sort   string `query:"sort" enum:"seq,id,-id,delta,-delta,change" default:"seq" doc:"delta: by loss; change: by size"`
	Q      string `query:"q" maxLength:"1000" doc:"filter of the run's cases, such as mrr<0.5 -status:error ferry: docs/filter.md"`
}

func (s *Server) compareCases() {
	register(s, "list-compared-cases", func(ctx context.Context, in *pairedCasesInput) (*list[pairedCase], error) {
		c, err := s.comparison(ctx, in.Compared)
		if err != nil {
			return nil, err
		}
		return c.list(ctx, in)
	})
}

// comparison returns a comparison, which is kept if its runs are finished. The error is a
// problem.
func (s *Server) comparison(ctx context.Context, in Compared) (*askedComparison, error) {
	hs, err := s.comparedRuns(ctx, in)
	if err != nil {
		return nil, err
	}
	c, err := s.compared(ctx, hs, in)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &askedComparison{comparison: c, s: s, hs: hs, in: in, disagree: make([]map[int]bool, len(hs))}
	for run := 1; run < len(hs); run++ {
		if out.disagree[run], err = s.disagreeing(ctx, c, run); err != nil {
			return nil, s.fail(ctx, err)
		}
	}
	return out, nil
}

// compared returns the comparison of runs, the baseline first.
func (s *Server) compared(ctx context.Context, hs []assay.Header, in Compared) (*comparison, error) {
	key, err := s.comparisonKey(ctx, hs, in)
	if err != nil {
		return nil, err
	}
	derive := func() (*comparison, error) {
		release, err := s.renders.take(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
		c, err := s.compareRuns(ctx, hs, in, key)
		if err != nil {
			return nil, err
		}
		return newComparison(c), nil
	}
	if key == "" {
		return derive()
	}
	return s.comparisons.fixed(ctx, key, derive)
}

// list lists cases. The error is a problem.
func (c *askedComparison) list(ctx context.Context, in *pairedCasesInput) (*list[pairedCase], error) {
	run, err := comparedWith(c.hs, in.Run)
	if err != nil {
		return nil, err
	}
	metrics := c.Metrics()
	names := wire.MetricNames(metrics)
	at := max(0, slices.Index(names, c.Primary))
	if in.Metric != "" {
		at = slices.Index(names, in.Metric)
	}
	if at < 0 {
		return nil, wrong("query.metric", "the runs share no such metric: expected one of "+strings.Join(names, ", "), in.Metric)
	}
	metric := metrics[at]
	q, err := filter.Parse(in.Q)
	if err != nil {
		return nil, wrongFilter(err, in.Q)
	}
	chosen, err := c.Cases(ctx, web.PairQuery{Run: run, Metric: metric, Class: report.Class(in.Class), Sort: in.Sort, Query: q})
	if err != nil {
		return nil, wrongFilter(err, in.Q)
	}
	part := chosen[min(in.Offset, len(chosen)):min(in.Offset+in.Limit, len(chosen))]
	items := make([]pairedCase, len(part))
	for n, k := range part {
		items[n] = pairedCase{ID: c.Matrix().Cases[k], Class: string(c.Matrix().Class(run, k)), Differs: c.differing[run][k], Cells: []caseCell{}}
		if d := c.Values(metric)[run][k] - c.Values(metric)[0][k]; !math.IsNaN(d) {
			items[n].Delta = &d
		}
	}
	briefs, err := c.Briefs(ctx, part)
	if err != nil {
		return nil, err
	}
	for i := range c.hs {
		c.fillCells(i, part, items, metric, briefs[i])
	}
	return listed(items, len(chosen), in.Paging), nil
}

// comparedWith returns the place of the run that is set against the baseline, the first; ""
// is the second. The error is a problem.
func comparedWith(hs []assay.Header, id string) (int, error) {
	if id == "" {
		return 1, nil
	}
	at := slices.IndexFunc(hs, func(h assay.Header) bool { return h.ID == id })
	if at < 1 {
		return 0, wrong("query.run", "expected one of the compared runs that is not the baseline", id)
	}
	return at, nil
}

// Cases implements [web.Comparison].
func (c *askedComparison) Cases(ctx context.Context, q web.PairQuery) ([]int, error) {
	s, m := c.s, c.Matrix()
	var selected []bool
	if !q.Query.Empty() {
		h := c.Reports[q.Run].Header
		index, err := s.index(ctx, h)
		if err != nil {
			return nil, err
		}
		found, err := wire.SelectCases(ctx, s.store, h, index, c.beside(q.Run), q.Query, filter.Order{})
		if err != nil {
			return nil, err
		}
		selected = make([]bool, len(m.Cases))
		cases := c.Reports[q.Run].Cases
		for _, seq := range found.Seqs() {
			if row, ok := cases.RowOf(seq); ok {
				selected[m.Index(cases.Base(row))] = true
			}
		}
	}
	out := []int{}
	for k := range m.Cases {
		if (selected == nil || selected[k]) && c.is(q.Run, k, q.Class) {
			out = append(out, k)
		}
	}
	values := c.Values(q.Metric)
	c.order(out, q.Sort, q.Metric, values[0], values[q.Run])
	return out, nil
}

// order sorts cases. Those without a difference are last where it is the order.
func (c *comparison) order(cases []int, by string, m assay.MetricInfo, old, new []float64) {
	sign := 1.0
	if m.Better == "lower" {
		sign = -1
	}
	key := func(k int) float64 { return sign * (new[k] - old[k]) }
	switch by {
	case "id", "-id":
		ids := c.Matrix().Cases
		slices.SortFunc(cases, func(a, b int) int { return strings.Compare(ids[a], ids[b]) })
		if by == "-id" {
			slices.Reverse(cases)
		}
		return
	case "delta":
	case "-delta":
		sign = -sign
	case "change":
		key = func(k int) float64 { return -math.Abs(new[k] - old[k]) }
	default:
		return
	}
	rounded := func(k int) float64 {
		v := key(k)
		if math.IsNaN(v) {
			return math.Inf(1)
		}
		// Rounding must not decide between equal differences.
		return math.Round(v * 1e9)
	}
	slices.SortStableFunc(cases, func(a, b int) int { return cmp.Compare(rounded(a), rounded(b)) })
}

// Briefs implements [web.Comparison].
func (c *askedComparison) Briefs(ctx context.Context, cases []int) ([][]*assay.Record, error) {
	out := make([][]*assay.Record, len(c.Reports))
	for i, r := range c.Reports {
		out[i] = make([]*assay.Record, len(cases))
		var seqs, places []int
		for n, k := range cases {
			if row, ok := c.Matrix().Row(i, k); ok {
				seqs, places = append(seqs, r.Cases.Seq(row)), append(places, n)
			}
		}
		records, err := wire.RecordsOf(c.s.store, r.Header).BriefsAt(ctx, r.Header.ID, seqs)
		if err != nil {
			return nil, fmt.Errorf("cases of run %q: %w", r.Header.ID, err)
		}
		for j, n := range places {
			out[i][n] = &records[j]
		}
	}
	return out, nil
}

// fillCells fills in what a run has of the listed cases.
func (c *comparison) fillCells(run int, part []int, items []pairedCase, metric assay.MetricInfo, briefs []*assay.Record) {
	m, r, values := c.Matrix(), c.Reports[run], c.Values(metric)[run]
	column := r.Cases.Metric(metric.Name)
	for n, rec := range briefs {
		if rec == nil {
			continue
		}
		row, _ := m.Row(run, part[n])
		score, _ := column.Numbers(row)
		one := caseOf(r.Header.Metrics, *rec, summary.Check{})
		items[n].Question = cmp.Or(items[n].Question, one.Question)
		cell := caseCell{
			Run: r.Header.ID, Status: string(summary.Status(r.Header.Metrics, r.Cases.Record(row))),
			Outcome: string(m.Outcome(run, part[n])), State: score.State.String(), Answer: one.Answer, Failure: one.Failure, Latency: one.Latency,
		}
		if v := values[part[n]]; !math.IsNaN(v) {
			cell.Value = &v
		}
		items[n].Cells = append(items[n].Cells, cell)
	}
}

// Sections implements [web.Comparison].
func (c *askedComparison) Sections(ctx context.Context, key string, write func(io.Writer, *report.Comparison) error) ([]byte, error) {
	kept, err := c.s.comparisonKey(ctx, c.hs, c.in)
	if err != nil {
		return nil, err
	}
	if kept != "" {
		kept += " page " + key
	}
	release, err := c.s.renders.take(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return c.s.readRendered(ctx, kept, func(w io.Writer) error { return write(w, c.Comparison) })
}
