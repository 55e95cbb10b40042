// Package checks says what each kind of [assay.Check] requires: which values it takes, and
// whether a response passes.
package checks

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A Problem is what is wrong with a check: the field, the problem, and what is right.
type Problem struct{ Field, Problem, Want string }

// Error formats the problem.
func (p *Problem) Error() string {
	return fmt.Sprintf("%s: %s: expected %s", p.Field, p.Problem, p.Want)
}

// Valid returns a *[Problem] if a check of a case is not complete, with the path of its
// field. Cases come from files of others, so none of their checks may start a program.
func Valid(c assay.Check) error { return valid(c, false) }

// ValidSetting is [Valid] for a check of a configuration, which may start a program.
func ValidSetting(c assay.Check) error { return valid(c, true) }

func valid(c assay.Check, programs bool) error {
	k, known := kinds[c.Kind]
	if !known {
		all := assay.CheckKinds()
		problem := "missing"
		if c.Kind != "" {
			problem = fmt.Sprintf("unknown kind %q", text.Shorten(c.Kind, 80))
			if near := text.Nearest(c.Kind, all); near != "" {
				problem += fmt.Sprintf(", did you mean %q?", near)
			}
		}
		return &Problem{"kind", problem, "one of " + strings.Join(all, ", ")}
	}
	if c.Kind == assay.CheckExec && !programs {
		return &Problem{"kind", "a case cannot start a program", "the check in the configuration, below checks"}
	}
	if err := k.value(c.Value); err != nil {
		return err
	}
	if err := k.fields(c); err != nil {
		return err
	}
	if c.When != "" {
		if err := validCondition(c.When); err != nil {
			return err
		}
	}
	return members(c, programs)
}

// fields checks the fields beside the value.
func (k kind) fields(c assay.Check) error {
	none := func(field string) error {
		return &Problem{field, "a check of the kind " + c.Kind + " has none", "no field"}
	}
	switch t := c.Threshold; {
	case t != nil && k.limits == "":
		return none("threshold")
	case t == nil && math.IsNaN(k.limit) && !k.optional:
		return &Problem{"threshold", "missing", k.limits}
	case t != nil && (math.IsNaN(*t) || math.IsInf(*t, 0) || *t < 0 && !slices.Contains(k.takes, "range")),
		t != nil && c.Kind == assay.CheckSet && *t > 1:
		return &Problem{"threshold", fmt.Sprint(*t), k.limits}
	}
	if err := amount("weight", c.Weight); err != nil {
		return err
	}
	if c.IgnoreCase && (k.exact || k.reads == nil) {
		return &Problem{"ignore_case", "a check of the kind " + c.Kind + " compares no text", "no field"}
	}
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"relative", c.Relative != nil}, {"min", c.Min != nil}, {"max", c.Max != nil}, {"of", c.Of != ""}, {"timeout", c.Timeout != nil},
		{"range", c.Range != nil}, {"unit", c.Unit != ""}, {"better", c.Better != ""},
	} {
		if f.given && !slices.Contains(k.takes, f.name) {
			return none(f.name)
		}
	}
	if k.more != nil {
		return k.more(c)
	}
	return nil
}

// members checks the members of a set.
func members(c assay.Check, programs bool) error {
	switch {
	case c.Kind != assay.CheckSet && len(c.Checks) > 0:
		return &Problem{"checks", "a check of the kind " + c.Kind + " has no members", "the kind set"}
	case c.Kind == assay.CheckSet && len(c.Checks) == 0:
		return &Problem{"checks", "missing", "a list of checks"}
	case depth(c) > maxDepth:
		return &Problem{"checks", fmt.Sprintf("sets are nested more than %d deep", maxDepth), "fewer"}
	}
	for i, one := range c.Checks {
		err := valid(one, programs)
		var p *Problem
		if errors.As(err, &p) {
			return &Problem{fmt.Sprintf("checks[%d].%s", i, p.Field), p.Problem, p.Want}
		}
	}
	return nil
}

// maxDepth bounds the nesting of sets.
const maxDepth = 10

func depth(c assay.Check) int {
	deepest := 0
	for _, one := range c.Checks {
		if deepest <= maxDepth {
			deepest = max(deepest, depth(one))
		}
	}
	return deepest + 1
}

// amount checks a field that is a number from 0.
func amount(field string, x *float64) error {
	if x != nil && (!(*x >= 0) || math.IsInf(*x, 0)) {
		return &Problem{field, fmt.Sprint(*x), "a number from 0"}
	}
	return nil
}
