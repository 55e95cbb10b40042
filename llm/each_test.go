package llm_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay/llm"
)

// listing answers with the texts of all messages, one a line.
func listing(_ context.Context, _ int, r llm.Request) (llm.Reply, error) {
	var lines []string
	for _, m := range r.Messages {
		lines = append(lines, "re: "+m.Text)
	}
	return llm.Reply{Text: strings.Join(lines, "\n"), Usage: llm.Usage{Input: 10 * len(lines)}}, nil
}

// lines divides such an answer.
func lines(r llm.Request, whole llm.Reply) ([]llm.Reply, error) {
	var out []llm.Reply
	for line := range strings.SplitSeq(whole.Text, "\n") {
		out = append(out, llm.Reply{Text: line, Usage: llm.Usage{Input: whole.Usage.Input / len(r.Messages)}})
	}
	return out, nil
}

func kept(l llm.Ledger) func(*llm.ClientConfig) { return func(c *llm.ClientConfig) { c.Ledger = l } }

func impatient(l llm.Ledger) func(*llm.ClientConfig) {
	return func(c *llm.ClientConfig) { c.Ledger, c.Retries = l, -1 }
}

func several(texts ...string) llm.Request {
	r := llm.Request{Operation: "list", Model: "m"}
	for _, t := range texts {
		r.Messages = append(r.Messages, llm.Message{Role: "user", Text: t})
	}
	return r
}

func texts(replies []llm.Reply) string {
	var out []string
	for _, r := range replies {
		out = append(out, r.Text)
	}
	return strings.Join(out, ", ")
}

// Each message is kept on its own: other messages beside it make no difference.
func TestCompleteEach(t *testing.T) {
	t.Parallel()
	p := &scripted{name: "p", f: listing}
	ledger := &memory{}
	c := client(t, p, kept(ledger))
	for _, step := range []struct {
		ask, want string
		sent      []string // the messages of the calls that this takes, one call after the other
	}{
		{"a b", "re: a, re: b", []string{"a b"}},
		{"b a", "re: b, re: a", nil},
		{"c a d c", "re: c, re: a, re: d, re: c", []string{"c d"}},
		{"e a", "re: e, re: a", []string{"e"}},
		{"", "", nil},
	} {
		before := p.count()
		got, err := c.CompleteEach(t.Context(), several(strings.Fields(step.ask)...), lines)
		if err != nil || texts(got) != step.want {
			t.Errorf("%q: %q, %v: want %q", step.ask, texts(got), err, step.want)
		}
		var sent []string
		for _, r := range p.calls[before:] {
			var s []string
			for _, m := range r.Messages {
				s = append(s, m.Text)
			}
			sent = append(sent, strings.Join(s, " "))
		}
		if fmt.Sprint(sent) != fmt.Sprint(step.sent) {
			t.Errorf("%q: sent %q: want %q", step.ask, sent, step.sent)
		}
	}
	if len(ledger.calls) != 5 {
		t.Errorf("%d calls are kept: want one for each of 5 messages", len(ledger.calls))
	}
	// What was kept is what the message alone would have been given.
	one, err := c.Complete(t.Context(), several("d"))
	if err != nil || one.Text != "re: d" || one.Usage.Input != 10 {
		t.Errorf("%+v, %v", one, err)
	}
	if replayed, err := client(t, p, func(c *llm.ClientConfig) { c.Ledger, c.Mode = ledger, llm.Replay }).
		CompleteEach(t.Context(), several("a", "new", "newer"), lines); !llm.IsKind(err, llm.KindReplay) {
		t.Errorf("%v, %v: want a replay to ask nothing", replayed, err)
	}
}

// The caller of a shared client is told of each reply once.
func TestCompleteEachCounts(t *testing.T) {
	t.Parallel()
	ledger := &memory{}
	p := &scripted{name: "p", f: listing}
	for i, want := range []struct{ all, cached int }{{3, 0}, {3, 2}} {
		caller := &llm.Caller{Run: fmt.Sprint("run-", i)}
		ctx := llm.WithCaller(t.Context(), caller)
		c := client(t, p, kept(ledger))
		if _, err := c.CompleteEach(ctx, several("a", "b", fmt.Sprint("own ", i)), lines); err != nil {
			t.Fatal(err)
		}
		if all, cached := caller.Replies(); all != want.all || cached != want.cached {
			t.Errorf("call %d: %d replies, %d cached: want %+v", i, all, cached, want)
		}
	}
}

// A reply that cannot be divided is none, and nothing of it is kept.
func TestCompleteEachRefuses(t *testing.T) {
	t.Parallel()
	ledger := &memory{}
	p := &scripted{name: "p", f: listing}
	for name, divide := range map[string]llm.Divide{
		"2 replies for 3 messages": func(r llm.Request, w llm.Reply) ([]llm.Reply, error) { all, err := lines(r, w); return all[1:], err },
		"no list":                  func(llm.Request, llm.Reply) ([]llm.Reply, error) { return nil, fmt.Errorf("no list") },
	} {
		_, err := client(t, p, impatient(ledger)).CompleteEach(t.Context(), several("a", "b", "c"), divide)
		if !llm.IsKind(err, llm.KindReply) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: want %q", err, name)
		}
	}
	if len(ledger.calls) > 0 {
		t.Errorf("%d calls are kept", len(ledger.calls))
	}
	broken := &memory{write: fmt.Errorf("disk full")}
	if _, err := client(t, p, impatient(broken)).CompleteEach(t.Context(), several("a", "b"), lines); !llm.IsKind(err, llm.KindLedger) {
		t.Errorf("%v: want the ledger's error", err)
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		most, server int // that the batch begins with, and that the server takes
		bad          int // an item that is refused; -1 is none
		calls        int
		then         int // the batch at the end
		fails        bool
	}{
		{"all at once", 16, 16, -1, 1, 16, false},
		{"in two", 8, 8, -1, 2, 8, false},
		// 16 is refused; of the first 8, 4 and 4 are taken; the second half is asked by fours.
		{"halved", 16, 4, -1, 6, 4, false},
		// 16, 8, 4, 2 and the one alone.
		{"a bad item", 16, 16, 0, 5, 16, true},
	} {
		b := llm.NewBatch(c.most)
		calls := 0
		done := map[int]bool{}
		err := b.Do(0, 16, func(first, last int) error {
			calls++
			if last-first > c.server || c.bad >= first && c.bad < last {
				return &llm.Error{Kind: llm.KindTooLong}
			}
			for i := first; i < last; i++ {
				if done[i] {
					t.Errorf("%s: item %d twice", c.name, i)
				}
				done[i] = true
			}
			return nil
		})
		if (err != nil) != c.fails || calls != c.calls || b.Most() != c.then || !c.fails && len(done) != 16 {
			t.Errorf("%s: %v, %d calls, then %d at once, %d items done: want %d calls, then %d", c.name, err, calls, b.Most(), len(done),
				c.calls, c.then)
		}
	}
	calls := 0
	if err := llm.NewBatch(8).Do(0, 8, func(int, int) error { calls++; return &llm.Error{Kind: llm.KindAuth} }); err == nil || calls != 1 {
		t.Errorf("%v after %d calls: want another error to end it", err, calls)
	}
}
