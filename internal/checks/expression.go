package checks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// validScores checks the fields of a check that may give a number.
func validScores(c assay.Check) error {
	if c.Range != nil && (len(c.Range) != 2 || !(c.Range[0] < c.Range[1]) || math.IsInf(c.Range[1]-c.Range[0], 0)) {
		return &Problem{"range", fmt.Sprint(c.Range), "the smallest and the largest score, such as [0, 10]"}
	}
	if lo, hi := Range(c); c.Threshold != nil && (*c.Threshold < lo || *c.Threshold > hi) {
		return &Problem{"threshold", fmt.Sprint(*c.Threshold), fmt.Sprintf("a score from %v to %v, the range of the check", lo, hi)}
	}
	if !slices.Contains([]string{"", "higher", "lower"}, c.Better) {
		return &Problem{"better", fmt.Sprintf("%q", c.Better), "higher or lower"}
	}
	if strings.ContainsAny(c.Unit, "\n\r\t") {
		return &Problem{"unit", fmt.Sprintf("%q", c.Unit), "a word such as points"}
	}
	return nil
}

// environment is what an expression sees, and a program reads. What the target does not report
// is nil.
type environment struct {
	Question   string         `expr:"question" json:"question"`
	Answer     string         `expr:"answer" json:"answer"`
	Passages   []passage      `expr:"passages" json:"passages"`
	References []string       `expr:"references" json:"references"`
	Latency    *float64       `expr:"latency" json:"latency"`
	Cost       *float64       `expr:"cost" json:"cost"`
	Tokens     tokens         `expr:"tokens" json:"tokens"`
	Calls      []call         `expr:"calls" json:"calls"`
	Metadata   map[string]any `expr:"metadata" json:"metadata"`
	Tags       []string       `expr:"tags" json:"tags"`

	// What loops and matches pay with; see metered.
	Step    func(...any) any `expr:"step()" json:"-"`
	Matches func(...any) any `expr:"matches()" json:"-"`
}

type (
	passage struct {
		ID       string  `expr:"id" json:"id,omitempty"`
		Document string  `expr:"document" json:"document,omitempty"`
		Source   string  `expr:"source" json:"source,omitempty"`
		Title    string  `expr:"title" json:"title,omitempty"`
		Text     string  `expr:"text" json:"text"`
		Score    float64 `expr:"score" json:"score,omitempty"`
	}
	tokens struct {
		Input  *int `expr:"input" json:"input"`
		Output *int `expr:"output" json:"output"`
	}
	call struct {
		Name    string   `expr:"name" json:"name"`
		Latency *float64 `expr:"latency" json:"latency"`
	}
)

func environmentOf(s Subject) environment {
	r := s.Response
	e := environment{
		Question: s.Case.Question, Answer: r.Answer, Passages: []passage{}, References: s.Case.Want.Answers,
		Latency: reported(r.Latency.Seconds()), Cost: reported(float64(r.Usage.Cost) / 1e6),
		Tokens: tokens{reported(r.Usage.InputTokens), reported(r.Usage.OutputTokens)}, Calls: []call{},
		Metadata: s.Case.Metadata, Tags: s.Case.Tags,
	}
	for _, p := range r.Passages {
		e.Passages = append(e.Passages, passage{p.ID, p.Document, p.Source, p.Title, p.Text, p.Score})
	}
	if r.Trace != nil {
		for _, one := range r.Trace.Stages {
			e.Calls = append(e.Calls, call{one.Name, reported(one.Latency.Seconds())})
		}
	}
	return e
}

// reported returns a quantity of a response; nil for 0, which means that it is not reported.
func reported[N int | float64](x N) *N {
	if x == 0 {
		return nil
	}
	return &x
}

// A compiledExpression is an expression that pays for its work.
type compiledExpression struct {
	run *vm.Program
	// gives is the type of its value; nil if that is known only when it runs.
	gives reflect.Type
	// answer is set if it reads the answer.
	answer bool
}

// readsAnswer reports whether an expression reads the answer.
func readsAnswer(source any) bool {
	text, _ := source.(string)
	p, err := compile(text)
	return err == nil && p.answer
}

// kind returns what it gives; [reflect.Interface] if that is known only when it runs.
func (e *compiledExpression) kind() reflect.Kind {
	switch t := e.gives; {
	case t == nil:
		return reflect.Interface
	case t.Kind() == reflect.Pointer: // a quantity that the target may not report
		return t.Elem().Kind()
	default:
		return t.Kind()
	}
}

// compiled keeps the expressions that were compiled. A dataset may have many, so they are
// forgotten when there are too many.
var compiled = struct {
	sync.Mutex
	programs map[string]*compiledExpression
}{programs: map[string]*compiledExpression{}}

const maxCompiled = 10_000

// joining finds the texts and members of an expression, in which no word joins conditions, and the
// words that do.
var joining = lazyregexp.New(`(?i)"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|` + "`[^`]*`" + `|\.\s*\w+|\b(and|or|not)\b`)

// folded writes and, or and not in lower case, as Expr has them.
func folded(source string) string {
	return joining().ReplaceAllStringFunc(source, func(token string) string {
		switch word := strings.ToLower(token); word {
		case "and", "or", "not":
			return word
		}
		return token
	})
}

// compile compiles an expression, once.
func compile(source string) (*compiledExpression, error) {
	compiled.Lock()
	defer compiled.Unlock()
	if p := compiled.programs[source]; p != nil {
		return p, nil
	}
	if len(source) > maxSource {
		return nil, fmt.Errorf("%d bytes, more than %d", len(source), maxSource)
	}
	options := []expr.Option{expr.Env(environment{}), expr.MaxNodes(maxNodes), expr.Optimize(false)}
	for _, name := range barred {
		options = append(options, expr.DisableBuiltin(name))
	}
	var r rules
	plain, err := expr.Compile(folded(source), append(slices.Clone(options), expr.Patch(&r))...)
	switch {
	case err != nil:
		return nil, placed(err)
	case r.wrong != "":
		return nil, errors.New(r.wrong)
	}
	p := &compiledExpression{gives: plain.Node().Type(), answer: r.answer}
	if p.run, err = expr.Compile(folded(source), append(options, expr.Patch(metered{}))...); err != nil {
		return nil, placed(err)
	}
	if len(compiled.programs) >= maxCompiled {
		clear(compiled.programs)
	}
	compiled.programs[source] = p
	return p, nil
}

// placed returns an error of the compiler in one line, with its place.
func placed(err error) error {
	var at *file.Error
	if errors.As(err, &at) {
		return fmt.Errorf("line %d, column %d: %s", at.Line, at.Column+1, at.Message)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(first)
}

const wantExpression = `an expression that gives true, false or a number, such as len(answer) < 500`

func validExpression(v any) error {
	source, _ := v.(string)
	if source == "" {
		return mustBe(v, false, wantExpression)
	}
	return compiles("value", source, wantExpression, reflect.Bool, reflect.Int, reflect.Float64)
}

func validCondition(source string) error {
	return compiles("when", source, `a condition such as "refund" in tags`, reflect.Bool)
}

// compiles returns a problem with a field unless its expression gives one of some kinds, or what
// it gives is known only when it runs.
func compiles(field, source, want string, types ...reflect.Kind) error {
	p, err := compile(source)
	switch {
	case err != nil:
		return &Problem{field, err.Error(), want}
	case !slices.Contains(types, p.kind()) && p.kind() != reflect.Interface:
		return &Problem{field, "it gives " + p.gives.String(), want}
	}
	return nil
}

// evaluate runs an expression.
func evaluate(ctx context.Context, source string, s Subject) (any, error) {
	p, err := compile(source)
	if err != nil {
		return nil, err
	}
	m := meter{ctx: ctx, spent: s.Work}
	e := environmentOf(s)
	e.Step, e.Matches = m.step, m.matches
	v, err := expr.Run(p.run, e)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errWork):
		return nil, errWork
	case err != nil:
		err = placed(err)
		if strings.Contains(err.Error(), "<nil>") {
			err = fmt.Errorf("%w (nil is what the target does not report, or what the case lacks)", err)
		}
		return nil, err
	}
	return pointed(v), nil
}

// pointed returns the value of a quantity that the target may not report.
func pointed(v any) any {
	switch p := reflect.ValueOf(v); {
	case p.Kind() != reflect.Pointer:
		return v
	case p.IsNil():
		return nil
	default:
		return p.Elem().Interface()
	}
}

// gives says what an expression gave in place of what it should.
func gives(v any, want string) error {
	is := "nil"
	if v != nil {
		is = what(v)
	}
	return fmt.Errorf("it gives %s: expected %s", is, want)
}

// condition tells whether an expression holds.
func condition(ctx context.Context, source string, s Subject) (bool, error) {
	v, err := evaluate(ctx, source, s)
	if err != nil {
		return false, err
	}
	holds, ok := v.(bool)
	if !ok {
		return false, gives(v, "true or false")
	}
	return holds, nil
}

func expression(ctx context.Context, c assay.Check, s Subject, limit float64) verdict {
	v, err := evaluate(ctx, c.Value.(string), s)
	if err != nil {
		return verdict{err: err}
	}
	if holds, ok := v.(bool); ok {
		return verdict{passed: holds, why: "does not hold"}
	}
	x, ok := numberOf(v)
	if !ok {
		return verdict{err: gives(v, "true, false or a number")}
	}
	return byScore(c, x, limit, "")
}

// byScore is the verdict of a number: it passes from the threshold on, without one with the
// best score alone.
func byScore(c assay.Check, x, limit float64, why string) verdict {
	lo, hi := Range(c)
	switch {
	case !(x >= lo && x <= hi):
		return verdict{err: fmt.Errorf("the score is %v: expected one from %v to %v", x, lo, hi)}
	case c.Not:
		return verdict{err: errors.New("not inverts a verdict, and there is a score; leave not out")}
	}
	if math.IsNaN(limit) {
		limit = hi
		if c.Better == "lower" {
			limit = lo
		}
	}
	v := verdict{score: &x, passed: x >= limit, why: fmt.Sprintf("the score is %v, below %v", x, limit)}
	if c.Better == "lower" {
		v.passed, v.why = x <= limit, fmt.Sprintf("the score is %v, above %v", x, limit)
	}
	if why != "" {
		v.why += ": " + why
	}
	return v
}
