package checks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonschema"
)

// A Subject is what a check is tested on.
type Subject struct {
	Case     *assay.Case
	Response *assay.Response
	// Stated tells whether the answer makes a statement, and why; nil if no judge was asked.
	Stated func(statement string) (stated bool, why string, err error)
	// Unanswered says why there is no answer, such as that the target is a search engine; "" if
	// there is one.
	Unanswered string
	// Dir is where programs are started; "" is where this process was.
	Dir string
	// Work counts what the checks of the response spend together; nil gives each its own.
	Work *int
}

// A Result is the verdict on one check.
type Result struct {
	Check  assay.Check
	Passed bool
	// Score is 1 for a check that passed and 0 for one that did not; of a set it is the
	// weighted share of its members, and an expression or a program may give a number.
	Score float64
	// Lower and Upper are the lowest and the highest score that the check could have had;
	// both are the score unless Unscored gives an error.
	Lower, Upper float64
	// Why says what the response lacks. It is empty if the check passed.
	Why string
	// Err says why there is no verdict: a judge that is away, or a program that crashed.
	Err error
	// Skipped says why the check does not apply; "" if it does.
	Skipped string
	// Of are the verdicts on the members of a set.
	Of []Result
	// open says why a member of a set has no result.
	open error
}

// Unscored says why the score is not known; nil if it is. Without a verdict there is none. The
// verdict on a set can be decided while its share is not, because a member has no result.
func (r Result) Unscored() error {
	if r.Err == nil && r.Lower < r.Upper {
		return r.open
	}
	return r.Err
}

// Run tests a response. The check must be valid.
func Run(ctx context.Context, c assay.Check, s Subject) Result {
	if s.Work == nil {
		s.Work = new(int)
	}
	if err := ctx.Err(); err != nil {
		return undecided(c, err)
	}
	if s.Unanswered != "" && ReadsAnswer(c) {
		return undecided(c, errors.New(s.Unanswered))
	}
	if c.When != "" {
		switch applies, err := condition(ctx, c.When, s); {
		case err != nil:
			return undecided(c, fmt.Errorf("when: %w", err))
		case !applies:
			return Result{Check: c, Skipped: "the condition " + c.When + " does not hold"}
		}
	}
	if c.Kind == assay.CheckSet {
		return set(ctx, c, s)
	}
	k := kinds[c.Kind]
	limit := k.limit
	if c.Threshold != nil {
		limit = *c.Threshold
	}
	var v verdict
	if k.reads != nil {
		v = k.read(&meter{ctx: ctx, spent: s.Work}, c, s.Response.Answer, limit)
	} else {
		v = k.test(ctx, c, s, limit)
	}
	switch {
	case v.err != nil:
		return undecided(c, v.err)
	case v.skipped != "":
		return Result{Check: c, Skipped: v.skipped}
	}
	out := Result{Check: c, Passed: v.passed, Why: v.why}
	if c.Not {
		out.Passed, out.Why = !out.Passed, "it is so"
	}
	if out.Passed {
		out.Score, out.Why = 1, ""
	}
	if v.score != nil {
		out.Score = *v.score
	}
	out.Lower, out.Upper = out.Score, out.Score
	return out
}

// ReadsAnswer reports whether each of the checks reads the answer. What a program reads is not known.
func ReadsAnswer(all ...assay.Check) bool {
	for _, c := range all {
		reads := true
		switch c.Kind {
		case assay.CheckSet:
			reads = ReadsAnswer(c.Checks...)
		case assay.CheckExpression:
			reads = readsAnswer(c.Value)
		case assay.CheckLatency, assay.CheckCost, assay.CheckExec:
			reads = false
		}
		if !reads && !readsAnswer(c.When) {
			return false
		}
	}
	return true
}

// perText is what a check spends for each text of its value, beside the length of the answer.
const perText = 100

// read tests an answer, unless that takes too much work.
func (k kind) read(m *meter, c assay.Check, answer string, limit float64) (v verdict) {
	defer func() {
		switch broke := recover().(type) {
		case nil:
		case error:
			if !errors.Is(broke, errWork) && !errors.Is(broke, m.ctx.Err()) {
				panic(broke)
			}
			v = verdict{err: broke}
		default:
			panic(broke)
		}
	}()
	m.spend(len(listed(c.Value)) * (len(answer) + perText))
	test, answer := prepared(c, answer)
	v.passed, v.why = k.reads(m, test, answer, limit)
	return v
}

// undecided is a check without a result.
func undecided(c assay.Check, err error) Result {
	lo, hi := Range(c)
	return Result{Check: c, Err: err, Lower: lo, Upper: hi}
}

// Range returns the smallest and the largest score of a check.
func Range(c assay.Check) (lo, hi float64) {
	if len(c.Range) == 2 {
		return c.Range[0], c.Range[1]
	}
	return 0, 1
}

// prepared returns the check and the answer as they are compared.
func prepared(c assay.Check, answer string) (assay.Check, string) {
	if c.Trim {
		answer = strings.TrimSpace(answer)
	}
	if c.IgnoreCase && c.Kind != assay.CheckRegex {
		answer, c.Value = strings.ToLower(answer), lower(c.Value)
	}
	return c, answer
}

// set tests the members of a set. Members that do not apply are left out; those without a
// result leave the set without one, unless it is decided by the others, and its share between
// bounds.
func set(ctx context.Context, c assay.Check, s Subject) Result {
	out := Result{Check: c}
	failed, open, applies := false, error(nil), false // open is why a verdict is not known
	total := 0.0
	for _, one := range c.Checks {
		of := Run(ctx, one, s)
		out.Of = append(out.Of, of)
		if of.Skipped != "" {
			continue
		}
		w := Weight(one)
		applies, total = true, total+w
		lo, hi := of.share()
		out.Lower, out.Upper = out.Lower+lo*w, out.Upper+hi*w
		if w == 0 {
			continue
		}
		if err := of.Unscored(); err != nil {
			out.open = err
		}
		switch {
		case of.Err != nil:
			open = of.Err
		case !of.Passed:
			failed = true
		}
	}
	switch {
	case !applies:
		return Result{Check: c, Of: out.Of, Skipped: "none of its members applies"}
	case total == 0:
		return Result{Check: c, Of: out.Of, Skipped: "none of its members counts: each has weight 0"}
	}
	out.Lower, out.Upper = out.Lower/total, out.Upper/total
	out.Passed, out.Why = !failed, "a member failed"
	decided := open == nil || failed
	if c.Threshold != nil {
		// A sum of weights such as 0.1 and 0.2 is not exact.
		const slack = 1e-12
		out.Passed = out.Lower >= *c.Threshold-slack
		out.Why = fmt.Sprintf("%.3g of the weight passed, less than %v", out.Upper, *c.Threshold)
		decided, open = out.Passed || out.Upper < *c.Threshold-slack, out.open
	}
	if c.Not {
		out.Passed, out.Lower, out.Upper, out.Why = !out.Passed, 1-out.Upper, 1-out.Lower, "it is so"
	}
	out.Score = out.Lower
	switch {
	case !decided:
		out.Passed, out.Score, out.Why, out.Err = false, 0, "", open
	case out.Passed:
		out.Why = ""
	}
	return out
}

// share returns the bounds of what a member of a set counts: the share of a set, else whether
// it passed.
func (r Result) share() (lo, hi float64) {
	switch {
	case r.Check.Kind == assay.CheckSet:
		return r.Lower, r.Upper
	case r.Err != nil:
		return 0, 1
	case r.Passed:
		return 1, 1
	}
	return 0, 0
}

// Weight returns the weight of a check.
func Weight(c assay.Check) float64 {
	if c.Weight != nil {
		return *c.Weight
	}
	return 1
}

// Describe returns the check in a few words: its name, its kind and its value.
func Describe(c assay.Check) string {
	out := c.Kind
	if c.Not {
		out = "not " + out
	}
	if c.Name != "" {
		out = c.Name + ": " + out
	}
	switch all := textsOf(c.Value); {
	case c.Kind == assay.CheckSet:
		out += fmt.Sprintf(" of %d", len(c.Checks))
	case c.Kind == assay.CheckIsJSON || c.Kind == assay.CheckContainsJSON:
		if c.Value != nil {
			out += " by a schema"
		}
	case all != nil:
		out += " " + quoted(all)
	case c.Value != nil:
		out += " " + jsonschema.Shown(c.Value)
	}
	for _, f := range []struct {
		name string
		is   *float64
	}{{"threshold", c.Threshold}, {"relative", c.Relative}, {"min", c.Min}, {"max", c.Max}} {
		if f.is != nil {
			out += fmt.Sprintf(", %s %v", f.name, *f.is)
		}
	}
	if c.Of != "" {
		out += " " + c.Of
	}
	if c.When != "" {
		out += ", when " + c.When
	}
	return out
}
