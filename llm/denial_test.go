package llm_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/assay-eval/assay/llm"
)

// TestDenials denies requests before and after a reply: a denial ends the run before the
// first reply, or as one of five different requests in a row, and otherwise concerns its
// request alone.
func TestDenials(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 402, 403, 404, 307} {
		kind := llm.KindAuth
		if status == 404 || status == 307 {
			kind = llm.KindModel
		}
		denies := false
		p := &scripted{name: "p", f: func(context.Context, int, llm.Request) (llm.Reply, error) {
			if denies {
				return llm.Reply{}, &llm.Error{Kind: kind, Status: status, Message: "no"}
			}
			return llm.Reply{Text: "yes"}, nil
		}}
		fatal := func(c *llm.Client, request string) bool {
			t.Helper()
			_, err := c.Complete(t.Context(), ask(request))
			var e *llm.Error
			if !errors.As(err, &e) || e.Status != status {
				t.Fatalf("%d: %v", status, err)
			}
			return e.Fatal()
		}
		denies = true
		if !fatal(client(t, p, nil), "first") {
			t.Errorf("%d before the first reply does not end the run", status)
		}
		denies = false
		c := client(t, p, nil)
		must(t, c, ask("good"))
		denies = true
		for i := range 4 {
			for range 3 { // the same request again is no further one
				if fatal(c, fmt.Sprint("denied ", i)) {
					t.Errorf("%d: denial %d ends the run", status, i+1)
				}
			}
		}
		denies = false
		must(t, c, ask("good again"))
		denies = true
		for i := range 5 {
			if got := fatal(c, fmt.Sprint("denied ", i)); got != (i == 4) {
				t.Errorf("%d: denial %d in a row ends the run: %v", status, i+1, got)
			}
		}
	}
}
