package checks_test

import (
	"context"
	"errors"
	"fmt"
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
		if r := run(t, c, long); r.Err == nil || !strings.Contains(r.Err.Error(), "more work than an expression may") {
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
