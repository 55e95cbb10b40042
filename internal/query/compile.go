package query

import (
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

func (n and) compile(c *compiler) (test, error) {
	parts, err := c.each(n)
	return func(s Source, row int) bool {
		for _, p := range parts {
			if !p(s, row) {
				return false
			}
		}
		return true
	}, err
}

func (n or) compile(c *compiler) (test, error) {
	parts, err := c.each(n)
	return func(s Source, row int) bool {
		for _, p := range parts {
			if p(s, row) {
				return true
			}
		}
		return false
	}, err
}

func (c *compiler) each(nodes []node) ([]test, error) {
	parts := make([]test, len(nodes))
	for i, n := range nodes {
		var err error
		if parts[i], err = n.compile(c); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func (n not) compile(c *compiler) (test, error) {
	t, err := n.part.compile(c)
	return func(s Source, row int) bool { return !t(s, row) }, err
}

func (n word) compile(c *compiler) (test, error) { return c.text(InTexts, []literal{n.text}), nil }

func (n term) compile(c *compiler) (test, error) {
	name := n.name.text
	if f := field(name); f != nil {
		if f.has != nil && !f.has(c.run) {
			return nil, c.wrong(n.name, f.Lacks)
		}
		return f.compile(c, f, n)
	}
	if m, ok := c.run.metric(name); ok {
		return c.metric(m, n)
	}
	all := append(c.run.names(), c.run.metrics()...)
	hint := guess(name, all)
	if quoted := quote(c.query[n.name.from:n.values[len(n.values)-1].end]); nearest(name, all) == "" {
		list := hint
		hint = message.New("Filter.SearchText", "hint", list, "quoted", quoted)
	}
	return nil, c.wrong(n.name, message.New("Filter.NoMetric", "name", name, "hint", hint))
}

func (c *compiler) wrong(at literal, message *message.Message) error {
	return wrong(c.query, at, message)
}

// span is the place of a whole term.
func (n term) span() literal { return literal{from: n.name.from, end: n.values[len(n.values)-1].end} }

// A fieldCompiler compiles the terms of a field.
type fieldCompiler = func(c *compiler, f *Field, t term) (test, error)

// unordered rejects operators that a field of words does not have.
func (c *compiler) unordered(t term) error {
	if t.op == ":" || t.op == "=" || t.op == "!=" {
		return nil
	}
	return c.wrong(t.span(), message.New("Filter.Unordered", "name", t.name.text, "instead", t.name.text+":"+spell(t.values)))
}

// wordField is a field with one of a few words.
func wordField(is func(s Source, row int, word string) bool) fieldCompiler {
	return func(c *compiler, f *Field, t term) (test, error) {
		if err := c.unordered(t); err != nil {
			return nil, err
		}
		for _, v := range t.values {
			if !slices.Contains(f.Values, v.text) {
				return nil, c.wrong(v, message.New("Filter.NoValue", "name", f.Name, "value", v.text, "hint", guess(v.text, f.Values)))
			}
		}
		return freeField(is)(c, f, t)
	}
}

// freeField is a field with any text. The word none, without quotes, is given to is as
// it stands; see absent.
func freeField(is func(s Source, row int, word string) bool) fieldCompiler {
	return func(c *compiler, _ *Field, t term) (test, error) {
		if err := c.unordered(t); err != nil {
			return nil, err
		}
		words := make([]string, len(t.values))
		for i, v := range t.values {
			words[i] = v.text
			if !v.quoted {
				words[i] = absent(v.text)
			}
		}
		matches := func(s Source, row int) bool {
			for _, word := range words {
				if is(s, row, word) {
					return true
				}
			}
			return false
		}
		if t.op == "!=" {
			return func(s Source, row int) bool { return !is(s, row, "") && !matches(s, row) }, nil
		}
		return matches, nil
	}
}

// absent is the value of a field for a word of a query: "" for none.
func absent(word string) string {
	if word == none {
		return ""
	}
	return word
}

func spell(values []literal) string {
	return strings.TrimPrefix(term{op: ":", name: literal{text: "x"}, values: values}.String(), "x:")
}

func yesField(is func(s Source, row int) bool) fieldCompiler {
	return wordField(func(s Source, row int, word string) bool { return word != "" && is(s, row) == (word == "yes") })
}

// textField is a field whose text is searched. Where exact is nil, a colon searches, too.
func textField(in Place, exact fieldCompiler) fieldCompiler {
	return func(c *compiler, f *Field, t term) (test, error) {
		switch {
		case t.op == "~", t.op == ":" && exact == nil:
			return c.text(in, t.values), nil
		case exact == nil:
			return nil, c.wrong(t.span(), message.New("Filter.IsText", "name", f.Name, "instead", f.Name+"~"+spell(t.values)))
		}
		return exact(c, f, t)
	}
}

// text searches for any of the values.
func (c *compiler) text(in Place, values []literal) test {
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

// inQuestion is a field that is taken from the question.
func inQuestion(field fieldCompiler) fieldCompiler {
	return func(c *compiler, f *Field, t term) (test, error) {
		c.places = append(c.places, InQuestion)
		return field(c, f, t)
	}
}

// questionField is a field with words of the question, in lower or upper case.
func questionField(has func(question, word string) bool) fieldCompiler {
	return inQuestion(func(c *compiler, _ *Field, t term) (test, error) {
		if err := c.unordered(t); err != nil {
			return nil, err
		}
		words := make([]string, len(t.values))
		for i, v := range t.values {
			words[i] = strings.ToLower(v.text)
		}
		return func(s Source, row int) bool {
			question := s.Question(row)
			found := slices.ContainsFunc(words, func(word string) bool { return has(question, word) })
			return found == (t.op != "!=")
		}, nil
	})
}

// delta is the change of a metric between two runs.
func (c *compiler) delta(f *Field, t term) (test, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(t.name.text, "delta("), ")")
	var known []string
	for _, m := range c.run.Compared {
		known = append(known, m.Name)
	}
	if !slices.Contains(known, name) {
		hint := guess(name, known)
		return nil, c.wrong(t.name, message.New("Filter.NoChange", "metric", name, "hint", hint))
	}
	c.beside = true
	return numberField(message.New("Filter.Number"), number, func(s Source, row int) (float64, bool) {
		return s.(Beside).Delta(row, name)
	})(c, f, t)
}

// flaky is whether draws differ.
func (c *compiler) flaky(f *Field, t term) (test, error) {
	if !c.run.Repeated {
		return nil, c.wrong(t.name, message.New("Filter.NoDraws"))
	}
	c.beside = true
	return yesField(func(s Source, row int) bool { return s.(Beside).Flaky(row) })(c, f, t)
}

// label is what people say.
func (c *compiler) label(f *Field, t term) (test, error) {
	c.beside = true
	return wordField(func(s Source, row int, word string) bool {
		labels := s.(Beside).Labels(row)
		if word == "" {
			return len(labels) == 0
		}
		return slices.Contains(labels, word)
	})(c, f, t)
}

// answer is whether the answer is right, or its text.
func (c *compiler) answer(f *Field, t term) (test, error) {
	decided := wordField(func(s Source, row int, word string) bool { return string(s.Answer(row)) == word })
	return textField(InAnswer, decided)(c, f, t)
}

func (c *compiler) tag(f *Field, t term) (test, error) {
	if err := c.unordered(t); err != nil {
		return nil, err
	}
	for _, v := range t.values {
		if !v.quoted && v.text == none || v.end == 0 { // see Term
			continue
		}
		if c.run.Tags != nil && !slices.Contains(c.run.Tags, v.text) {
			return nil, c.wrong(v, message.New("Filter.NoTag", "tag", v.text, "hint", guess(v.text, c.run.Tags)))
		}
	}
	return freeField(func(s Source, row int, word string) bool {
		tags := s.Tags(row)
		if word == "" {
			return len(tags) == 0
		}
		return slices.Contains(tags, word)
	})(c, f, t)
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

// comparison compiles a term that compares numbers; op ":" is "=". The result is given
// values that exist.
func (c *compiler) comparison(t term, want *message.Message, parse func(string) (float64, bool)) (func(v float64) bool, error) {
	bounds := make([]float64, len(t.values))
	for i, l := range t.values {
		v, ok := parse(l.text)
		if !ok {
			return nil, c.wrong(l, message.New("Filter.NotNumber", "term", t.name.text+t.op, "value", l.text, "want", want))
		}
		bounds[i] = v
	}
	switch {
	case t.op == "~":
		return nil, c.wrong(t.span(), message.New("Filter.IsNumber", "name", t.name.text))
	case len(bounds) > 1 && strings.ContainsAny(t.op, "<>"):
		return nil, c.wrong(t.values[1], message.New("Filter.OneNumber", "term", t.name.text+t.op))
	}
	return func(v float64) bool {
		for _, b := range bounds {
			if Holds(v, t.op, b) {
				return t.op != "!="
			}
		}
		return t.op == "!="
	}, nil
}

// numberField is a field with a number that can be unknown.
func numberField(want *message.Message, parse func(string) (float64, bool), value func(s Source, row int) (float64, bool)) fieldCompiler {
	return func(c *compiler, _ *Field, t term) (test, error) {
		if len(t.values) == 1 && t.values[0].text == none && !compares(t.op) {
			return func(s Source, row int) bool {
				_, ok := value(s, row)
				return !ok
			}, nil
		}
		is, err := c.comparison(t, want, parse)
		return func(s Source, row int) bool {
			v, ok := value(s, row)
			return ok && is(v)
		}, err
	}
}

func duration(text string) (float64, bool) {
	d, err := time.ParseDuration(text)
	// A number without a unit is 0 at most.
	return d.Seconds(), err == nil
}

func dollars(text string) (float64, bool) { return number(strings.TrimPrefix(text, "$")) }

func number(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// states are the words for the state of a score.
var states = []struct {
	word string
	is   []assay.State
}{
	{"scored", []assay.State{assay.Scored}},
	{"n/a", []assay.State{assay.NotApplicable}},
	{"abstained", []assay.State{assay.Abstained}},
	{"judge-error", []assay.State{assay.JudgeError}},
	{"target-error", []assay.State{assay.TargetError}},
	{"error", []assay.State{assay.JudgeError, assay.TargetError}},
	// The names of the API and of the report file.
	{"not_applicable", []assay.State{assay.NotApplicable}},
	{"judge_error", []assay.State{assay.JudgeError}},
	{"target_error", []assay.State{assay.TargetError}},
}

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

// metric compiles a term of a metric.
func (c *compiler) metric(m assay.MetricInfo, t term) (test, error) {
	if _, isNumber := number(t.values[0].text); compares(t.op) || isNumber {
		is, err := c.comparison(t, message.New("Filter.Number"), number)
		return func(s Source, row int) bool {
			v, ok := Value(m, s.Score(row, m.Name))
			return ok && is(v)
		}, err
	}
	if t.op == "~" {
		return nil, c.wrong(t.span(), message.New("Filter.IsMetric", "metric", m.Name, "name", t.name.text))
	}
	var in []assay.State
	withValue, withoutValue := false, false
	for _, v := range t.values {
		i := slices.IndexFunc(states, func(s struct {
			word string
			is   []assay.State
		}) bool {
			return s.word == v.text
		})
		switch {
		case v.text == none:
			withoutValue = true
		case v.text == "value":
			withValue = true
		case i < 0:
			return nil, c.wrong(v, message.New("Filter.NoState", "metric", m.Name, "value", v.text, "hint", guess(v.text, stateWords)))
		default:
			in = append(in, states[i].is...)
		}
	}
	return func(s Source, row int) bool {
		score := s.Score(row, m.Name)
		_, ok := Value(m, score)
		return slices.Contains(in, score.State) || withoutValue && !ok || withValue && ok
	}, nil
}
