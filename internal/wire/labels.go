package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// A LabelScale says how labels are read as values of a metric.
type LabelScale struct {
	// Metric is the metric that people labelled.
	Metric assay.MetricInfo
	// Ends are the lowest and the highest level of the labels, which become the ends of the metric's range; nil if they
	// are on that range already.
	Ends *[2]int
	// Option is what sets the scale, as messages call it.
	Option string
}

// HumanLabels returns the labels in rows of files, by what they call the run. Cases that were not drawn at random do
// not count; notRandom is their number. The label of the first annotator counts. The error has a line for each row that
// cannot be used, up to 20.
func HumanLabels(rows []judge.Label, s LabelScale) (by map[string]summary.RunLabels, notRandom int, err error) {
	by = map[string]summary.RunLabels{}
	var problems []string
	for _, row := range rows {
		problem := func(format string, args ...any) {
			problems = append(problems, row.Origin.String()+": "+fmt.Sprintf(format, args...))
		}
		if row.Run == "" {
			problem("no run: expected a column run with the id or the name of the run whose answer was labelled")
			continue
		}
		of, ok := by[row.Run]
		if !ok {
			of = summary.RunLabels{Values: map[string]float64{}, Strata: map[string]int{}}
			by[row.Run] = of
		}
		switch {
		case row.How == judge.Unsure || row.How == judge.Chosen:
			notRandom++
			continue
		case row.Labels[0] == nil:
			continue
		}
		v, why := s.Onto(*row.Labels[0])
		if why != "" {
			problem("label %v: %s", *row.Labels[0], why)
			continue
		}
		if _, ok := of.Values[row.Case]; ok {
			problem("case %q of run %q is there twice: expected one row for each answer", row.Case, row.Run)
			continue
		}
		of.Values[row.Case] = v
		if row.How == judge.Stratified {
			of.Strata[row.Case] = row.Stratum - 1
		}
	}
	if problems != nil {
		const shown = 20
		if n := len(problems) - shown; n > 0 {
			problems = append(problems[:shown], fmt.Sprintf("%d more problems", n))
		}
		return nil, notRandom, errors.New(strings.Join(problems, "\n"))
	}
	return by, notRandom, nil
}

// OwnNames returns the names, of those that are given, that one run of a store alone has.
func OwnNames(ctx context.Context, s *store.Store, names ...string) (map[string]bool, error) {
	own := map[string]bool{}
	for _, n := range names {
		if n == "" {
			continue
		}
		_, runs, err := s.RunPage(ctx, store.RunQuery{Name: n, Limit: 1})
		if err != nil {
			return nil, err
		}
		own[n] = runs <= 1
	}
	return own, nil
}

// ReadLabels reads the rows of files of labels, whose columns may have other names.
func ReadLabels(files []string, columns map[string]string, open func(string) (io.ReadCloser, error)) (rows []judge.Label, err error) {
	for _, name := range files {
		f, err := open(name)
		if err != nil {
			return nil, err
		}
		more, err := judge.ReadLabels(f, name, columns)
		_ = f.Close()
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// ParseScale parses the lowest and the highest level of labels; nil for "".
func ParseScale(s string) (*[2]int, error) {
	if s == "" {
		return nil, nil
	}
	lo, hi, _ := strings.Cut(s, "-")
	a, errA := strconv.Atoi(strings.TrimSpace(lo))
	b, errB := strconv.Atoi(strings.TrimSpace(hi))
	if errA != nil || errB != nil || a >= b {
		return nil, fmt.Errorf("scale %q: expected the lowest and the highest level, as in 1-4", s)
	}
	return &[2]int{a, b}, nil
}

// gateLabels reads the labels of the gate; nil without any.
func gateLabels(r *config.Resolved, path func(string) string) (*gate.Labels, error) {
	g := r.Gate
	if g.Labels == nil {
		if g.Corrected {
			return nil, config.About("gate.corrected", errors.New("no labels to correct the judge by; set gate.labels, a table of case, run "+
				"and label"))
		}
		return nil, nil
	}
	if g.LabelMetric == "" {
		return nil, config.About("gate.labels", errors.New("labels of which metric? Set gate.label_metric"))
	}
	m, err := catalog.All().Parse(g.LabelMetric)
	if err != nil {
		return nil, config.About("gate.label_metric", err)
	}
	ends, err := ParseScale(g.LabelScale)
	if err != nil {
		return nil, config.About("gate.label_scale", err)
	}
	rows, err := ReadLabels(g.Labels, nil, func(name string) (io.ReadCloser, error) {
		f, err := os.Open(path(name))
		if err != nil {
			err = fmt.Errorf("labels %w", err)
		}
		return f, err
	})
	if err != nil {
		return nil, config.About("gate.labels", err)
	}
	by, _, err := HumanLabels(rows, LabelScale{m.Info(), ends, "gate.label_scale"})
	if err != nil {
		return nil, config.About("gate.labels", err)
	}
	return &gate.Labels{Metric: m.Name, Runs: by}, nil
}

// Onto brings a label onto the metric's range; why says why it cannot be.
func (s LabelScale) Onto(v float64) (on float64, why string) {
	lo, hi := s.Metric.Range[0], s.Metric.Range[1]
	bounded := lo < hi
	if s.Ends != nil {
		a, b := float64(s.Ends[0]), float64(s.Ends[1])
		if v < a || v > b {
			return 0, fmt.Sprintf("expected a level of the scale, %d to %d", s.Ends[0], s.Ends[1])
		}
		if bounded {
			return lo + (v-a)/(b-a)*(hi-lo), ""
		}
		return v, ""
	}
	if bounded && (v < lo || v > hi) {
		return 0, fmt.Sprintf("expected a value of %s, %g to %g, or the scale of the labels, as in %s 1-4", s.Metric.Name, lo, hi, s.Option)
	}
	return v, ""
}

// LabelledMetric returns the metric that labels are about: the one that is named, or else the primary one, or else the
// only one that a judge scores. what is the option that names it.
func LabelledMetric(metrics []assay.MetricInfo, named, primary, what string) (assay.MetricInfo, error) {
	var judged []assay.MetricInfo
	var all []string
	for _, m := range metrics {
		all = append(all, m.Name)
		if m.Name == named || named == "" && m.Name == primary {
			return m, nil
		}
		if m.Judged || m.Estimate {
			judged = append(judged, m)
		}
	}
	switch {
	case named != "":
		return assay.MetricInfo{}, fmt.Errorf("%s %q: not a metric of all runs: expected one of %s", what, named, strings.Join(all, ", "))
	case len(judged) == 1:
		return judged[0], nil
	}
	return assay.MetricInfo{}, fmt.Errorf("labels of which metric? Set %s to one of %s", what, strings.Join(all, ", "))
}
