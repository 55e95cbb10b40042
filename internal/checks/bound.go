package checks

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"

	"github.com/expr-lang/expr/ast"
)

// The work of checks is bounded, because a case of others can have some, and answers are of any
// length. Before each step that takes more than the length of the answer, its work is paid for.
//
// The work of an expression is bounded, too. Its text is
// short, and no function makes a text or a list longer than the sum of its parts. So whatever
// stands outside of a loop takes a time in proportion to the size of the response. Each round
// of a loop, and each match of a regular expression, is paid for before it begins: by the
// number of its operations, times the size of all that it reads.
const (
	maxSource = 10_000
	maxNodes  = 200
	// maxWork is what the checks of a response may spend together, in operations times characters.
	maxWork = 500_000_000
	// perRound is what an operation of a round costs that reads nothing.
	perRound = 50
	// perInstruction is what it costs to compile an instruction of a regular expression, and to
	// keep it until the evaluation ends.
	perInstruction = 500
)

// barred are functions that make texts or lists longer, that take the square of the length of
// a list, or that depend on the time.
var barred = []string{
	"reduce", "repeat", "replace", "join", "flatten", "string", "toJSON", "toBase64", "fromBase64", "uniq", "now", "timezone",
}

// Names that no expression can write.
const (
	stepName    = "step()"
	matchesName = "matches()"
)

// errWork is why a check was stopped.
var errWork = errors.New("the checks of the case do more work than they may: shorten their texts or the answer, use fewer loops, or use a check of the kind exec")

// A rules visitor finds what an expression may not have, and whether it reads the answer.
type rules struct {
	wrong  string
	answer bool
}

// Visit looks at one node, after its children.
func (r *rules) Visit(at *ast.Node) {
	switch n := (*at).(type) {
	case *ast.VariableDeclaratorNode:
		r.wrong = "let is not available"
	case *ast.IdentifierNode:
		r.answer = r.answer || n.Value == "answer"
		if n.Value == "$env" {
			r.wrong = "$env is not available"
		}
	case *ast.BinaryNode:
		if n.Operator == ".." {
			r.wrong = "ranges of numbers are not available"
		}
	case *ast.BuiltinNode:
		if n.Name == "trim" && len(n.Arguments) == 2 {
			if _, written := n.Arguments[1].(*ast.StringNode); !written { // it takes both lengths, multiplied
				r.wrong = "the characters that trim removes must be written, as in trim(answer, \".\")"
			}
		}
	}
}

// metered has loops and matches of regular expressions pay for their work.
type metered struct{}

// Visit changes one node, after its children.
func (metered) Visit(at *ast.Node) {
	switch n := (*at).(type) {
	case *ast.BinaryNode:
		if n.Operator == "matches" {
			*at = paying(n, matchesName, n.Left, n.Right)
		}
	case *ast.PredicateNode:
		var r reads
		ast.Walk(&n.Node, &r)
		pays := paying(n, stepName, append([]ast.Node{&ast.IntegerNode{Value: r.nodes}, &ast.IntegerNode{Value: r.written}}, r.data...)...)
		round := &ast.ConditionalNode{Cond: pays, Exp1: n.Node, Exp2: &ast.NilNode{}}
		round.SetLocation(n.Location())
		n.Node = round
	}
}

// paying is a call of a function of the environment in place of a node.
func paying(of ast.Node, name string, arguments ...ast.Node) ast.Node {
	c := &ast.CallNode{Callee: &ast.IdentifierNode{Value: name}, Arguments: arguments}
	c.SetLocation(of.Location())
	return c
}

// reads collects what the rounds of a loop do: the number of operations, the characters of
// texts that the expression has, and all data.
type reads struct {
	nodes, written int
	data           []ast.Node
}

// Visit looks at one node, after its children.
func (r *reads) Visit(at *ast.Node) {
	r.nodes++
	switch n := (*at).(type) {
	case *ast.StringNode:
		r.written += len(n.Value)
	case *ast.IdentifierNode:
		if n.Value != stepName && n.Value != matchesName {
			r.data = append(r.data, &ast.IdentifierNode{Value: n.Value})
		}
	case *ast.PointerNode:
		if n.Name == "" {
			r.data = append(r.data, &ast.PointerNode{})
		}
	case *ast.CallNode:
		// What an inner loop pays is no work of this one. Its arguments were visited just before.
		if is, ok := n.Callee.(*ast.IdentifierNode); ok && is.Value == stepName {
			r.nodes -= len(n.Arguments) + 2
			r.data = r.data[:len(r.data)-(len(n.Arguments)-2)]
		}
	}
}

// A meter counts the work of checks. Its methods panic if there is too much, or if the context is
// done, which ends the check with that error.
type meter struct {
	ctx      context.Context
	spent    *int
	patterns map[string]sizedPattern
}

// A sizedPattern is a regular expression and the number of its instructions.
type sizedPattern struct {
	*regexp.Regexp
	size int
}

// spend pays for work.
func (m *meter) spend(work int) {
	if err := m.ctx.Err(); err != nil {
		panic(err)
	}
	if *m.spent += work; work < 0 || *m.spent > maxWork {
		panic(errWork)
	}
}

// step pays for a round of a loop: the number of its operations, the characters that are
// written in it, and what it reads.
func (m *meter) step(all ...any) any {
	operations, _ := all[0].(int)
	work, _ := all[1].(int)
	for _, v := range all[2:] {
		work += sizeOf(reflect.ValueOf(v))
	}
	m.spend(operations * (perRound + work))
	return true
}

// matches reports whether a text matches a regular expression.
func (m *meter) matches(all ...any) any {
	said, ok := all[0].(string)
	source, too := all[1].(string)
	if !ok || !too {
		panic(fmt.Errorf("matches compares %s with %s: expected texts", what(all[0]), what(all[1])))
	}
	p, known := m.patterns[source]
	if !known {
		p = compiledPattern(source)
		m.spend(perInstruction * p.size)
		if m.patterns == nil {
			m.patterns = map[string]sizedPattern{}
		}
		m.patterns[source] = p
	}
	m.spend(len(said) * p.size)
	return p.MatchString(said)
}

func compiledPattern(source string) sizedPattern {
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		panic(err)
	}
	code, err := syntax.Compile(tree.Simplify())
	if err != nil {
		panic(err)
	}
	return sizedPattern{regexp.MustCompile(source), len(code.Inst)}
}

// sizeOf is the number of characters and items of a value.
func sizeOf(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			n += sizeOf(v.Index(i))
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			n += sizeOf(each.Key()) + sizeOf(each.Value())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += sizeOf(v.Field(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n = sizeOf(v.Elem())
		}
	}
	return n + 1
}
