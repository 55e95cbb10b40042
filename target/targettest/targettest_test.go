package targettest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/targettest"
)

type ask func(ctx context.Context, c *assay.Case) (assay.Response, error)

func (a ask) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) { return a(ctx, c) }

// good keeps every rule.
func good(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if err := ctx.Err(); err != nil {
		return assay.Response{}, err
	}
	switch c.ID {
	case "fails":
		return assay.Response{}, target.Errorf(target.Reply, "no JSON")
	case "silent":
		return assay.Response{Answer: "a"}, nil
	case "empty":
		return assay.Response{Passages: []assay.Passage{}}, nil
	case "hangs":
		<-ctx.Done()
		return assay.Response{}, ctx.Err()
	}
	return assay.Response{Answer: c.Question, Passages: []assay.Passage{{Text: "p"}}}, nil
}

func suite(a ask) targettest.Suite {
	return targettest.Suite{
		Target: a, Cases: []assay.Case{{ID: "1", Question: "one?"}, {ID: "2", Question: "two?"}},
		Fails:  map[string]assay.Case{"reply": {ID: "fails"}},
		Silent: &assay.Case{ID: "silent"}, Empty: &assay.Case{ID: "empty"}, Hangs: &assay.Case{ID: "hangs"},
	}
}

func TestGoodTarget(t *testing.T) { targettest.Run(t, suite(good)) }

// Each target breaks one rule, and the kit says which.
func TestBrokenTargets(t *testing.T) {
	on := func(id string, broken ask) ask {
		return func(ctx context.Context, c *assay.Case) (assay.Response, error) {
			if c.ID == id {
				return broken(ctx, c)
			}
			return good(ctx, c)
		}
	}
	asked := make(chan struct{}, 1000)
	shared := []assay.Passage{{Text: "p"}}
	for _, test := range []struct {
		name string
		ask  ask
		says string
	}{
		{"fails a case", on("1", func(context.Context, *assay.Case) (assay.Response, error) { return assay.Response{}, errors.New("no") }),
			`case "1": no`},
		{"changes the case", on("1", func(ctx context.Context, c *assay.Case) (assay.Response, error) {
			c.Question = "other"
			return good(ctx, c)
		}), "changed its case"},
		{"shares passages", on("1", func(ctx context.Context, c *assay.Case) (assay.Response, error) {
			return assay.Response{Passages: shared}, ctx.Err()
		}), "nothing shared"},
		{"answers differently", on("2", func(ctx context.Context, c *assay.Case) (assay.Response, error) {
			asked <- struct{}{}
			return assay.Response{Answer: strings.Repeat("x", len(asked))}, ctx.Err()
		}), "want the same"},
		{"answers what must fail", on("fails", func(context.Context, *assay.Case) (assay.Response, error) { return assay.Response{}, nil }),
			"is answered"},
		{"error with a response", on("fails", func(context.Context, *assay.Case) (assay.Response, error) {
			return assay.Response{Answer: "a"}, target.Errorf(target.Reply, "x")
		}), "one or the other"},
		{"wrong kind", on("fails", func(context.Context, *assay.Case) (assay.Response, error) {
			return assay.Response{}, target.Errorf(target.Crash, "x")
		}), `kind "crash": want "reply"`},
		{"no kind", on("fails", func(context.Context, *assay.Case) (assay.Response, error) { return assay.Response{}, errors.New("x") }),
			"has no kind"},
		{"no message", on("fails", func(context.Context, *assay.Case) (assay.Response, error) {
			return assay.Response{}, target.Errorf(target.Reply, "")
		}), "without a message"},
		{"wait without retry", on("fails", func(context.Context, *assay.Case) (assay.Response, error) {
			return assay.Response{}, &target.Error{Kind: target.Reply, After: 1, Err: errors.New("x")}
		}), "want no wait"},
		{"silent is empty", on("silent", func(context.Context, *assay.Case) (assay.Response, error) {
			return assay.Response{Passages: []assay.Passage{}}, nil
		}), "want nil"},
		{"empty is silent", on("empty", func(context.Context, *assay.Case) (assay.Response, error) { return assay.Response{}, nil }),
			"want an empty list"},
		{"ignores its context", on("1", func(_ context.Context, c *assay.Case) (assay.Response, error) {
			return good(context.Background(), c)
		}), "wraps the context's"},
		{"hangs for ever", on("hangs", func(context.Context, *assay.Case) (assay.Response, error) { select {} }), "no end within"},
		{"leaves a goroutine", on("hangs", func(ctx context.Context, c *assay.Case) (assay.Response, error) {
			go func() { select {} }()
			return good(ctx, c)
		}), "goroutines are left"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var all []string
			for _, err := range targettest.Check(t.Context(), suite(test.ask)) {
				all = append(all, err.Error())
			}
			if got := strings.Join(all, "\n"); !strings.Contains(got, test.says) {
				t.Errorf("the kit says %q: want %q", got, test.says)
			}
		})
	}
	if got := targettest.Check(t.Context(), targettest.Suite{Target: ask(good)}); len(got) != 1 {
		t.Errorf("a suite without cases gives %v", got)
	}
}
