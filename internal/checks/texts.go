package checks

import (
	"context"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/assay-eval/assay"
)

// Texts returns what an answer that passes a check has in it: groups of texts, of which it has one each. ruled is set if
// a judge found a statement, or the check reads no answer because the target gives none. What only forbids, or measures
// form, has neither.
func Texts(ctx context.Context, r Result, s Subject) (groups [][]string, ruled bool) {
	c, answer := r.Check, s.Response.Answer
	if !r.Passed || c.Not || Weight(c) == 0 {
		return nil, false
	}
	one := func(texts ...string) { groups = append(groups, texts) }
	switch c.Kind {
	case assay.CheckSet:
		for _, of := range r.Of {
			texts, too := Texts(ctx, of, s)
			groups, ruled = append(groups, texts...), ruled || too
		}
	case assay.CheckMustState:
		return nil, true
	case assay.CheckExpression:
		if s.Unanswered != "" {
			return nil, true
		}
		if tree, err := parser.Parse(folded(c.Value.(string))); err == nil {
			groups = needs{ctx, s, nil}.of(tree.Node)
		}
	case assay.CheckEquals:
		one(answer)
	case assay.CheckContains:
		for _, t := range textsOf(c.Value) {
			one(written(answer, t, c.IgnoreCase)...)
		}
	case assay.CheckContainsAny, assay.CheckStartsWith:
		one(written(answer, c.Value, c.IgnoreCase)...)
	case assay.CheckLevenshtein:
		one(textsOf(c.Value)...)
	case assay.CheckRegex:
		groups = matched(answer, c.Value.(string), c.IgnoreCase)
	case assay.CheckNumbers:
		for _, v := range listed(c.Value) {
			for _, w := range numbersIn(v) {
				one(w.Text)
			}
		}
	}
	return groups, ruled
}

// written returns the texts of a value that an answer has, as it has them.
func written(answer string, value any, fold bool) (out []string) {
	for _, t := range textsOf(value) {
		if t = found(answer, regexp.QuoteMeta(t), fold); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// found returns the first match of an expression.
func found(answer, source string, fold bool) string {
	if fold {
		source = "(?i:" + source + ")"
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return ""
	}
	return re.FindString(answer)
}

// matched returns what an answer has of each part of a regular expression that spells it out.
func matched(answer, source string, fold bool) (groups [][]string) {
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil
	}
	for _, part := range parts(re) {
		if t := found(answer, part, fold); strings.TrimSpace(t) != "" {
			groups = append(groups, []string{t})
		}
	}
	return groups
}

// parts returns the parts of a regular expression that spell out what must be there.
func parts(re *syntax.Regexp) (out []string) {
	switch {
	case spelled(re):
		return []string{re.String()}
	case re.Op == syntax.OpCapture, re.Op == syntax.OpPlus:
		return parts(re.Sub[0])
	case re.Op == syntax.OpConcat:
		part := ""
		for _, sub := range re.Sub {
			if spelled(sub) {
				part += "(?:" + sub.String() + ")"
				continue
			}
			out = append(append(out, part), parts(sub)...)
			part = ""
		}
		return append(out, part)
	}
	return nil
}

// spelled reports whether an expression leaves open no more than a few characters, as in "colou?r" and "(24|30) days".
func spelled(re *syntax.Regexp) bool {
	class := 0
	for i := 0; re.Op == syntax.OpCharClass && i < len(re.Rune); i += 2 {
		class += int(re.Rune[i+1]-re.Rune[i]) + 1
	}
	open := []syntax.Op{syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat}
	return class <= 4 && !slices.Contains(open, re.Op) && !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !spelled(sub) })
}

// needs finds the texts that an answer must have for an expression to hold. item is what # is.
type needs struct {
	ctx  context.Context
	s    Subject
	item ast.Node
}

func (e needs) of(n ast.Node) (groups [][]string) {
	switch n := n.(type) {
	case *ast.PredicateNode:
		return e.of(n.Node)
	case *ast.BuiltinNode: // any(["a", "b"], answer contains #)
		if n.Name != "any" && n.Name != "all" {
			return nil
		}
		list, ok := n.Arguments[0].(*ast.ArrayNode)
		if !ok {
			return nil
		}
		for i, item := range list.Nodes {
			e.item = item
			next := e.of(n.Arguments[1])
			if n.Name == "any" && i > 0 {
				next, groups = either(groups, next), nil
			}
			groups = append(groups, next...)
		}
	case *ast.BinaryNode:
		text, fold, reads := n.Right, false, false
		switch at := n.Left.(type) {
		case *ast.IdentifierNode:
			reads = at.Value == "answer"
		case *ast.BuiltinNode: // lower(answer)
			if slices.Contains([]string{"lower", "upper", "trim"}, at.Name) {
				of, ok := at.Arguments[0].(*ast.IdentifierNode)
				reads, fold = ok && of.Value == "answer", at.Name != "trim"
			}
		}
		if _, is := text.(*ast.PointerNode); is && e.item != nil {
			text = e.item
		}
		switch op := n.Operator; {
		case op == "and", op == "&&":
			return append(e.of(n.Left), e.of(n.Right)...)
		case op == "or", op == "||":
			return either(e.of(n.Left), e.of(n.Right))
		case !reads:
		case op == "matches":
			if of, ok := text.(*ast.StringNode); ok {
				return matched(e.s.Response.Answer, of.Value, fold)
			}
		case slices.Contains([]string{"contains", "startsWith", "endsWith", "==", "in"}, op):
			return e.texts(text, fold)
		}
	}
	return groups
}

// either returns the texts of one of two conditions: of the first that the answer has.
func either(a, b [][]string) [][]string {
	lacks := func(group []string) bool { return len(group) == 0 }
	if a != nil && b != nil && !slices.ContainsFunc(a, lacks) {
		return a
	} else if a != nil {
		return b
	}
	return nil
}

// texts returns the texts that a node names, of the expression or the labels, as the answer has them.
func (e needs) texts(n ast.Node, fold bool) [][]string {
	if ast.Find(n, func(n ast.Node) bool {
		id, ok := n.(*ast.IdentifierNode)
		return ok && id.Value != "metadata" && id.Value != "references"
	}) != nil {
		return nil
	}
	v, err := evaluate(e.ctx, n.String(), e.s)
	if err != nil || textsOf(v) == nil {
		return nil
	}
	return [][]string{written(e.s.Response.Answer, v, fold)}
}
