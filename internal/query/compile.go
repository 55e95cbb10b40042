package query

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
)

// A Filter is a query that is ready to be asked of the cases of one run.
type Filter struct {
	test   test
	places []Place
	beside bool
}

// NeedsBeside reports whether the query asks for what only a [Beside] has.
func (f *Filter) NeedsBeside() bool { return f.beside }

// Match reports whether a case is selected.
func (f *Filter) Match(s Source, row int) bool { return f.test(s, row) }

// Searches reports whether the query searches texts in a place.
func (f *Filter) Searches(in Place) bool { return slices.Contains(f.places, in) }

// A test is a compiled part of a query.
type test func(s Source, row int) bool

type compiler struct {
	query  string
	run    *Vocabulary
	places []Place
	beside bool
}

// Compile checks a query against what a run has. The error is an [*Error].
func (q Query) Compile(v Vocabulary) (*Filter, error) {
	c := &compiler{query: q.text, run: &v}
	if q.root == nil {
		return &Filter{test: func(Source, int) bool { return true }}, nil
	}
	t, err := q.root.compile(c)
	if err != nil {
		return nil, err
	}
	return &Filter{t, c.places, c.beside}, nil
}

func (n joined) compile(c *compiler) (test, error) {
	parts := make([]test, len(n.parts))
	for i, part := range n.parts {
		var err error
		if parts[i], err = part.compile(c); err != nil {
			return nil, err
		}
	}
	return func(s Source, row int) bool {
		for _, is := range parts {
			if is(s, row) == n.any {
				return n.any
			}
		}
		return !n.any
	}, nil
}

func (n not) compile(c *compiler) (test, error) {
	t, err := n.part.compile(c)
	return func(s Source, row int) bool { return !t(s, row) }, err
}

func (n word) compile(c *compiler) (test, error) { return c.search(InTexts, []literal{n.text}), nil }

func (n term) compile(c *compiler) (test, error) {
	name := n.name.text
	if f := field(name); f != nil {
		if lack := f.lack(c.run); lack != nil {
			return nil, c.wrong(n.name, lack)
		}
		c.beside = c.beside || f.Beside
		if f.Name == deltaName {
			return c.delta(n)
		}
		return c.field(f, n)
	}
	if m, ok := c.run.metric(name); ok {
		return c.field(metricField(m), n)
	}
	all := append(c.run.names(), c.run.metrics()...)
	hint := guess(name, all)
	if nearest(name, all) == "" {
		at := n.span()
		hint = message.New("Filter.SearchText", "hint", hint, "quoted", quote(c.query[at.from:at.end]))
	}
	return nil, c.wrong(n.name, message.New("Filter.NoMetric", "name", name, "hint", hint))
}

func (c *compiler) wrong(at literal, message *message.Message) error {
	return wrong(c.query, at, message)
}

// span is the place of a whole term.
func (n term) span() literal { return literal{from: n.name.from, end: n.values[len(n.values)-1].end} }

// field compiles a term of a field.
func (c *compiler) field(f *Field, t term) (test, error) {
	switch isWords := f.is != nil; {
	case f.text != InTexts && (t.op == "~" || t.op == ":" && !isWords):
		return c.search(f.text, t.values), nil
	case f.text != InTexts && !isWords:
		return nil, c.wrong(t.span(), message.New("Filter.IsText", "name", f.Name, "instead", f.Name+"~"+spell(t.values)))
	case f.reads != InTexts:
		c.places = append(c.places, f.reads)
	}
	if f.number == nil {
		return c.words(f, t)
	}
	if _, isNumber := number(t.values[0].text); f.is == nil || isNumber || compares(t.op) {
		return c.number(f, t)
	}
	return c.words(f, t)
}

// words compiles a term with words, of which a case has one.
func (c *compiler) words(f *Field, t term) (test, error) {
	switch {
	case t.op == ":" || t.op == "=" || t.op == "!=":
	case f.number != nil:
		return nil, c.wrong(t.span(), message.New("Filter.IsMetric", "name", f.Name))
	default:
		return nil, c.wrong(t.span(), message.New("Filter.Unordered", "name", f.Name, "instead", f.Name+":"+spell(t.values)))
	}
	known := f.known(c.run)
	words := make([]string, len(t.values))
	for i, v := range t.values {
		if f.optional && v.text == none && !v.quoted {
			continue
		}
		v.text = cmp.Or(f.also[v.text], v.text)
		if typed := v.end > 0; typed && known != nil && !slices.Contains(known, v.text) {
			unknown := cmp.Or(f.unknown, "Filter.NoValue")
			return nil, c.wrong(v, message.New(unknown, "name", f.Name, "value", v.text, "hint", guess(v.text, known)))
		}
		words[i] = v.text
	}
	matches := func(s Source, row int) bool {
		for _, word := range words {
			if f.is(s, row, word) {
				return true
			}
		}
		return false
	}
	if t.op == "!=" {
		return func(s Source, row int) bool { return !f.is(s, row, "") && !matches(s, row) }, nil
	}
	return matches, nil
}

// spell writes values as a term has them.
func spell(values []literal) string {
	return strings.TrimPrefix(term{op: ":", name: literal{text: "x"}, values: values}.String(), "x:")
}

// search searches a place for any of the values.
func (c *compiler) search(in Place, values []literal) test {
	c.places = append(c.places, in)
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = strings.ToLower(v.text)
	}
	return func(s Source, row int) bool {
		for _, part := range parts {
			if s.Contains(row, in, part) {
				return true
			}
		}
		return false
	}
}

// delta compiles a term of the change of a metric between two runs.
func (c *compiler) delta(t term) (test, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(t.name.text, "delta("), ")")
	known := (&Vocabulary{Metrics: c.run.Compared}).metrics()
	if !slices.Contains(known, name) {
		return nil, c.wrong(t.name, message.New("Filter.NoChange", "metric", name, "hint", guess(name, known)))
	}
	return c.number(&Field{number: func(s Source, row int) (float64, bool) { return s.(Beside).Delta(row, name) }}, t)
}

// tolerance is the relative difference below which numbers are equal, since 0.1+0.2 is not
// 0.3. Below 1 it is absolute.
const tolerance = 1e-6

// Holds reports whether a value stands in the relation to a bound, as terms compare them.
func Holds(v float64, op string, bound float64) bool {
	equal := math.Abs(v-bound) <= tolerance*max(1, math.Abs(bound))
	switch op {
	case "<":
		return !equal && v < bound
	case "<=":
		return equal || v < bound
	case ">":
		return !equal && v > bound
	case ">=":
		return equal || v > bound
	}
	return equal
}

// number compiles a term that compares a number, which can be unknown; op ":" is "=".
func (c *compiler) number(f *Field, t term) (test, error) {
	if t.op == ":" && len(t.values) == 1 && t.values[0].text == none {
		return func(s Source, row int) bool {
			_, ok := f.number(s, row)
			return !ok
		}, nil
	}
	bounds := make([]float64, len(t.values))
	for i, l := range t.values {
		var ok bool
		if bounds[i], ok = f.unit.read(l.text); !ok {
			want := message.New(f.unit.want())
			return nil, c.wrong(l, message.New("Filter.NotNumber", "term", t.name.text+t.op, "value", l.text, "want", want))
		}
	}
	switch {
	case t.op == "~":
		return nil, c.wrong(t.span(), message.New("Filter.IsNumber", "name", t.name.text))
	case len(bounds) > 1 && strings.ContainsAny(t.op, "<>"):
		return nil, c.wrong(t.values[1], message.New("Filter.OneNumber", "term", t.name.text+t.op))
	}
	return func(s Source, row int) bool {
		v, ok := f.number(s, row)
		if !ok {
			return false
		}
		for _, bound := range bounds {
			if Holds(v, t.op, bound) {
				return t.op != "!="
			}
		}
		return t.op == "!="
	}, nil
}

// A unit is how the numbers of a field are written.
type unit uint8

const (
	plain unit = iota
	seconds
	dollars
)

// want is the name of the message that says what numbers of the unit are.
func (u unit) want() string {
	return [...]string{"Filter.Number", "Filter.Duration", "Filter.Dollars"}[u]
}

// read reads a number with its unit.
func (u unit) read(text string) (float64, bool) {
	switch u {
	case seconds:
		d, err := time.ParseDuration(text)
		// A number without a unit is 0 at most.
		return d.Seconds(), err == nil
	case dollars:
		text = strings.TrimPrefix(text, "$")
	}
	return number(text)
}

func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// states are the words for the state of a score.
var states = map[string][]assay.State{
	"scored": {assay.Scored}, "n/a": {assay.NotApplicable}, "abstained": {assay.Abstained},
	"judge-error": {assay.JudgeError}, "target-error": {assay.TargetError}, "error": {assay.JudgeError, assay.TargetError},
}

// otherStates are the names of states in the API and in the report file.
var otherStates = map[string]string{"not_applicable": "n/a", "judge_error": "judge-error", "target_error": "target-error"}

// stateWords are the words that help and completion give.
var stateWords = []string{"value", none, "scored", "n/a", "abstained", "judge-error", "target-error", "error"}

// Value returns the value that a score has in comparisons and orders: as in means, a
// case in which the target failed has the worst value if more is better, else none.
func Value(m assay.MetricInfo, s assay.Score) (float64, bool) {
	switch {
	case s.State == assay.Scored:
		return s.Value, true
	case s.State == assay.TargetError && m.Better == "higher":
		return m.Range[0], true
	}
	return 0, false
}

// metricField is a metric as a field: its value, and the state of its score.
func metricField(m assay.MetricInfo) *Field {
	value := func(s Source, row int) (float64, bool) { return Value(m, s.Score(row, m.Name)) }
	return &Field{
		Name: m.Name, Values: stateWords, also: otherStates, unknown: "Filter.NoState", number: value, optional: true,
		is: func(s Source, row int, word string) bool {
			score := s.Score(row, m.Name)
			_, ok := Value(m, score)
			switch word {
			case "", none:
				return !ok
			case "value":
				return ok
			}
			return slices.Contains(states[word], score.State)
		},
	}
}
