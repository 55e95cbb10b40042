package treceval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// Parse parses names of measures. A name of one of this module's document
// metrics ("map", "ndcg@10") selects that metric. A name that only trec_eval has
// selects trec_eval's measure. Such a name may have parameters after a dot
// ("P.5,10", "map_cut"), be spelt as trec_eval prints it ("P_5"), or select
// several measures ("all_trec", "official", "set"). The metrics come first, in
// the given order, then the measures of trec_eval in trec_eval's order. A name
// that matches both is an error. Level is the lowest grade that counts as
// relevant, at least 1.
func Parse(names []string, level int) ([]Measure, error) {
	s := newSelection(level)
	for _, name := range apart(names, level) {
		name = strings.TrimSpace(name)
		if m, err := s.metric(name); err == nil {
			s.add(m)
		} else if s.knows(name) || !s.trecEval(name) {
			s.fail(err)
		}
	}
	isFamily := s.measures()
	for _, m := range s.metrics {
		if slices.ContainsFunc(isFamily, func(o Measure) bool { return o.Name == m.Name }) {
			s.fail(fmt.Errorf("measure %q is asked of assay and of trec_eval: expected one of them", m.Name))
		}
	}
	return s.chosen(s.metrics, isFamily)
}

// apart divides lists such as "ndcg@10,map" into their names. The commas of one name, as in
// "P.5,10", separate parameters: a list is one if it begins with a measure and its other parts with a letter.
func apart(names []string, level int) []string {
	var out []string
	for _, name := range names {
		parts := strings.Split(name, ",")
		parameter := func(p string) bool {
			p = strings.TrimSpace(p)
			return p == "" || !unicode.IsLetter(rune(p[0])) || strings.ContainsAny(p, "=)") && !isMeasure(p, level)
		}
		if len(parts) > 1 && isMeasure(strings.TrimSpace(parts[0]), level) && !slices.ContainsFunc(parts[1:], parameter) {
			out = append(out, parts...)
		} else {
			out = append(out, name)
		}
	}
	return out
}

// isMeasure reports whether a name is that of a measure.
func isMeasure(name string, level int) bool {
	s := newSelection(level)
	_, err := s.metric(name)
	return err == nil || s.trecEval(name) && s.bad == nil
}

// ParseTREC parses names of measures as trec_eval does, in the spellings that
// [Parse] lists. A name that trec_eval does not have selects a metric of this
// module. The measures of trec_eval come first, in the order in which trec_eval
// prints them, then the metrics in the given order.
func ParseTREC(names []string, level int) ([]Measure, error) {
	s := newSelection(level)
	for _, name := range apart(names, level) {
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
			// "rbp(p=0.8)" is this module's default "rbp", which differs from trec_eval's "rbp".
			m.Name = strings.ToLower(name)
		}
		s.add(m)
	}
	return s.chosen(s.measures(), s.metrics)
}

// A selection collects the measures selected by the names parsed so far.
type selection struct {
	level   int
	catalog *metric.Catalog
	metrics []Measure
	// families maps the selected families of trec_eval to their parameters.
	families map[string]string
	bad      []string
}

func newSelection(level int) *selection {
	return &selection{level: level, catalog: metric.NewCatalog(documentMetrics()...), families: map[string]string{}}
}

// documentMetrics lists the metrics that need only a ranking.
func documentMetrics() []*metric.Def {
	return slices.DeleteFunc(retrieval.Defs(), func(d *metric.Def) bool { return d.Group != metric.Retrieval })
}

// add selects a measure. It ignores a second measure with the same name.
func (s *selection) add(m Measure) {
	if !slices.ContainsFunc(s.metrics, func(o Measure) bool { return o.Name == m.Name }) {
		s.metrics = append(s.metrics, m)
	}
}

func (s *selection) fail(err error) { s.bad = append(s.bad, err.Error()) }

// chosen concatenates the selected measures, or returns all errors.
func (s *selection) chosen(first, then []Measure) ([]Measure, error) {
	if s.bad != nil {
		return nil, fmt.Errorf("%s", strings.Join(s.bad, "\n"))
	}
	return append(first, then...), nil
}

// knows reports whether a name is that of a metric, even if its cutoff or its
// parameters are invalid.
func (s *selection) knows(name string) bool {
	base, rest := name, ""
	if i := strings.IndexAny(name, ".@("); i >= 0 {
		base, rest = name[:i], name[i:]
	}
	if _, err := s.catalog.Find(base); err != nil {
		return false
	}
	// Only trec_eval separates parameters with a dot.
	f, isFamily := familyNamed(base)
	return !strings.HasPrefix(rest, ".") || !isFamily || f.arguments == noArguments
}

// trecEval selects the measures that a name has in trec_eval. It reports
// whether trec_eval has the name.
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
	// Like trec_eval, keep the first parameters given.
	if s.families[base] == "" {
		s.families[base] = args
	}
	return true
}

// printed parses a name as trec_eval prints it: "P_5" is "P.5".
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

// measures returns the selected measures of trec_eval.
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

// metric returns a measure that computes a metric of this module.
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
		// An invalid result of a metric has a state other than Scored.
		return score.Value, score.State == assay.Scored
	}
	unit := m.Def.Range
	level, _ := strconv.Atoi(m.Params.Word("level")) // 0 for a metric without
	return Measure{
		Name: m.Name, value: value, absent: absentMetric(value, m.Def.Better), unit: &unit, subtopics: retrieval.OfSubtopics(m.Def),
		lower: m.Def.Better == metric.Lower, level: level,
	}, nil
}
