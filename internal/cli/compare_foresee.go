package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// deliverable checks, before any case is run, that the output folder is writable and
// that all sides have the primary metric.
func (p *comparison) deliverable(all []*side) error {
	base, err := baseName(p.base())
	if err != nil {
		return err
	}
	if err := writable(filepath.Dir(p.env.Path(base))); err != nil {
		return fmt.Errorf("output %q: %w", p.base(), err)
	}
	primary, err := p.primary()
	if primary == "" {
		return err
	}
	for _, s := range all {
		var metrics []assay.MetricInfo
		if s.job != nil {
			metrics = s.job.Header().Metrics
		} else {
			metrics = s.rep.Header.Metrics
		}
		var have []string
		for _, m := range metrics {
			have = append(have, m.Name)
		}
		if !slices.Contains(have, primary) {
			return fmt.Errorf("primary: %q does not have the metric %q: want one of %q", s.ref, primary, have)
		}
	}
	return nil
}

// foresee checks that the configs have cases in common. Before any money is spent, it
// prints the estimated cost of judging and the difference that the cases can detect.
func (p *comparison) foresee(ctx context.Context, all []*side) error {
	var runs []summary.Run
	for _, s := range all {
		run := summary.Run{Name: s.ref}
		if s.job == nil {
			run.Cases = s.rep.Cases
		} else {
			cases := columns.NewBuilder()
			for _, c := range s.job.Cases().All() {
				cases.Add(&assay.Record{Case: c})
			}
			run.Cases = cases.Table()
		}
		runs = append(runs, run)
	}
	if err := summary.Unpaired(runs); err != nil {
		return err
	}
	if p.f.quiet {
		return nil
	}
	var total assay.Spending
	for _, s := range all {
		if s.job == nil {
			continue
		}
		expected, err := s.job.Expect(ctx)
		if err != nil {
			return err
		}
		if expected != nil {
			total.Add(*expected)
		}
	}
	if total.Calls > 0 {
		p.env.Warn("expected judging cost of all configs: %s, minus calls already in the ledger and calls that configs share",
			spendingLine(total))
	}
	if err := p.foreseePairs(ctx, all); err != nil {
		return err
	}
	return p.expect(ctx, all)
}

// expect prints the smallest difference that the cases can be expected to detect, if
// earlier runs on the same dataset show it.
func (p *comparison) expect(ctx context.Context, all []*side) error {
	i := slices.IndexFunc(all, func(s *side) bool { return s.job != nil })
	h := all[i].job.Header()
	m, ok := p.ranked(h)
	if !ok {
		return nil
	}
	cases := all[i].job.Applies(m.Name)
	if cases == 0 {
		return nil
	}
	if least := summary.LeastCases(p.common.Level); cases < least {
		p.env.Warn("%s: too few to detect any difference in %s at %.4g %%; want %d or more", counted(cases, "case"), text.Visible(m.Title),
			100*p.common.Level, least)
		return nil
	}
	mde, from, err := p.detected(ctx, h, m, cases)
	if err != nil || mde == 0 {
		return err
	}
	detectable := words.English.Detectable(m, mde, cases)
	p.env.Warn("%s (at %.4g %%, 4 times in 5; %s)", text.Visible(detectable), 100*p.common.Level, text.Visible(from))
	return nil
}

// ranked returns the metric by which the runs will be ranked.
func (p *comparison) ranked(h assay.Header) (assay.MetricInfo, bool) {
	primary, err := p.primary()
	if err != nil {
		return assay.MetricInfo{}, false
	}
	name := cmp.Or(primary, assay.CompositeName)
	if i := slices.IndexFunc(h.Metrics, func(m assay.MetricInfo) bool { return m.Name == name }); i >= 0 {
		return h.Metrics[i], true
	}
	if primary != "" || len(h.Metrics) == 0 {
		return assay.MetricInfo{}, false
	}
	return h.Metrics[0], true
}

// lookBack is the maximum number of earlier runs that detected examines.
const lookBack = 3

// detected returns the smallest difference that the comparison of two earlier runs on the
// same cases can detect, and which runs; 0 if there are none.
func (p *comparison) detected(ctx context.Context, h assay.Header, m assay.MetricInfo, cases int) (mde float64, from string, err error) {
	if missingStore(p.env, p.common.Store) != nil {
		return 0, "", nil
	}
	st, err := openRunStore(ctx, p.env, p.common)
	if err != nil {
		return 0, "", err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	runs, err := st.Runs(ctx, 50)
	if err != nil {
		return 0, "", err
	}
	var last *report.Report
	seen := 0
	for _, r := range runs {
		fits := slices.ContainsFunc(r.Metrics, func(o assay.MetricInfo) bool { return o.Name == m.Name && o.Version == m.Version })
		if r.Dataset.Hash != h.Dataset.Hash || r.State != "finished" || !fits || seen == lookBack {
			continue
		}
		seen++
		rep, err := wire.Kept(ctx, st, r)
		if err != nil {
			return 0, "", err
		}
		if last == nil {
			last = rep
			continue
		}
		c, err := report.CompareAs([]*report.Report{rep, last}, summary.Plan{Test: p.test, Level: p.common.Level, Seed: p.common.Seed, Primary: m.Name})
		if err != nil {
			continue // these two cannot be compared
		}
		for _, row := range c.Rows {
			if mde, ok := summary.Detects(m, row.Differences[0]); ok && row.Name == m.Name && row.Differences[0].N == cases && !math.IsInf(mde, 0) {
				return mde, fmt.Sprintf("as %s and %s differ", rep.Name(), last.Name()), nil
			}
		}
	}
	return 0, "", nil
}
