package dataset

import (
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
)

// maxSets bounds the nesting of sets that are read; checks.Valid allows fewer.
const maxSets = 12

// checks reads a list of checks in so many sets; nil if there is none.
func (r *record) checks(n *node, name string, depth int) []assay.Check {
	out := []assay.Check{}
	is := r.objects(n, name, `a check, such as {"kind": "contains", "value": "30 days"}`, func(item *node, at string) {
		before := len(r.l.errs)
		c := r.check(item, at, depth)
		if len(r.l.errs) > before {
			return
		}
		var p *checks.Problem
		if depth == 0 && errors.As(checks.Valid(c), &p) {
			r.fail(item, at+"."+p.Field, p.Problem, p.Want)
			return
		}
		out = append(out, c)
	})
	if !is {
		return nil
	}
	return out
}

// check reads the fields of one check.
func (r *record) check(n *node, at string, depth int) (c assay.Check) {
	const aNumber = "a number, or no field"
	r.fill(n, at, at+".", []member{
		{"kind", &c.Kind, "the kind of the check", false},
		{"name", &c.Name, "a name, or no field", false},
		{"when", &c.When, "a condition, or no field", false},
		{"not", &c.Not, "", false},
		{"ignore_case", &c.IgnoreCase, "", false},
		{"trim", &c.Trim, "", false},
		{"threshold", &c.Threshold, aNumber, false},
		{"relative", &c.Relative, aNumber, false},
		{"min", &c.Min, aNumber, false},
		{"max", &c.Max, aNumber, false},
		{"of", &c.Of, "characters, words or sentences", false},
		{"timeout", &c.Timeout, aNumber, false},
		{"weight", &c.Weight, aNumber, false},
		{"unit", &c.Unit, "a word, or no field", false},
		{"better", &c.Better, "higher or lower", false},
		{"range", func(v *node) {
			c.Range = r.numbers(v, at+".range", "the smallest and the largest score, such as [0, 10]")
		}, "", false},
		{"value", func(v *node) { c.Value = v.value() }, "", false},
		{"checks", func(v *node) {
			if depth >= maxSets {
				r.fail(v, at+".checks", "sets are nested too deep", "fewer")
				return
			}
			c.Checks = r.checks(v, at+".checks", depth+1)
		}, "", false},
	})
	return c
}

// numbers reads a list of numbers.
func (r *record) numbers(n *node, at, want string) []float64 {
	out := []float64{}
	for _, item := range n.items {
		if x, ok := item.float(); ok {
			out = append(out, x)
		}
	}
	if n.kind != list || len(out) != len(n.items) {
		r.fail(n, at, n.what(), want)
	}
	return out
}
