package dataset

import (
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
)

// checks reads a list of checks; nil if there is none.
func (r *record) checks(n *node, name string) []assay.Check {
	return r.checksTo(n, name, 0)
}

// maxSets bounds the nesting of sets that are read; checks.Valid allows fewer.
const maxSets = 12

func (r *record) checksTo(n *node, name string, depth int) []assay.Check {
	items := r.objects(n, name, `a check, such as {"kind": "contains", "value": "30 days"}`)
	if items == nil {
		return nil
	}
	out := make([]assay.Check, 0, len(items))
	for i, item := range items {
		if item.kind != object {
			continue
		}
		at := fmt.Sprintf("%s[%d]", name, i)
		before := len(r.l.errs)
		c := r.check(item, at, depth)
		if len(r.l.errs) > before {
			continue
		}
		var p *checks.Problem
		if depth == 0 && errors.As(checks.Valid(c), &p) {
			r.fail(item, at+"."+p.Field, p.Problem, p.Want)
			continue
		}
		out = append(out, c)
	}
	return out
}

// check reads the fields of one check.
func (r *record) check(n *node, at string, depth int) assay.Check {
	truth := func(name string) bool {
		v := r.truth(present(n, name), at+"."+name)
		return v != nil && *v
	}
	amount := func(name string) *float64 {
		v := present(n, name)
		if v == nil {
			return nil
		}
		x, ok := v.float()
		if !ok {
			r.fail(v, at+"."+name, v.what(), "a number, or no field")
		}
		return &x
	}
	word := func(name, want string) string { return r.text(present(n, name), at+"."+name, want) }
	c := assay.Check{
		Kind: word("kind", "the kind of the check"), Name: word("name", "a name, or no field"), When: word("when", "a condition, or no field"),
		Not: truth("not"), IgnoreCase: truth("ignore_case"), Trim: truth("trim"),
		Threshold: amount("threshold"), Relative: amount("relative"), Min: amount("min"), Max: amount("max"),
		Of: word("of", "characters, words or sentences"), Timeout: amount("timeout"), Weight: amount("weight"),
		Unit: word("unit", "a word, or no field"), Better: word("better", "higher or lower"),
	}
	if v := present(n, "range"); v != nil {
		c.Range = []float64{}
		for _, item := range v.items {
			x, ok := item.float()
			if v.kind != list || !ok {
				break
			}
			c.Range = append(c.Range, x)
		}
		if v.kind != list || len(c.Range) != len(v.items) {
			r.fail(v, at+".range", v.what(), "the smallest and the largest score, such as [0, 10]")
		}
	}
	if v := present(n, "value"); v != nil {
		c.Value = v.value()
	}
	if of := present(n, "checks"); of != nil {
		if depth >= maxSets {
			r.fail(of, at+".checks", "sets are nested too deep", "fewer")
			return c
		}
		c.Checks = r.checksTo(of, at+".checks", depth+1)
	}
	r.ignoreOthers(n, at+".", checks.Fields)
	return c
}
