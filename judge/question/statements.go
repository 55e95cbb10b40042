package question

import (
	"context"
	"fmt"
	"slices"

	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/judge"
)

// Statements has a ruling on each statement that a check of the case or of the run wants or
// forbids: whether the answer makes it.
var Statements = about(judge.Question[map[string]judge.Finding]{
	Name: "statements", Title: "statements that checks want or forbid", Tasks: []judge.AnyTask{Support},
	When: func(h *judge.Hearing) bool { return len(statements(h)) > 0 },
	Find: func(ctx context.Context, h *judge.Hearing) (map[string]judge.Finding, error) {
		all := statements(h)
		claims := make([]judge.Claim, len(all))
		for i, s := range all {
			claims[i] = judge.Claim{Text: s}
		}
		findings, err := hold(ctx, h, claims, []judge.Source{{Name: "the answer", Text: h.Response.Answer}})
		if err != nil {
			return nil, err
		}
		out := map[string]judge.Finding{}
		for i, s := range all {
			out[s] = findings[i]
		}
		return out, nil
	},
})

// statements lists what the judge is asked about, those of the case first.
func statements(h *judge.Hearing) []string {
	if h.Response.NoAnswer || h.Response.Withheld != "" {
		return nil
	}
	s := checks.Subject{Case: h.Case, Response: h.Response}
	return checks.Statements(slices.Concat(h.Case.Want.Checks, h.Plan.Checks), s)
}

// Stated tells from the rulings in an assessment whether the answer makes a statement, and
// why. The error is why there is no ruling.
func Stated(a *judge.Assessment, statement string) (stated bool, why string, err error) {
	all, err := Statements.Of(a).Get()
	if err != nil {
		return false, "", err
	}
	f, asked := all[statement]
	switch {
	case !asked:
		return false, "", fmt.Errorf("the judge was not asked about %q", statement)
	case f.Verdict == judge.Unknown:
		return false, "", fmt.Errorf("the judge gave no ruling: %s", f.Why)
	}
	return f.Verdict == judge.Supported, f.Why, nil
}
