package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// deliverable checks, before any case is run, that the files can be written and that all sides have the primary metric.
func (p *comparison) deliverable(all []*side) error {
	if err := checkReports(p.env, p.common, p.base()); err != nil {
		return err
	}
	primary, err := p.primary()
	if primary == "" {
		return err
	}
	for _, s := range all {
		var h assay.Header
		if s.job != nil {
			h = s.job.Header()
		} else {
			h = s.rep.Header
		}
		if have := wire.MetricNames(h.Metrics); !slices.Contains(have, primary) {
			return fmt.Errorf("primary: %q does not have the metric %q: expected one of %q", s.ref, primary, have)
		}
	}
	return nil
}

// foresee checks that the configs have cases in common. Before any money is spent, it
// prints the estimated cost of judging.
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
	p.expect(all)
	return nil
}

// expect warns if the cases are too few to detect any difference.
func (p *comparison) expect(all []*side) {
	i := slices.IndexFunc(all, func(s *side) bool { return s.job != nil })
	m, ok := p.ranked(all[i].job.Header())
	if !ok {
		return
	}
	if cases, least := all[i].job.Applies(m.Name), stats.LeastClusters(1-p.common.Level); 0 < cases && cases < least {
		p.env.Warn("%s: too few to detect any difference in %s at %.4g %%: %d or more are needed", counted(cases, "case"), text.Visible(m.Title),
			100*p.common.Level, least)
	}
}

// ranked returns the metric by which the runs will be ranked.
func (p *comparison) ranked(h assay.Header) (assay.MetricInfo, bool) {
	primary, err := p.primary()
	if err != nil {
		return assay.MetricInfo{}, false
	}
	m, ok := wire.MetricOf(h, cmp.Or(primary, assay.CompositeName))
	if ok || primary != "" || len(h.Metrics) == 0 {
		return m, ok
	}
	return h.Metrics[0], true
}
