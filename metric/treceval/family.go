package treceval

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/metric"
)

// A family is a trec_eval measure with parameters. It yields one measure or
// several, depending on its arguments.
type family struct {
	name string
	kind kind
	// arguments is the kind of parameters that the family accepts.
	arguments arguments
	// defaults holds the parameters that are used if none are given.
	defaults []float64
	// open is set if a list may have any length.
	open bool
	// unbounded is set if a mean may be outside 0…1.
	unbounded bool
	// build returns the formula for one set of parameters.
	build func(a args) formula
	// text is set instead of build for families of kind text.
	text func(r *ranking, length int) string
	// metric is the metric with the same formula, if there is one. Otherwise doc
	// describes the family.
	metric *metric.Def
	doc    string
}

// arguments says what may follow the dot after a family's name.
type arguments uint8

const (
	noArguments arguments = iota
	// cutoffs are ranks. Each yields its own measure: P_5.
	cutoffs
	// points are numbers. Each yields its own measure: iprec_at_recall_0.10.
	points
	// list is a list of numbers that yields one measure: utility_2,-1,0,0.
	list
	// pairs is a list of assignments that yields one measure: ndcg_1=3,2=9.
	pairs
)

// usage returns the syntax of the parameters, to append to a family's name.
func (a arguments) usage() string {
	return [...]string{cutoffs: "[.k,…]", points: "[.x,…]", list: "[.x,…]", pairs: "[.grade=gain,…]", noArguments: ""}[a]
}

// args holds the parameters of one measure.
type args struct {
	k     int
	x     float64
	list  []float64
	named map[string]float64
}

// gain returns the gain that is assigned to a grade, or the grade itself if
// none is assigned.
func (a args) gain(grade int) float64 {
	if g, ok := a.named[strconv.Itoa(grade)]; ok {
		return g
	}
	return float64(grade)
}

func familyNamed(name string) (family, bool) {
	i := slices.IndexFunc(families, func(f family) bool { return f.name == name })
	if i < 0 {
		return family{}, false
	}
	return families[i], true
}

// measures returns the measures of the family for the given parameters, or for
// the defaults if given is empty.
func (f family) measures(given string, level int) ([]Measure, error) {
	if given != "" && f.arguments == noArguments {
		return nil, fmt.Errorf("measure %q: %q takes no parameters", f.name+"."+given, f.name)
	}
	if f.arguments == pairs {
		named, err := f.pairs(given)
		return []Measure{f.measure(f.suffix(given), args{named: named}, level)}, err
	}
	numbers := f.defaults
	if given != "" {
		numbers = nil
		for part := range strings.SplitSeq(given, ",") {
			v, err := strconv.ParseFloat(part, 64)
			if err != nil || math.Abs(v) > math.MaxInt32 || v != v {
				return nil, fmt.Errorf("measure %q: parameter %q: expected a number", f.name+"."+given, part)
			}
			numbers = append(numbers, v)
		}
	}
	switch f.arguments {
	case cutoffs, points:
		return f.perNumber(given, numbers, level)
	case list:
		if !f.open && len(numbers) != len(f.defaults) {
			return nil, fmt.Errorf("measure %q: expected %s", f.name+"."+given, plural(len(f.defaults), "number", "numbers"))
		}
		return []Measure{f.measure(f.suffix(given), args{list: numbers}, level)}, nil
	}
	return []Measure{f.measure(f.name, args{}, level)}, nil
}

// perNumber returns one measure for each number, in ascending order.
func (f family) perNumber(given string, numbers []float64, level int) ([]Measure, error) {
	var out []Measure
	sorted := slices.Sorted(slices.Values(numbers))
	for i, v := range sorted {
		a, name := args{x: v}, fmt.Sprintf("%s_%3.2f", f.name, v)
		if f.arguments == cutoffs {
			// Like trec_eval, drop a fraction: "ndcg_cut.23.4" is "ndcg_cut.23".
			a.k = int(v)
			name = fmt.Sprintf("%s_%d", f.name, a.k)
			if a.k < 1 {
				return nil, fmt.Errorf("measure %q: cutoff %v: expected a rank from 1", f.name+"."+given, v)
			}
		}
		if i > 0 && out[i-1].Name == name {
			return nil, fmt.Errorf("measure %q: %v is given twice", f.name+"."+given, v)
		}
		out = append(out, f.measure(name, a, level))
	}
	return out, nil
}

func (f family) suffix(given string) string {
	if given == "" {
		return f.name
	}
	return f.name + "_" + given
}

func (f family) pairs(given string) (map[string]float64, error) {
	if given == "" {
		return nil, nil
	}
	out := map[string]float64{}
	for part := range strings.SplitSeq(given, ",") {
		name, value, ok := strings.Cut(part, "=")
		v, err := strconv.ParseFloat(value, 64)
		if !ok || err != nil || math.IsInf(v, 0) || v != v {
			return nil, fmt.Errorf("measure %q: parameter %q: expected assignments of numbers, as in %q", f.name+"."+given, part, f.name+".1=3,2=9")
		}
		out[name] = v
	}
	return out, nil
}

func (f family) measure(name string, a args, level int) Measure {
	m := Measure{Name: name, kind: f.kind, trecEval: true}
	if f.kind == text {
		m.text = func(r *ranking) string { return f.text(r, int(a.list[0])) }
		return m
	}
	if f.build == nil {
		return m
	}
	value := f.build(a)
	m.value = func(r *ranking) (float64, bool) { return value(r, level), true }
	m.absent = m.value
	// Gains that the user sets may be negative or above 1.
	if f.kind == mean && !f.unbounded && a.named == nil {
		m.unit = &[2]float64{0, 1}
		if f.metric != nil {
			m.lower, m.level = f.metric.Better == metric.Lower, level
		}
	}
	return m
}
