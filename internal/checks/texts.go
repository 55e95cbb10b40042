package checks

import (
	"regexp"
	"regexp/syntax"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"

	"github.com/assay-eval/assay"
)

// Texts returns what an answer that passes a check has in it: groups of texts, of which it has one each. ruled is set if
// a judge found a statement, or the check reads no answer because the target gives none. What only forbids, or measures
// form, has neither.
func Texts(r Result, s Subject) (groups [][]string, ruled bool) {
	c, answer := r.Check, s.Response.Answer
	if !r.Passed || c.Not || Weight(c) == 0 {
		return nil, false
	}
	switch c.Kind {
	case assay.CheckSet:
		for _, of := range r.Of {
			texts, too := Texts(of, s)
			groups, ruled = append(groups, texts...), ruled || too
		}
	case assay.CheckMustState:
		return nil, true
	case assay.CheckExpression:
		if tree, err := parser.Parse(folded(c.Value.(string))); err == nil {
			groups = needed(answer, tree.Node)
		}
		ruled = s.Unanswered != ""
	case assay.CheckEquals:
		groups = [][]string{{answer}}
	case assay.CheckContains:
		for _, t := range textsOf(c.Value) {
			groups = append(groups, written(answer, c.IgnoreCase, t))
		}
	case assay.CheckContainsAny, assay.CheckStartsWith:
		groups = [][]string{written(answer, c.IgnoreCase, textsOf(c.Value)...)}
	case assay.CheckLevenshtein:
		groups = [][]string{textsOf(c.Value)}
	case assay.CheckRegex:
		groups = spelled(answer, c.Value.(string), c.IgnoreCase)
	case assay.CheckNumbers:
		for _, v := range listed(c.Value) {
			for _, w := range numbersIn(v) {
				groups = append(groups, []string{w.Text})
			}
		}
	}
	return groups, ruled
}

// written returns the texts that an answer has, as it has them.
func written(answer string, fold bool, texts ...string) (out []string) {
	for _, t := range texts {
		if t = regexp.QuoteMeta(t); fold {
			t = "(?i)" + t
		}
		if re, err := regexp.Compile(t); err == nil && re.MatchString(answer) {
			out = append(out, re.FindString(answer))
		}
	}
	return out
}

// spelled returns the texts that a regular expression spells out and an answer must have for a match.
func spelled(answer, source string, fold bool) [][]string {
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil
	}
	var of func(re *syntax.Regexp) [][]string
	of = func(re *syntax.Regexp) (groups [][]string) {
		if re.Op == syntax.OpLiteral {
			return [][]string{written(answer, fold || re.Flags&syntax.FoldCase != 0, string(re.Rune))}
		}
		one := []string{}
		for _, sub := range re.Sub {
			groups = append(groups, of(sub)...)
			one = append(one, slices.Concat(of(sub)...)...)
		}
		switch {
		case re.Op == syntax.OpAlternate && !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return sub.Op != syntax.OpLiteral }):
			return [][]string{one}
		case re.Op == syntax.OpConcat, re.Op == syntax.OpCapture:
			return groups
		}
		return nil
	}
	return of(re)
}

// needed returns the texts that an answer must have for an expression to hold.
func needed(answer string, n ast.Node) [][]string {
	b, ok := n.(*ast.BinaryNode)
	if !ok {
		return nil
	}
	switch b.Operator {
	case "and", "&&":
		return append(needed(answer, b.Left), needed(answer, b.Right)...)
	case "or", "||":
		left, right := needed(answer, b.Left), needed(answer, b.Right)
		if left == nil || right != nil && slices.ContainsFunc(left, func(group []string) bool { return group == nil }) {
			left, right = right, left
		}
		if right == nil {
			return nil
		}
		return left
	}
	at, fold := b.Left, false
	if call, ok := at.(*ast.BuiltinNode); ok && slices.Contains([]string{"lower", "upper", "trim"}, call.Name) {
		at, fold = call.Arguments[0], call.Name != "trim"
	}
	id, reads := at.(*ast.IdentifierNode)
	text, ok := b.Right.(*ast.StringNode)
	switch {
	case !reads || !ok || id.Value != "answer":
		return nil
	case b.Operator == "matches":
		return spelled(answer, text.Value, fold)
	case slices.Contains([]string{"contains", "startsWith", "endsWith", "=="}, b.Operator):
		return [][]string{written(answer, fold, text.Value)}
	}
	return nil
}
