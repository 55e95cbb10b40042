// Package probe tries a judge on small tasks whose right answer is known:
// [Probe] asks whether a model can do the work at all, [Bias] whether its
// rulings follow what they should not: order, length, style, its own kin.
//
// The texts are this project's own and about invented things, in English and
// Chinese. Limits are those of metrics.md 3.6 where it has them; the others say
// here what they rest on.
package probe

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/stats"
)

// Outcome tells how a test went.
type Outcome string

// The outcomes.
const (
	Pass Outcome = "pass"
	Fail Outcome = "fail"
	// NotMeasured means that something is needed that was not given.
	NotMeasured Outcome = "not measured"
	// Noted means that there is no limit: the effect is told.
	Noted Outcome = "noted"
)

// A Test is one property of a judge.
type Test struct {
	Name string `json:"name"`
	// Doc says what the effect is.
	Doc string `json:"doc"`
	// Effect is over N units; it means nothing when N is 0. Interval has the
	// report's level; that of an equivalence test, which is two one-sided ones,
	// has the level that Limit names.
	Effect   float64         `json:"effect"`
	Interval *stats.Interval `json:"interval,omitempty"`
	N        int             `json:"n"`
	// Unread counts the units that the judge left without a ruling. They are
	// not in the effect.
	Unread int `json:"unread,omitempty"`
	// Limit is what Effect is held against, in words.
	Limit   string  `json:"limit,omitempty"`
	Outcome Outcome `json:"outcome"`
	// Note says what is needed, or what a reader should know.
	Note string `json:"note,omitempty"`
	// Parts take the effect apart.
	Parts []Part `json:"parts,omitempty"`
}

// A Part is the same effect over some of the units.
type Part struct {
	Name     string          `json:"name"`
	Effect   float64         `json:"effect"`
	Interval *stats.Interval `json:"interval,omitempty"`
	N        int             `json:"n"`
}

// A Report is what the tests found.
type Report struct {
	Judge assay.JudgeInfo `json:"judge"`
	Tests []Test          `json:"tests"`
	// Fit is set when no test failed; Reasons say which did.
	Fit     bool     `json:"fit"`
	Reasons []string `json:"reasons,omitempty"`
	// Level is that of the intervals.
	Level float64 `json:"level"`
}

// conclude draws the verdict from the tests.
func (r *Report) conclude() {
	for _, t := range r.Tests {
		if t.Outcome != Fail {
			continue
		}
		reason := fmt.Sprintf("%s: %.3g, want %s (n = %d)", t.Name, t.Effect, t.Limit, t.N)
		if t.N == 0 || tooManyUnread(t.N, t.Unread) {
			reason = fmt.Sprintf("%s: %d of %d without a ruling: want %.0f %% at most", t.Name, t.Unread, t.N+t.Unread, 100*maxUnread)
		}
		r.Reasons = append(r.Reasons, reason)
	}
	r.Fit = len(r.Reasons) == 0
}

// Options say how much is asked. The zero value takes the defaults.
type Options struct {
	// Items is how many of the items in each language are used; 0 means all 10.
	Items int
	// Concurrency is how many questions are open at once; 0 means 10.
	Concurrency int
	// Level is that of the intervals; 0 means 0.95.
	Level float64
	// Seed decides the orders that things are shuffled to.
	Seed uint64
	// Done, if it is set, hears how many steps of how many are finished.
	Done func(done, total int)
}

func (o Options) withDefaults() (Options, error) {
	if o.Items == 0 {
		o.Items = len(englishItems)
	}
	if o.Concurrency == 0 {
		o.Concurrency = 10
	}
	if o.Level == 0 {
		o.Level = stats.DefaultLevel
	}
	switch {
	case o.Items < 4 || o.Items > len(englishItems):
		return o, fmt.Errorf("items: %d: want 4 to %d of each language", o.Items, len(englishItems))
	case o.Concurrency < 0:
		return o, fmt.Errorf("concurrency: %d: want 1 or more", o.Concurrency)
	case o.Level <= 0.5 || o.Level >= 1:
		return o, fmt.Errorf("level: %v: want a number between 0.5 and 1", o.Level)
	}
	return o, nil
}

// items are those that the options take.
func (o Options) items() []Item { return Items()[:2*o.Items] }

// A step is one question, or several that belong together.
type step func(ctx context.Context) error

// perform takes the steps, some at once. An error of a step that is not fatal
// is the step's own business.
func perform(ctx context.Context, o Options, steps []step) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(o.Concurrency)
	var mu sync.Mutex
	done := 0
	for _, s := range steps {
		g.Go(func() error {
			if err := gctx.Err(); err != nil {
				return err
			}
			if err := s(gctx); judge.Fatal(err) {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			if o.Done != nil && gctx.Err() == nil {
				o.Done(done, len(steps))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// share is the effect of a proportion: hits of n.
type share struct{ hits, n, unread int }

func (s *share) add(hit bool) {
	s.n++
	if hit {
		s.hits++
	}
}

func (s share) rate() float64 {
	if s.n == 0 {
		return 0
	}
	return float64(s.hits) / float64(s.n)
}

func (s share) interval(level float64) *stats.Interval {
	if s.n == 0 {
		return nil
	}
	ci := stats.Wilson(float64(s.hits), s.n, level)
	return &ci
}

func (s share) part(name string, level float64) Part {
	return Part{Name: name, Effect: s.rate(), Interval: s.interval(level), N: s.n}
}

// test makes a test of a share. A share of nothing fails: the judge said
// nothing that could be counted.
func (s share) test(t Test, level float64, passes bool) Test {
	t.Effect, t.Interval, t.N, t.Unread = s.rate(), s.interval(level), s.n, s.unread
	t.Outcome = Fail
	if passes && s.n > 0 && !tooManyUnread(s.n, s.unread) {
		t.Outcome = Pass
	}
	t.missing()
	return t
}

// missing notes that too many units have no ruling.
func (t *Test) missing() {
	if tooManyUnread(t.N, t.Unread) {
		t.Note = fmt.Sprintf("%d of %d without a ruling, more than %.0f %%", t.Unread, t.N+t.Unread, 100*maxUnread)
	}
}

// maxUnread is the share of units that may be missing from an effect that is
// relied on (metrics.md 0.1).
const maxUnread = 0.05

func tooManyUnread(n, unread int) bool { return float64(unread) > maxUnread*float64(n+unread) }

// partner gives the item of the same language that is so many places on.
func partner(items []Item, i, places int) Item { return items[(i+2*places)%len(items)] }

// order gives the claims of a question in one order or the other.
func order[T any](turned bool, list ...T) []T {
	if turned {
		slices.Reverse(list)
	}
	return list
}
