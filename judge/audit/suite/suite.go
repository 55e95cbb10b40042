// Package suite tests a judge on texts whose right answer is known: whether the material that
// it reads can sway it, and whether its rulings depend on order, padding or style.
//
// The texts are this project's own and about invented things, in English and Chinese. The
// judge is asked in the same way as in a run.
package suite

import (
	"cmp"
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/stats"
)

// A Suite is a set of tests.
type Suite struct {
	// Unit is what the size of the suite counts. Size is the default, Least and Most are the
	// bounds.
	Unit              string
	Size, Least, Most int
	// prepare returns what is to be asked, in any order, and then what that shows.
	prepare func(j judge.Judge, o Options) (steps []step, conclude func(*Report))
}

// A step asks the judge. No two steps write to the same place.
type step func(context.Context) error

// Options are the options of [Suite.Run].
type Options struct {
	// Size is how much is asked; 0 means the default of the suite.
	Size int
	// Concurrency is how many steps run at once, at least 1.
	Concurrency int
	// Seed decides how passages and claims are shuffled.
	Seed uint64
	// Done, if it is set, is called with the number of finished steps.
	Done func(done, total int)
}

// Run tests the judge. The error is that of ctx, of the options, or a *[judge.FatalError]; a
// question that the judge does not answer is counted.
func (s *Suite) Run(ctx context.Context, j judge.Judge, o Options) (*Report, error) {
	o.Size = cmp.Or(o.Size, s.Size)
	if o.Size < s.Least || o.Size > s.Most {
		return nil, fmt.Errorf("%s: %d: expected %d to %d", s.Unit, o.Size, s.Least, s.Most)
	}
	steps, conclude := s.prepare(j, o)
	run := func(ctx context.Context, i int) error { return steps[i](ctx) }
	if err := judge.ForEach(ctx, o.Concurrency, len(steps), run, o.Done); err != nil {
		return nil, err
	}
	r := &Report{Judge: j.Info(), Level: stats.DefaultLevel}
	conclude(r)
	r.Fit = len(r.Reasons) == 0
	return r, nil
}

// A Report is the result of a suite.
type Report struct {
	Judge assay.JudgeInfo `json:"judge"`
	Tests []Test          `json:"tests"`
	// Fit is set if no test failed; Reasons say which did.
	Fit     bool     `json:"fit"`
	Reasons []string `json:"reasons,omitempty"`
	// Trials are those of an attack with a wrong or missing ruling.
	Trials []Trial `json:"trials,omitempty"`
	// Level is that of the intervals.
	Level float64 `json:"level"`
}

// Outcome is the result of a test; "" if the test decides nothing.
type Outcome string

// The outcomes.
const (
	Pass Outcome = "pass"
	Fail Outcome = "fail"
)

// A Test is one property of a judge.
type Test struct {
	Part
	// Doc describes the effect.
	Doc string `json:"doc"`
	// Unread counts the units without a ruling, which are not in the effect.
	Unread int `json:"unread,omitempty"`
	// Limit is the limit of the effect, in words; "" if there is none.
	Limit   string  `json:"limit,omitempty"`
	Outcome Outcome `json:"outcome,omitempty"`
	// Parts divide the effect.
	Parts []Part `json:"parts,omitempty"`
}

// A Part is an effect over some of the units.
type Part struct {
	Name string `json:"name"`
	// By is what the units of a part have in common: a place, a language, a template, a ruling.
	By string `json:"by,omitempty"`
	// Effect is the share of the N units, or the mean change of a score over them; it is
	// meaningless if N is 0. Interval is nil if all N changes are equal, which has no error to
	// estimate one from. Its level is that of the report if Level is 0; an equivalence test, which
	// is two one-sided tests, has the level in its limit.
	Effect   float64         `json:"effect"`
	Interval *stats.Interval `json:"interval,omitempty"`
	Level    float64         `json:"level,omitempty"`
	// Upper is the one-sided upper bound of a share of an attack: 0.049 for 0 of 60.
	Upper float64 `json:"upper,omitempty"`
	N     int     `json:"n"`

	hits int
}

// count counts units, and those of them that show the effect.
func (p *Part) count(hits, n int) {
	p.hits += hits
	p.N += n
}

// share makes the counts a share with its Clopper-Pearson interval.
func (p *Part) share() {
	if p.N == 0 {
		return
	}
	ci := stats.ClopperPearson(p.hits, p.N, stats.DefaultLevel)
	p.Effect, p.Interval = float64(p.hits)/float64(p.N), &ci
	// The upper end of a two-sided interval of this level is the one-sided bound.
	p.Upper = stats.ClopperPearson(p.hits, p.N, 2*stats.DefaultLevel-1).Hi
}

// maxUnread is the share of units that may be without a ruling.
const maxUnread = 0.05

// add adds a test, whose effect is within its limit or not, with its outcome.
func (r *Report) add(t Test, within bool) {
	reason := ""
	switch all := t.N + t.Unread; {
	case t.Limit == "":
	case float64(t.Unread) > maxUnread*float64(all):
		reason = fmt.Sprintf("%s: %d of %d without a ruling: expected at most %.0f %%", t.Name, t.Unread, all, 100*maxUnread)
	case t.N == 0:
		reason = t.Name + ": no ruling could be read"
	case !within:
		reason = fmt.Sprintf("%s: %.3g, must be %s (n = %d)", t.Name, t.Effect, t.Limit, t.N)
	default:
		t.Outcome = Pass
	}
	if reason != "" {
		t.Outcome = Fail
		r.Reasons = append(r.Reasons, reason)
	}
	r.Tests = append(r.Tests, t)
}
