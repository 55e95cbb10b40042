package checks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
)

// An expression that would take hours ends without a result, on every machine at the same
// point.
func TestWorkIsBounded(t *testing.T) {
	t.Parallel()
	var words strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&words, "b%d ", i)
	}
	long := &assay.Response{Answer: strings.Repeat("a", 300_000), Passages: []assay.Passage{{Text: words.String()}}}
	for _, source := range []string{
		`any(split(answer, ""), any(split(answer, ""), # == "q"))`,
		`any(split(answer, ""), any(split(answer, ""), any(split(answer, ""), # == "q")))`,
		`any(split(answer, ""), lower(answer) contains "q")`,
		`count(split(answer, ""), # in split(answer, "")) == 0`,
		`len(map(split(answer, ""), answer + #)) == 0`,
		`len(sortBy(split(answer, ""), passages)) == 0`,
		`all(split(passages[0].text, ""), trimPrefix(answer, #) != "")`,
		`len(groupBy(split(answer, ""), answer)) == 0`,
		`answer matches "(.{0,1000}){1}.{0,1000}.{0,1000}.{0,1000}x"`,
		`any(split(answer, ""), answer matches "q" + #)`,
		`any(split(passages[0].text, " "), "" matches ".{0,1000}.{0,1000}q" + #)`,
	} {
		c := assay.Check{Kind: assay.CheckExpression, Value: source}
		if err := checks.Valid(c); err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if r := run(t, c, long); r.Err == nil || !strings.Contains(r.Err.Error(), "more work than they may") {
			t.Errorf("%s: %s, %v; want no result, because of its work", source, outcome(r), r.Err)
		}
	}
	// What people write has room on long responses.
	for _, source := range []string{
		`count(split(answer, ""), # == "a") == 300000`,
		`all(split(passages[0].text, " "), len(#) < 7)`,
		`all(passages, not (lower(.text) contains lower(answer)))`,
		`any(passages, any(split(.text, " "), # == "b99999"))`,
		`answer matches "^a+$" and not (answer matches "(?i)refund|money|back")`,
		`len(sortBy(split(passages[0].text, " "), #)) == 100001`,
		`len(groupBy(split(answer, ""), #)) == 1`,
		`none(split(passages[0].text, " "), # matches "[cd]")`,
	} {
		if r := run(t, assay.Check{Kind: assay.CheckExpression, Value: source}, long); outcome(r) != "passed" {
			t.Errorf("%s: %s, %v", source, outcome(r), r.Err)
		}
	}
}

// A check that would take minutes has no result, also in a set and with not.
func TestChecksAreBounded(t *testing.T) {
	t.Parallel()
	const long = 400_000
	deep := map[string]any{"$ref": "#/$defs/d0"}
	defs := map[string]any{"d40": map[string]any{"const": "y"}}
	for i := range 40 {
		next := map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i+1)}
		defs[fmt.Sprint("d", i)] = map[string]any{"anyOf": []any{next, next}}
	}
	deep["$defs"] = defs
	var numbers strings.Builder
	var wanted []any
	for i := range 20_000 {
		fmt.Fprintf(&numbers, "%d apples, ", 100_000+i)
		wanted = append(wanted, 200_000+i)
	}
	few := 5.0
	many := assay.Check{Kind: assay.CheckSet}
	for range 50 {
		many.Checks = append(many.Checks, assay.Check{Kind: assay.CheckLevenshtein, Value: strings.Repeat("x", 5000), Threshold: &few})
	}
	text := func(n int) string { return strings.Repeat("x", n) }
	for name, one := range map[string]struct {
		check  assay.Check
		answer string
	}{
		"levenshtein":         {assay.Check{Kind: assay.CheckLevenshtein, Value: strings.Repeat("y", long), Threshold: &few}, text(long)},
		"regex":               {assay.Check{Kind: assay.CheckRegex, Value: "(x?){500}x{500}y"}, text(long)},
		"regex, any case":     {assay.Check{Kind: assay.CheckRegex, Value: "(x?){500}x{500}y", IgnoreCase: true}, text(long)},
		"numbers":             {assay.Check{Kind: assay.CheckNumbers, Value: wanted}, numbers.String()},
		"anyOf":               {assay.Check{Kind: assay.CheckIsJSON, Value: deep}, `"` + text(long) + `"`},
		"pattern of a schema": {assay.Check{Kind: assay.CheckIsJSON, Value: map[string]any{"pattern": "(x?){500}x{500}y"}}, `"` + text(long) + `"`},
		"braces":              {assay.Check{Kind: assay.CheckContainsJSON}, strings.Repeat(`{"a":`, long/5)},
		"many texts":          {assay.Check{Kind: assay.CheckContainsAny, Value: slices.Repeat([]string{"y"}, 10_000)}, text(long)},
		"a set of many":       {many, text(5000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, not := range []bool{false, true} {
				one.check.Not = not
				if r := run(t, one.check, response(one.answer)); r.Err == nil || !strings.Contains(r.Err.Error(), "more work than they may") {
					t.Errorf("not %v: %s, %v: want no result", not, outcome(r), r.Err)
				}
			}
		})
	}
	// What decides without the work does.
	c := assay.Check{Kind: assay.CheckLevenshtein, Value: text(10), Threshold: &few}
	if r := run(t, c, response(text(long))); r.Err != nil || r.Passed || r.Why != `at least 399990 characters differ from "xxxxxxxxxx", more than 5` {
		t.Errorf("%s, %v: want a check that fails", outcome(r), r.Err)
	}
}

// A check of a run that has ended has no result.
func TestChecksAreInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []assay.Check{{Kind: assay.CheckContains, Value: "24"}, {Kind: assay.CheckSet, Checks: []assay.Check{{Kind: assay.CheckContains, Value: "24"}}}} {
		r := checks.Run(ctx, c, checks.Subject{Case: &assay.Case{ID: "q1"}, Response: response("24 days")})
		if !errors.Is(r.Err, context.Canceled) {
			t.Errorf("%s, %v: want no result", outcome(r), r.Err)
		}
	}
}

// An evaluation ends when its run does.
func TestExpressionIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := assay.Check{Kind: assay.CheckExpression, Value: `all(passages, len(.text) > 0)`}
	r := checks.Run(ctx, c, checks.Subject{Case: &assay.Case{ID: "q1"}, Response: response("24 days")})
	if !errors.Is(r.Err, context.Canceled) {
		t.Errorf("%s, %v: want no result", outcome(r), r.Err)
	}
}
