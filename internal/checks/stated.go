package checks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
)

// errNoJudge is why a statement has no verdict.
var errNoJudge = errors.New("no judge was asked whether the answer says so")

// states requires that the answer makes all statements, or none. One that breaks the rule
// decides, whatever is not known of the others.
func states(_ context.Context, c assay.Check, s Subject, _ float64) verdict {
	want := c.Kind == assay.CheckMustState
	var open error
	for _, one := range textsOf(c.Value) {
		if s.Stated == nil {
			return verdict{err: errNoJudge}
		}
		is, why, err := s.Stated(one)
		switch {
		case err != nil:
			open = err
		case is != want:
			problem := "does not state"
			if is {
				problem = "states"
			}
			if why != "" {
				why = " (" + why + ")"
			}
			return verdict{why: fmt.Sprintf("%s %s%s", problem, quoted([]string{one}), why)}
		}
	}
	return verdict{passed: open == nil, why: "as required", err: open}
}

// Statements lists what a judge is asked for the sake of the checks: each statement once, of
// the checks that apply.
func Statements(all []assay.Check, s Subject) (out []string) {
	for _, c := range all {
		if c.When != "" {
			if applies, err := condition(context.Background(), c.When, s); err != nil || !applies {
				continue
			}
		}
		var own []string
		switch c.Kind {
		case assay.CheckMustState, assay.CheckMustNotState:
			own = textsOf(c.Value)
		case assay.CheckSet:
			own = Statements(c.Checks, s)
		}
		for _, one := range own {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	return out
}

// Judged reports whether a judge is needed for a check.
func Judged(c assay.Check) bool {
	return c.Kind == assay.CheckMustState || c.Kind == assay.CheckMustNotState || slices.ContainsFunc(c.Checks, Judged)
}
