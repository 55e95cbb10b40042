package llm_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/assay-eval/assay/llm"
)

// TestReject marks a reply: the client that marked it still has it, the next one asks
// again, and the marked reply remains in the ledger.
func TestReject(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "p", f: func(_ context.Context, n int, _ llm.Request) (llm.Reply, error) {
		return llm.Reply{Text: fmt.Sprint("reply ", n)}, nil
	}}
	ledger := &memory{}
	over := func(c *llm.ClientConfig) { c.Ledger = ledger }
	first := client(t, p, over)
	must(t, first, ask("q"))
	if err := llm.Reject(t.Context(), first, ask("q"), "no JSON"); err != nil {
		t.Fatal(err)
	}
	if r := must(t, first, ask("q")); r.Text != "reply 0" {
		t.Errorf("the same client: %q, want the reply that it rejected", r.Text)
	}
	replay := client(t, p, func(c *llm.ClientConfig) { c.Ledger, c.Mode = ledger, llm.Replay })
	if r := must(t, replay, ask("q")); r.Text != "reply 0" {
		t.Errorf("a replay: %q", r.Text)
	}
	for range 2 {
		if r := must(t, client(t, p, over), ask("q")); r.Text != "reply 1" || r.Unusable != "" {
			t.Errorf("another client: %+v, want a new reply, paid once", r)
		}
	}
	marked := 0
	for key, c := range ledger.calls {
		if sum := sha256.Sum256(c.Request); hex.EncodeToString(sum[:]) != key {
			t.Errorf("key %s is not that of the request %s", key, c.Request)
		}
		var r llm.Reply
		if err := json.Unmarshal(c.Reply, &r); err != nil {
			t.Fatal(err)
		}
		if r.Unusable == "no JSON" && r.Text == "reply 0" {
			marked++
		}
	}
	if len(ledger.calls) != 2 || marked != 1 {
		t.Errorf("the ledger has %d calls, %d of them marked: want the new reply and the old one", len(ledger.calls), marked)
	}
	// What keeps nothing need not be told.
	if err := llm.Reject(t.Context(), p, ask("q"), "no JSON"); err != nil {
		t.Error(err)
	}
}

// TestRejectByCaller: a server has one client for all that ask it. A run has one reply to a
// request, and another run asks again.
func TestRejectByCaller(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "p", f: echo}
	c := client(t, p, func(c *llm.ClientConfig) { c.Ledger = &memory{} })
	for i, run := range []string{"a", "a", "b", "b"} {
		ctx := llm.WithCaller(t.Context(), &llm.Caller{Run: run})
		if _, err := c.Complete(ctx, ask("q")); err != nil || p.count() != 1+i/2 {
			t.Errorf("call %d, of run %s: %v, %d requests in all, want %d", i, run, err, p.count(), 1+i/2)
		}
		if err := llm.Reject(ctx, c, ask("q"), "no JSON"); err != nil {
			t.Fatal(err)
		}
	}
}
