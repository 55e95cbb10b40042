package wire

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/query"
)

// A Beside has what is known of the cases of a run and is not in its records. A nil Beside
// has nothing.
type Beside struct {
	// Labels returns what people say of cases, by their ids; see [query.Beside].
	Labels func(ctx context.Context) (map[string][]string, error)
	// Compared are the metrics of a comparison, nil for one run. Delta is the change of one
	// of them from the baseline, by the id that the draws of a case share.
	Compared []assay.MetricInfo
	Delta    func(base, metric string) (v float64, ok bool)
	// Flaky reports whether draws of a case differ in one of the two runs; nil if neither
	// asked a case more than once.
	Flaky func(base string) bool
}

// vocabulary adds what can be named beside a run.
func (b *Beside) vocabulary(v query.Vocabulary) query.Vocabulary {
	if b != nil {
		v.Labelled, v.Compared, v.Repeated = b.Labels != nil, b.Compared, b.Flaky != nil
	}
	return v
}

// besideSource is a source with what is beside it.
type besideSource struct {
	query.Source
	beside *Beside
	labels map[string][]string
	// base returns the id that the draws of a case share.
	base func(row int) string
}

// source puts what is beside a source into it, if a filter needs it.
func (b *Beside) source(ctx context.Context, s query.Source, f *query.Filter, base func(row int) string) (query.Source, error) {
	if !f.NeedsBeside() {
		return s, nil
	}
	out := &besideSource{Source: s, beside: b, base: base}
	if b.Labels == nil {
		return out, nil
	}
	var err error
	out.labels, err = b.Labels(ctx)
	return out, err
}

// Labels are what people say of a case.
func (s *besideSource) Labels(row int) []string { return s.labels[s.ID(row)] }

// Delta is the change of a metric from the baseline.
func (s *besideSource) Delta(row int, metric string) (v float64, ok bool) {
	return s.beside.Delta(s.base(row), metric)
}

// Flaky reports whether draws of the case differ.
func (s *besideSource) Flaky(row int) bool { return s.beside.Flaky(s.base(row)) }
