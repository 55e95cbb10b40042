// Package probe tests a judge on small tasks whose right answer is known: whether its
// rulings depend on order, padding or style.
//
// The texts are this project's own and about invented things, in English and Chinese.
package probe

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Outcome is the result of a test.
type Outcome string

// The outcomes.
const (
	Pass Outcome = "pass"
	Fail Outcome = "fail"
)

// A Test is one property of a judge.
type Test struct {
	Name string `json:"name"`
	// Doc describes the effect.
	Doc string `json:"doc"`
	// Effect is over N units; it is meaningless if N is 0. Interval has the report's
	// level; for an equivalence test, which is two one-sided tests, it has the level in
	// Limit.
	Effect   float64         `json:"effect"`
	Interval *stats.Interval `json:"interval,omitempty"`
	N        int             `json:"n"`
	// Unread counts the units without a ruling, which are not in the effect.
	Unread int `json:"unread,omitempty"`
	// Limit is the limit of Effect, in words.
	Limit   string  `json:"limit,omitempty"`
	Outcome Outcome `json:"outcome"`
	// Note says that rulings are missing.
	Note string `json:"note,omitempty"`
	// Parts divide the effect.
	Parts []Part `json:"parts,omitempty"`
}

// A Part is the same effect over some of the units.
type Part struct {
	Name     string          `json:"name"`
	Effect   float64         `json:"effect"`
	Interval *stats.Interval `json:"interval,omitempty"`
	N        int             `json:"n"`
}

// A Report holds the results of the tests.
type Report struct {
	Judge assay.JudgeInfo `json:"judge"`
	Tests []Test          `json:"tests"`
	// Fit is set if no test failed; Reasons say which did.
	Fit     bool     `json:"fit"`
	Reasons []string `json:"reasons,omitempty"`
	// Level is that of the intervals.
	Level float64 `json:"level"`
}

// conclude sets Fit and Reasons.
func (r *Report) conclude() {
	for _, t := range r.Tests {
		if t.Outcome != Fail {
			continue
		}
		reason := fmt.Sprintf("%s: %.3g, want %s (n = %d)", t.Name, t.Effect, t.Limit, t.N)
		if t.N == 0 || tooManyUnread(t.N, t.Unread) {
			reason = fmt.Sprintf("%s: %d of %d without a ruling: want at most %.0f %%", t.Name, t.Unread, t.N+t.Unread, 100*maxUnread)
		}
		r.Reasons = append(r.Reasons, reason)
	}
	r.Fit = len(r.Reasons) == 0
}

// Options say how much is asked. The zero value selects the defaults.
type Options struct {
	// Items is the number of items in each language; 0 means all 10.
	Items int
	// Concurrency is how many questions are asked at once; 0 means 10.
	Concurrency int
	// Seed decides how passages and claims are shuffled.
	Seed uint64
	// Done, if it is set, is called with the number of finished steps.
	Done func(done, total int)
}

func (o Options) withDefaults() (Options, error) {
	most := len(items()) / 2
	o.Items, o.Concurrency = cmp.Or(o.Items, most), cmp.Or(o.Concurrency, 10)
	switch {
	case o.Items < 4 || o.Items > most:
		return o, fmt.Errorf("items: %d: want 4 to %d of each language", o.Items, most)
	case o.Concurrency < 0:
		return o, fmt.Errorf("concurrency: %d: want 1 or more", o.Concurrency)
	}
	return o, nil
}

// items are the items to use.
func (o Options) items() []Item { return Items()[:2*o.Items] }

// conclude sets the outcome of a test whose effect is within its limit or not, and notes that
// too many units have no ruling.
func (t *Test) conclude(within bool) {
	t.Outcome = Fail
	switch {
	case tooManyUnread(t.N, t.Unread):
		t.Note = fmt.Sprintf("%d of %d without a ruling, more than %.0f %%", t.Unread, t.N+t.Unread, 100*maxUnread)
	case within:
		t.Outcome = Pass
	}
}

// maxUnread is the share of units that may be missing from an effect.
const maxUnread = 0.05

func tooManyUnread(n, unread int) bool { return float64(unread) > maxUnread*float64(n+unread) }

// partner returns the item of the same language that many places further on.
func partner(items []Item, i, places int) Item { return items[(i+2*places)%len(items)] }
