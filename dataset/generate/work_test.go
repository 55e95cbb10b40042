package generate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/llm"
)

func TestWork(t *testing.T) {
	t.Parallel()
	ids := []string{"a", "b", "c", "d"}
	broken := errors.New("broken")
	do := func(_ context.Context, i int) (string, error) {
		if ids[i] == "b" {
			return "", broken
		}
		return "of " + ids[i], nil
	}
	last := 0
	results, problems, err := generate.Work(t.Context(), ids, 2, do, func(done, total int) { last = max(last, done) })
	if err != nil || len(problems) != 1 || !errors.Is(problems["b"], broken) || last != 4 {
		t.Errorf("problems %v, %v, told of %d", problems, err, last)
	}
	if d := cmp.Diff(map[string]string{"a": "of a", "c": "of c", "d": "of d"}, results); d != "" {
		t.Error(d)
	}
}

func TestWorkEnds(t *testing.T) {
	t.Parallel()
	ids := []string{"a", "b", "c", "d", "e"}
	spent := &llm.Error{Kind: llm.KindBudget, Message: "spent"}
	results, _, err := generate.Work(t.Context(), ids, 1, func(_ context.Context, i int) (int, error) {
		if i == 2 {
			return 0, spent
		}
		return i, nil
	}, nil)
	if !errors.Is(err, spent) || len(results) != 2 {
		t.Errorf("%v, %d results; want the fatal error after 2", err, len(results))
	}
	ctx, cancel := context.WithCancel(t.Context())
	results, problems, err := generate.Work(ctx, ids, 1, func(_ context.Context, i int) (int, error) {
		if i == 1 {
			cancel()
		}
		return i, ctx.Err()
	}, nil)
	if !errors.Is(err, context.Canceled) || len(results) != 1 || len(problems) != 0 {
		t.Errorf("%v, %d results, problems %v; want it canceled after 1", err, len(results), problems)
	}
}
