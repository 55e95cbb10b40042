// Package targettest is the conformance kit of adapters: it checks what the engine
// relies on in every target.
package targettest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
)

// A Suite describes a target and its behaviour for some cases.
type Suite struct {
	Target assay.Target
	// Cases are answered; at least one is required.
	Cases []assay.Case
	// Varies says that answers to the same case may differ.
	Varies bool
	// Fails holds cases that the target fails, by the kind of failure.
	Fails map[string]assay.Case
	// Silent is a case whose response reports no passages, Empty one for which nothing
	// is retrieved; nil if the target has no such case.
	Silent, Empty *assay.Case
	// Hangs is a case that is answered only when its context is done; nil if the target
	// never waits.
	Hangs *assay.Case
}

// grace is how long a call may take to return after its context is done. The engine
// abandons a call after a second.
const grace = time.Second

// Run checks the suite and fails the test for every violated rule.
func Run(t *testing.T, s Suite) {
	t.Helper()
	for _, err := range Check(t.Context(), s) {
		t.Error(err)
	}
}

// Check returns an error for every rule that the target violates:
//
//   - a case is answered, with the same response each time unless Varies, also
//     concurrently, and the case is not changed;
//   - a response is not shared: changing it does not affect the next one;
//   - an error comes with an empty response and has a kind;
//   - passages are nil if they are not reported, and non-nil if they are;
//   - a call returns soon after its context is done, with an error that wraps the
//     context's, and leaves no goroutine.
func Check(ctx context.Context, s Suite) []error {
	c := &checker{ctx: ctx, Suite: s}
	if len(s.Cases) == 0 {
		return []error{errors.New("targettest: the suite has no case")}
	}
	c.answers()
	c.concurrency()
	c.failures()
	c.passages()
	c.cancellation()
	return c.broken
}

type checker struct {
	Suite
	ctx    context.Context
	broken []error
}

func (c *checker) report(format string, args ...any) {
	c.broken = append(c.broken, fmt.Errorf(format, args...))
}

// say formats a response without what may differ between two calls.
func say(r assay.Response) string {
	r.Latency = 0
	if r.Trace != nil {
		stages := slices.Clone(r.Trace.Stages)
		for i := range stages {
			stages[i].Latency = 0
		}
		r.Trace = &assay.Trace{Stages: stages}
	}
	b, err := json.Marshal(r)
	if err != nil {
		return "a response without a JSON form: " + err.Error()
	}
	return string(b)
}

func text(c assay.Case) string {
	b, err := json.Marshal(c)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func (c *checker) answers() {
	for i := range c.Cases {
		one := c.Cases[i]
		before := text(one)
		first, err := c.Target.Ask(c.ctx, &one)
		if err != nil {
			c.report("case %q: %w", one.ID, err)
			continue
		}
		if text(one) != before {
			c.report("case %q: the target changed its case", one.ID)
		}
		was := say(first)
		for j := range first.Passages {
			first.Passages[j] = assay.Passage{Text: "changed by the caller"}
		}
		if again, err := c.Target.Ask(c.ctx, &one); err != nil {
			c.report("case %q, asked again: %w", one.ID, err)
		} else if !c.Varies && say(again) != was {
			c.report("case %q: first %s, then %s: want the same, and nothing shared between two responses", one.ID, was, say(again))
		}
	}
}

// concurrency asks every case many times concurrently. Run with -race.
func (c *checker) concurrency() {
	const askers = 8
	want := make([]string, len(c.Cases))
	for i := range c.Cases {
		one := c.Cases[i]
		if r, err := c.Target.Ask(c.ctx, &one); err == nil {
			want[i] = say(r)
		}
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range askers {
		wg.Go(func() {
			for i := range c.Cases {
				one := c.Cases[(i+w)%len(c.Cases)]
				want := want[(i+w)%len(c.Cases)]
				r, err := c.Target.Ask(c.ctx, &one)
				mu.Lock()
				switch {
				case err != nil:
					c.report("case %q, asked by several at once: %w", one.ID, err)
				case !c.Varies && say(r) != want:
					c.report("case %q, asked by several at once: %s: want %s", one.ID, say(r), want)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// A failing error has a kind of failure and says whether to retry.
type failing interface {
	error
	Failure() assay.Failure
	Retry() (time.Duration, bool)
}

func (c *checker) failures() {
	for kind, one := range c.Fails {
		r, err := c.Target.Ask(c.ctx, &one)
		if err == nil {
			c.report("case %q is answered: want a failure of kind %q", one.ID, kind)
			continue
		}
		if say(r) != say(assay.Response{}) {
			c.report("case %q: an error comes with the response %s: want one or the other", one.ID, say(r))
		}
		var f failing
		switch {
		case !errors.As(err, &f):
			c.report("case %q: error %T has no kind: want *target.Error", one.ID, err)
		case f.Failure().Kind != kind:
			c.report("case %q: failure of kind %q: want %q", one.ID, f.Failure().Kind, kind)
		case f.Failure().Message == "":
			c.report("case %q: a failure without a message", one.ID)
		default:
			if after, again := f.Retry(); after < 0 || after > 0 && !again {
				c.report("case %q: wait %v, try again %v: want no wait without another attempt", one.ID, after, again)
			}
		}
	}
}

func (c *checker) passages() {
	if c.Silent != nil {
		if r, err := c.Target.Ask(c.ctx, c.Silent); err != nil {
			c.report("case %q: %w", c.Silent.ID, err)
		} else if r.Passages != nil {
			c.report("case %q: %d passages that are not nil: want nil, which says that none are reported", c.Silent.ID, len(r.Passages))
		}
	}
	if c.Empty != nil {
		if r, err := c.Target.Ask(c.ctx, c.Empty); err != nil {
			c.report("case %q: %w", c.Empty.ID, err)
		} else if r.Passages == nil || len(r.Passages) > 0 {
			c.report("case %q: passages %#v: want an empty list, which says that nothing was retrieved", c.Empty.ID, r.Passages)
		}
	}
}

func (c *checker) cancellation() {
	ctx, cancel := context.WithCancel(c.ctx)
	cancel()
	c.ended(ctx, "under a context that is done", c.Cases[0])
	if c.Hangs == nil {
		return
	}
	// The label is inherited by every goroutine that the call starts, which separates
	// them from those of parallel tests.
	label := fmt.Sprintf("%p", c)
	pprof.Do(c.ctx, pprof.Labels(labelKey, label), func(labelled context.Context) {
		ctx, cancel := context.WithTimeout(labelled, 20*time.Millisecond)
		defer cancel()
		c.ended(ctx, "when its context ends", *c.Hangs)
	})
	// Goroutines of a call may take a moment to end.
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	left := goroutines(label)
	for end := time.Now().Add(grace); left > 0 && time.Now().Before(end); left = goroutines(label) {
		<-tick.C
	}
	if left > 0 {
		c.report("case %q: %d goroutines are left of a call that was cancelled", c.Hangs.ID, left)
	}
}

const labelKey = "targettest"

// goroutines counts those with a label.
func goroutines(label string) int {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return 0
	}
	// A group of goroutines is "3 @ 0x…", its labels and its stack; groups are
	// separated by empty lines.
	n := 0
	for group := range strings.SplitSeq(profile.String(), "\n\n") {
		if !strings.Contains(group, fmt.Sprintf("%q:%q", labelKey, label)) {
			continue
		}
		var count int
		if _, err := fmt.Sscanf(group[strings.LastIndex("\n"+group[:strings.Index(group, " @ ")], "\n"):], "%d @", &count); err == nil {
			n += count
		}
	}
	return n
}

// ended asks a case whose context ends and checks the error.
func (c *checker) ended(ctx context.Context, when string, one assay.Case) {
	result := make(chan error, 1)
	go func() {
		_, err := c.Target.Ask(ctx, &one)
		result <- err
	}()
	<-ctx.Done()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-result:
		if !slices.ContainsFunc([]error{context.Canceled, context.DeadlineExceeded}, func(want error) bool { return errors.Is(err, want) }) {
			c.report("case %q, asked %s: error %v: want one that wraps the context's", one.ID, when, err)
		}
	case <-timer.C:
		c.report("case %q, asked %s: no end within %v", one.ID, when, grace)
	}
}
