// Package measure scores TREC runs: rankings in files, against judgments in
// files. It computes trec_eval's measures as trec_eval does and this module's
// metrics of documents, from the same formulas.
//
// A name that trec_eval knows keeps trec_eval's meaning: a query without a
// relevant document scores 0. A metric of this module, such as "ndcg@10", does
// not apply to such a query. A query that a run lacks counts as 0 in both.
package measure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// A Measure is one number, or text, for each query of a run.
type Measure struct {
	// Name is what outputs call it: "ndcg_cut_10" of trec_eval, "ndcg@10" here.
	Name string
	kind kind
	// value computes the number for one query; ok is false when the measure
	// does not apply to it.
	value func(r *retrieval.Ranking) (v float64, ok bool)
	// text computes the text of a measure of kind text.
	text func(r *retrieval.Ranking) string
	// absent gives the value for a query that the run lacks.
	absent func(r *retrieval.Ranking) (v float64, ok bool)
	// unit holds the smallest and the largest value when the measure has them.
	unit *[2]float64
}

// kind says how a measure is aggregated and printed.
type kind uint8

const (
	// mean is averaged over queries.
	mean kind = iota
	// geometric is averaged by its logarithm, and not told for each query.
	geometric
	// total is a count, summed over queries.
	total
	// text is told for each query only.
	text
	// tag and queries are told for the whole run only.
	tag
	queries
)

// perQuery reports whether the measure is told for each query.
func (k kind) perQuery() bool { return k == mean || k == total || k == text }

// geometricFloor keeps one query of 0 from making a geometric mean 0. It is
// that of trec_eval, which prints four digits.
const geometricFloor = 1e-5

// Parse reads the names of measures: trec_eval's, with parameters after a dot
// ("P.5,10", "ndcg_cut", "all_trec", "official", "set"), and those of this
// module's metrics of documents ("ndcg@10"). Measures of trec_eval come in its
// order, as it prints them; then the metrics, as given. Level is the lowest
// grade that counts as relevant, at least 1.
func Parse(names []string, level int) ([]Measure, error) {
	catalog := metric.NewCatalog(documentMetrics()...)
	chosen := map[string]string{}
	var metrics []Measure
	var bad []string
	for _, name := range names {
		name = strings.TrimSpace(name)
		base, args, _ := strings.Cut(name, ".")
		switch _, isFamily := familyNamed(base); {
		case nicknames[name] != nil:
			for _, n := range nicknames[name] {
				chosen[n] += ""
			}
		case isFamily:
			// The first parameters given hold, as in trec_eval.
			if chosen[base] == "" {
				chosen[base] = args
			}
		default:
			m, err := parseMetric(catalog, name, level)
			if err != nil {
				bad = append(bad, err.Error())
			} else if !slices.ContainsFunc(metrics, func(o Measure) bool { return o.Name == m.Name }) {
				metrics = append(metrics, m)
			}
		}
	}
	var out []Measure
	for _, f := range families {
		args, ok := chosen[f.name]
		if !ok {
			continue
		}
		ms, err := f.measures(args, level)
		if err != nil {
			bad = append(bad, err.Error())
		}
		out = append(out, ms...)
	}
	if bad != nil {
		return nil, fmt.Errorf("%s", strings.Join(bad, "\n"))
	}
	return append(out, metrics...), nil
}

// documentMetrics lists the metrics that need no more than a ranking.
func documentMetrics() []*metric.Def {
	return slices.DeleteFunc(retrieval.Defs(), func(d *metric.Def) bool { return d.Group != metric.Retrieval })
}

// parseMetric makes a measure of a metric of this module.
func parseMetric(catalog *metric.Catalog, name string, level int) (Measure, error) {
	m, err := catalog.Parse(name)
	if err != nil {
		return Measure{}, fmt.Errorf("%w; trec_eval's names are known too", err)
	}
	if level != 1 && !strings.Contains(name, "level=") && slices.ContainsFunc(m.Def.Params, func(p metric.Param) bool { return p.Name == "level" }) {
		with := fmt.Sprintf("(level=%d)", level)
		if head, ok := strings.CutSuffix(m.Name, ")"); ok {
			m, err = catalog.Parse(fmt.Sprintf("%s,level=%d)", head, level))
		} else {
			m, err = catalog.Parse(m.Name + with)
		}
		if err != nil {
			return Measure{}, err
		}
	}
	label := m.Name
	if _, taken := familyNamed(label); taken {
		// "rbp(p=0.8)" is our default and not trec_eval's "rbp".
		label = strings.ToLower(name)
	}
	f, _ := retrieval.FormulaOf(m)
	value := func(r *retrieval.Ranking) (float64, bool) {
		s := f(r)
		// What a metric must not do shows as a state other than scored.
		return s.Value, s.State == assay.Scored
	}
	unit := m.Def.Range
	return Measure{Name: label, value: value, absent: absentMetric(value, m.Def.Better), unit: &unit}, nil
}

// absentMetric gives 0 for a query that the run lacks, where the metric
// applies at all, which the judgments alone decide: a ranking of one unjudged
// document tells. A metric of which less is better has no value there.
func absentMetric(value func(*retrieval.Ranking) (float64, bool), better metric.Direction) func(*retrieval.Ranking) (float64, bool) {
	return func(r *retrieval.Ranking) (float64, bool) {
		with := retrieval.Ranking{Grades: []int{retrieval.Unjudged}, Judged: r.Judged, MaxGrade: r.MaxGrade}
		_, ok := value(&with)
		return 0, ok && better == metric.Higher
	}
}

// logOf is the value of a geometric mean for one query.
func logOf(v float64) float64 { return math.Log(max(v, geometricFloor)) }
