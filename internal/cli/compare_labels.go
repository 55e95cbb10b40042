package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// labelFlags are the flags of assay compare about labels of people.
type labelFlags struct {
	files   []string
	columns []string
	metric  string
	scale   string
}

func (f *labelFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.files, "labels", nil,
		`table of labels of people, by which the judge is corrected: case, run, label ("-" for standard input; repeatable)`)
	fl.StringVar(&f.metric, "label-metric", "", "metric that was labelled (default: the primary one, or the only one that a judge scores)")
	fl.StringVar(&f.scale, "label-scale", "", "lowest and highest level of graded labels, as in 1-4 (default: the range of the metric)")
	fl.StringArrayVar(&f.columns, "column", nil, "column of the labels for a field, as in label=verdict (repeatable)")
}

// fits returns an error if a flag about labels cannot have an effect.
func (f *labelFlags) fits(flags *pflag.FlagSet) error {
	if f.files != nil {
		return nil
	}
	for _, name := range []string{"label-metric", "label-scale", "column"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s: no effect without labels; use --labels FILE", name)
		}
	}
	return nil
}

// labelColumns parses the flags --column.
func labelColumns(flags []string) (map[string]string, error) {
	known := judge.LabelColumns()
	out := map[string]string{}
	for _, c := range flags {
		name, column, ok := strings.Cut(c, "=")
		n, err := strconv.Atoi(strings.TrimPrefix(name, "label"))
		further := strings.HasPrefix(name, "label") && err == nil && n > 1
		required := name == "case" || name == "label" || further
		if !ok || column == "" && required || !further && !slices.Contains(known, name) {
			return nil, fmt.Errorf("column %q: expected one of %s or label2, label3 …, \"=\", and a column of the file", c, strings.Join(known, ", "))
		}
		out[name] = column
	}
	return out, nil
}

// labels reads the labels of the compared runs. It returns nil without any.
func (p *comparison) labels(ctx context.Context, reports []*report.Report, all []*side) ([]summary.Labels, error) {
	f := p.f.label
	if f.files == nil {
		return nil, nil
	}
	scale := wire.LabelScale{Option: "--label-scale"}
	var err error
	if scale.Ends, err = wire.ParseScale(f.scale); err != nil {
		return nil, fmt.Errorf("--label-scale: %w", err)
	}
	if scale.Metric, err = p.labelled(reports); err != nil {
		return nil, err
	}
	columns, err := labelColumns(f.columns)
	if err != nil {
		return nil, err
	}
	rows, err := wire.ReadLabels(f.files, columns, p.env.Open)
	if err != nil {
		return nil, err
	}
	by, notRandom, err := wire.HumanLabels(rows, scale)
	if err != nil {
		return nil, err
	}
	var headers []*assay.Header
	for _, r := range reports {
		headers = append(headers, &r.Header)
	}
	if err := ambiguous(ctx, p.env, p.common.Store, rows, headers...); err != nil {
		return nil, err
	}
	out := summary.Labels{Metric: scale.Metric.Name}
	known := map[string]bool{}
	for i, r := range reports {
		names := []string{r.Header.ID, r.Header.Name, all[i].ref, r.Name()}
		for _, n := range names {
			known[n] = true
		}
		slices.Sort(names)
		own, twice := summary.LabelsOf(by, slices.Compact(names)...)
		if twice != "" {
			return nil, fmt.Errorf("the answer of case %q in run %s is labelled twice, under two names of the run: expected one row for each answer",
				twice, r.Name())
		}
		out.Runs = append(out.Runs, own)
	}
	if i := slices.IndexFunc(rows, func(l judge.Label) bool { return known[l.Run] }); i < 0 && len(rows) > 0 {
		return nil, fmt.Errorf("%s: no row is of one of the compared runs; the first is of %q: expected %q or %q in the column run", rows[0].Origin,
			rows[0].Run, reports[0].Name(), reports[1].Name())
	}
	if notRandom > 0 {
		p.env.Warn("labels of cases that were not drawn at random, which do not count: %d", notRandom)
	}
	p.warnUnknownCases(out, reports)
	return []summary.Labels{out}, nil
}

// ambiguous returns an error if a label calls one of the runs by a name that several runs have.
func ambiguous(ctx context.Context, env *Env, path string, rows []judge.Label, runs ...*assay.Header) error {
	named := map[string]int{}
	for _, h := range runs {
		named[h.Name]++
	}
	used := map[string]judge.Label{}
	for _, l := range rows {
		if _, ok := used[l.Run]; !ok && l.Run != "" && named[l.Run] > 0 {
			used[l.Run] = l
		}
	}
	own, err := ownNames(ctx, env, path, slices.Sorted(maps.Keys(used))...)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if named[name] > 1 || !own[name] {
			return fmt.Errorf("%s: run %q: several runs have this name: expected the id of the one whose answer was labelled", used[name].Origin, name)
		}
	}
	return nil
}

// labelled returns the metric that was labelled.
func (p *comparison) labelled(reports []*report.Report) (assay.MetricInfo, error) {
	named := p.f.label.metric
	if named != "" {
		name, err := metricName(named)
		if err != nil {
			return assay.MetricInfo{}, fmt.Errorf("--label-metric: %w", err)
		}
		named = name
	}
	primary, err := p.primary()
	if err != nil {
		return assay.MetricInfo{}, err
	}
	return wire.LabelledMetric(reports[0].Header.Metrics, named, primary, "--label-metric")
}

// warnUnknownCases warns of labels of cases that their run does not have.
func (p *comparison) warnUnknownCases(l summary.Labels, reports []*report.Report) {
	for i, r := range reports {
		has := map[string]bool{}
		for row := range r.Cases.Len() {
			has[r.Cases.ID(row)] = true
		}
		var absent []string
		for id := range l.Runs[i].Values {
			if !has[id] {
				absent = append(absent, id)
			}
		}
		slices.Sort(absent)
		if n := len(absent); n > 0 {
			p.env.Warn("labelled cases that run %s does not have: %d, such as %q", r.Name(), n, absent[0])
		}
	}
}
