package server

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
	"github.com/assay-eval/assay/summary/explore"
)

// sliceSpace is the size limit of the findings that were asked for last, in bytes.
const sliceSpace = 16 << 20

type slicesInput struct {
	RunPath
	Metric   string `query:"metric" maxLength:"256" doc:"a metric of the run that is no estimate; default: the primary one, else the first"`
	Baseline string `query:"baseline" maxLength:"128" doc:"another run: it is then the change from that run that departs"`
}

// slicesView is what looking through the slices came to.
type slicesView struct {
	Metric string      `json:"metric" doc:"name of the metric" example:"recall@5"`
	Level  float64     `json:"level" doc:"1 less the false discovery rate, and level of the intervals" example:"0.95"`
	Cases  int         `json:"cases" doc:"number of cases; draws of a case count as one" example:"500"`
	Valued int         `json:"valued" doc:"number of cases with a value, in a comparison in both runs" example:"498"`
	Looked int         `json:"looked" doc:"number of slices that were tested" example:"37"`
	Items  []sliceView `json:"items" nullable:"false" doc:"the slices that were found, the worst first"`
}

// A sliceView is a slice that departs from the other cases.
type sliceView struct {
	Q     string   `json:"q" doc:"filter that selects the cases of the slice" example:"tag:chinese"`
	Kind  string   `json:"kind" enum:"tag,group,documents,script,digits,length,begins,word" doc:"what the cases have in common"`
	Also  []string `json:"also" nullable:"false" doc:"filters of slices that depart too, with more than 90 % of the same cases" example:"script:han"`
	Cases int      `json:"cases" doc:"number of cases of the slice" example:"40"`
	N     int      `json:"n" doc:"number of these with a value" example:"40"`
	Mean  float64  `json:"mean" doc:"mean over the slice; in a comparison of the changes from the baseline" example:"0.51"`
	Rest  float64  `json:"rest" doc:"the same over the other cases" example:"0.8"`
	Delta float64  `json:"delta" doc:"mean - rest" example:"-0.29"`
	// The intervals hold for all slices that were found together.
	CI     *[2]float64 `json:"ci" required:"true" doc:"interval of delta; null if the clusters are too few" example:"[-0.45, -0.12]"`
	Within *[2]float64 `json:"within" required:"true" doc:"interval of mean in a comparison; null otherwise" example:"[-0.4, -0.1]"`
	Worse  bool        `json:"worse" doc:"whether the metric is worse on the slice than on the other cases"`
	P      float64     `json:"p" doc:"p-value of the slice alone" example:"0.0001"`
	QValue float64     `json:"q_value" doc:"p-value corrected for all slices (Benjamini and Hochberg)" example:"0.004"`
}

func (s *Server) slices() {
	registerOne(s, "get-slices", ofRun(s, func(ctx context.Context, h assay.Header, in *slicesInput) (v slicesView, err error) {
		if in.Baseline != "" {
			return s.changedSlices(ctx, in)
		}
		m, err := chosenMetric(h.Metrics, in.Metric, h.Config["primary"])
		if err != nil {
			return v, err
		}
		f, err := pageBackend{s}.Slices(ctx, h, m)
		return slicesOf(m, f), err
	}))
}

// changedSlices looks through the slices on which the change of a metric from the baseline departs.
func (s *Server) changedSlices(ctx context.Context, in *slicesInput) (v slicesView, err error) {
	c, err := s.comparison(ctx, Compared{Runs: in.Baseline + "," + in.ID})
	if err != nil {
		return v, err
	}
	m, err := chosenMetric(c.Metrics(), in.Metric, c.Primary)
	if err != nil {
		return v, err
	}
	f, err := c.Slices(ctx, 1, m)
	return slicesOf(m, f), err
}

// chosenMetric returns the metric that is asked for: by default the primary one, else the
// first. Estimates are not tested. The error is a problem.
func chosenMetric(all []assay.MetricInfo, name, primary string) (assay.MetricInfo, error) {
	tested := summary.Tested(all)
	names := wire.MetricNames(tested)
	at := slices.Index(names, cmp.Or(name, primary))
	if at < 0 && name == "" && len(names) > 0 {
		at = 0
	}
	if at < 0 {
		return assay.MetricInfo{}, wrong("query.metric", "expected a metric that is no estimate: one of "+strings.Join(names, ", "), name)
	}
	return tested[at], nil
}

func slicesOf(m assay.MetricInfo, f explore.Finding) slicesView {
	out := slicesView{Metric: m.Name, Level: f.Level, Cases: f.Cases, Valued: f.Valued, Looked: f.Looked, Items: []sliceView{}}
	for _, d := range f.Departures {
		one := sliceView{Q: d.Query().String(), Kind: string(d.Kind), Also: []string{}, Cases: d.Cases, N: d.N, Mean: d.Mean, Rest: d.Rest,
			Delta: d.Diff, CI: pairOf(d.CI), Within: pairOf(d.Within), Worse: d.Worse, P: d.P, QValue: d.Q}
		for _, also := range d.Also {
			one.Also = append(one.Also, also.Query().String())
		}
		out.Items = append(out.Items, one)
	}
	return out
}

// Slices implements [web.SliceBackend].
func (b pageBackend) Slices(ctx context.Context, h assay.Header, m assay.MetricInfo) (explore.Finding, error) {
	n, err := b.s.store.Counts(ctx, h.ID)
	if err != nil {
		return explore.Finding{}, err
	}
	return b.s.departures(ctx, h, h.ID+" "+m.Name, n.Records, func(all *explore.Slices, cases *columns.Table) explore.Finding {
		return all.Find(m, cases, report.LevelOf(h))
	})
}

// Slices implements [web.Comparison].
func (c *askedComparison) Slices(ctx context.Context, run int, m assay.MetricInfo) (explore.Finding, error) {
	key, err := c.s.comparisonKey(ctx, c.hs, c.in)
	if err == nil && key == "" {
		err = notFinished()
	}
	if err != nil {
		return explore.Finding{}, err
	}
	key += " " + c.hs[run].ID + " " + m.Name
	return c.s.departures(ctx, c.hs[run], key, 0, func(all *explore.Slices, cases *columns.Table) explore.Finding {
		return all.FindChanges(m, c.Reports[0].Cases, cases, c.Level)
	})
}

// departures looks through the slices of a run that has finished with a number of records. What it finds is kept under
// the key.
func (s *Server) departures(
	ctx context.Context, h assay.Header, key string, records int, look func(*explore.Slices, *columns.Table) explore.Finding,
) (explore.Finding, error) {
	if h.State != stateFinished {
		return explore.Finding{}, notFinished()
	}
	index, err := s.index(ctx, h)
	if err != nil {
		return explore.Finding{}, err
	}
	return s.findings.of(ctx, assay.Header{ID: key, State: h.State}, records, func() (explore.Finding, error) {
		all, err := index.Slices(ctx, s.store)
		if err != nil {
			return explore.Finding{}, err
		}
		return look(all, index.Table()), nil
	})
}

func notFinished() error {
	return conflict("slices are looked through when a run is finished, and this one is not")
}

// pairOf returns an interval as clients see it.
func pairOf(i *stats.Interval) *[2]float64 {
	if i == nil {
		return nil
	}
	return &[2]float64{i.Lo, i.Hi}
}
