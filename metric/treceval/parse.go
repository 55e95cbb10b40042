package treceval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// Parse reads the names of measures. One that this module's metrics of
// documents have ("map", "ndcg@10") is such a metric; what only trec_eval knows
// is its measure, with parameters after a dot ("P.5,10", "map_cut"), as its
// outputs spell it ("P_5"), or several at once ("all_trec", "official", "set").
// The metrics come first, as given; then the measures of trec_eval in its order.
// A name that would stand for both is an error. Level is the lowest grade that
// counts as relevant, at least 1.
func Parse(names []string, level int) ([]Measure, error) {
	s := newSelection(level)
	for _, name := range names {
		name = strings.TrimSpace(name)
		if m, err := s.metric(name); err == nil {
			s.add(m)
		} else if s.knows(name) || !s.trecEval(name) {
			s.fail(err)
		}
	}
	theirs := s.measures()
	for _, m := range s.metrics {
		if slices.ContainsFunc(theirs, func(o Measure) bool { return o.Name == m.Name }) {
			s.fail(fmt.Errorf("measure %q is wanted of assay and of trec_eval: want one of them", m.Name))
		}
	}
	return s.chosen(s.metrics, theirs)
}

// ParseTREC reads the names of measures as trec_eval means them, in the
// spellings that [Parse] lists. A name that it does not know is a metric of this
// module. Measures of trec_eval come in its order, as it prints them; then the
// metrics, as given.
func ParseTREC(names []string, level int) ([]Measure, error) {
	s := newSelection(level)
	for _, name := range names {
		name = strings.TrimSpace(name)
		if s.trecEval(name) {
			continue
		}
		m, err := s.metric(name)
		if err != nil {
			s.fail(err)
			continue
		}
		if _, taken := familyNamed(m.Name); taken {
			// "rbp(p=0.8)" is our default and not trec_eval's "rbp".
			m.Name = strings.ToLower(name)
		}
		s.add(m)
	}
	return s.chosen(s.measures(), s.metrics)
}

// A selection is what names have chosen so far.
type selection struct {
	level   int
	catalog *metric.Catalog
	metrics []Measure
	// families holds the parameters of trec_eval's measures that are chosen.
	families map[string]string
	bad      []string
}

func newSelection(level int) *selection {
	return &selection{level: level, catalog: metric.NewCatalog(documentMetrics()...), families: map[string]string{}}
}

// documentMetrics lists the metrics that need no more than a ranking.
func documentMetrics() []*metric.Def {
	return slices.DeleteFunc(retrieval.Defs(), func(d *metric.Def) bool { return d.Group != metric.Retrieval })
}

// add chooses a metric; a second one of the same name changes nothing.
func (s *selection) add(m Measure) {
	if !slices.ContainsFunc(s.metrics, func(o Measure) bool { return o.Name == m.Name }) {
		s.metrics = append(s.metrics, m)
	}
}

func (s *selection) fail(err error) { s.bad = append(s.bad, err.Error()) }

// chosen joins what is chosen, or tells every mistake.
func (s *selection) chosen(first, then []Measure) ([]Measure, error) {
	if s.bad != nil {
		return nil, fmt.Errorf("%s", strings.Join(s.bad, "\n"))
	}
	return append(first, then...), nil
}

// knows reports whether a name is that of a metric, although its cutoff or its
// parameters may be wrong.
func (s *selection) knows(name string) bool {
	base, rest := name, ""
	if i := strings.IndexAny(name, ".@("); i >= 0 {
		base, rest = name[:i], name[i:]
	}
	if _, err := s.catalog.Find(base); err != nil {
		return false
	}
	// A dot is trec_eval's way, for measures that take parameters.
	f, theirs := familyNamed(base)
	return !strings.HasPrefix(rest, ".") || !theirs || f.arguments == noArguments
}

// trecEval chooses what a name means to trec_eval; it reports whether it means
// anything.
func (s *selection) trecEval(name string) bool {
	if list := nicknames[name]; list != nil {
		for _, n := range list {
			s.families[n] += ""
		}
		return true
	}
	base, args, _ := strings.Cut(name, ".")
	if _, ok := familyNamed(base); !ok {
		base, args, ok = printed(name)
		if !ok {
			return false
		}
	}
	// The first parameters given hold, as in trec_eval.
	if s.families[base] == "" {
		s.families[base] = args
	}
	return true
}

// printed reads a name as trec_eval prints it: "P_5" is "P.5".
func printed(name string) (base, args string, ok bool) {
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return "", "", false
	}
	f, ok := familyNamed(name[:i])
	if !ok || f.arguments == noArguments || name[i+1:] == "" {
		return "", "", false
	}
	_, err := f.measures(name[i+1:], 1)
	return name[:i], name[i+1:], err == nil
}

// measures makes the measures of trec_eval that are chosen.
func (s *selection) measures() []Measure {
	var out []Measure
	for _, f := range families {
		args, ok := s.families[f.name]
		if !ok {
			continue
		}
		ms, err := f.measures(args, s.level)
		if err != nil {
			s.fail(err)
		}
		out = append(out, ms...)
	}
	return out
}

// metric makes a measure of a metric of this module.
func (s *selection) metric(name string) (Measure, error) {
	m, err := s.catalog.Parse(name)
	if err != nil {
		if !s.knows(name) {
			err = fmt.Errorf("%w; trec_eval's names are known too", err)
		}
		return Measure{}, err
	}
	takesLevel := slices.ContainsFunc(m.Def.Params, func(p metric.Param) bool { return p.Name == "level" })
	if s.level != 1 && takesLevel && !strings.Contains(strings.ToLower(name), "level=") {
		with := fmt.Sprintf("%s(level=%d)", m.Name, s.level)
		if head, ok := strings.CutSuffix(m.Name, ")"); ok {
			with = fmt.Sprintf("%s,level=%d)", head, s.level)
		}
		if m, err = s.catalog.Parse(with); err != nil {
			return Measure{}, err
		}
	}
	f, _ := retrieval.FormulaOf(m)
	value := func(r *retrieval.Ranking) (float64, bool) {
		score := f(r)
		// What a metric must not do shows as a state other than scored.
		return score.Value, score.State == assay.Scored
	}
	unit := m.Def.Range
	return Measure{
		Name: m.Name, value: value, absent: absentMetric(value, m.Def.Better), unit: &unit, subtopics: retrieval.OfSubtopics(m.Def),
	}, nil
}
