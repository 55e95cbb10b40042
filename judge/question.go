package judge

import (
	"context"
	"slices"
	"sync"

	"github.com/assay-eval/assay"
)

// A Question is a question about a case. A metric declares the questions that it reads
// ([Asks]); a run asks their union once, and all metrics read the answers in the same
// [Assessment].
type Question[Out any] struct {
	// Name identifies the question, Title names it in messages.
	Name, Title string
	// Tasks are the tasks that it gives to the judge.
	Tasks []AnyTask
	// After lists the questions that must be answered before.
	After Asks
	// When reports whether the case has the labels, and the response the parts, that the
	// question needs; nil always asks.
	When func(h *Hearing) bool
	// Find asks the judge. An error other than a [*FatalError] is kept as the
	// answer: the question failed.
	Find func(ctx context.Context, h *Hearing) (Out, error)
}

// AnyQuestion is a [Question] of any type.
type AnyQuestion interface {
	// ID is the name of the question, String its title.
	ID() string
	String() string
	// Puts lists the tasks that the question puts, Follows the questions that are
	// asked before it.
	Puts() []AnyTask
	Follows() Asks
	// State reports whether the question was asked, and why it has no answer.
	State(a *Assessment) (asked bool, err error)
	// Fail sets a failure in an assessment; Change calls edit with a pointer to a copy of a
	// known answer, and stores it.
	Fail(a *Assessment, err error)
	Change(a *Assessment, edit func(answer any))

	find(ctx context.Context, h *Hearing) (keep func(), err error)
}

// Of returns the answer in an assessment.
func (q *Question[Out]) Of(a *Assessment) Part[Out] {
	p, _ := a.parts[q.Name].(Part[Out])
	return p
}

// Set sets the answer in an assessment.
func (q *Question[Out]) Set(a *Assessment, p Part[Out]) {
	if a.parts == nil {
		a.parts = map[string]any{}
	}
	a.parts[q.Name] = p
}

// ID is the name of the question.
func (q *Question[Out]) ID() string { return q.Name }

// String is the title of the question.
func (q *Question[Out]) String() string { return q.Title }

// Puts lists the tasks that the question puts.
func (q *Question[Out]) Puts() []AnyTask { return q.Tasks }

// Follows lists the questions that are asked before this one.
func (q *Question[Out]) Follows() Asks { return q.After }

// State reports whether the question was asked, and why it has no answer.
func (q *Question[Out]) State(a *Assessment) (asked bool, err error) {
	p := q.Of(a)
	return p.asked, p.err
}

// Fail sets a failure in an assessment.
func (q *Question[Out]) Fail(a *Assessment, err error) { q.Set(a, Failed[Out](err)) }

// Change edits a known answer.
func (q *Question[Out]) Change(a *Assessment, edit func(answer any)) {
	if p := q.Of(a); p.asked && p.err == nil {
		edit(&p.value)
		q.Set(a, p)
	}
}

// find asks the question; keep sets the answer in the assessment, and is nil if there was
// nothing to ask. The error is fatal.
func (q *Question[Out]) find(ctx context.Context, h *Hearing) (keep func(), err error) {
	if q.When != nil && !q.When(h) {
		return nil, nil
	}
	v, err := q.Find(ctx, h)
	if Fatal(err) {
		return nil, err
	}
	part := Known(v)
	if err != nil {
		part = Failed[Out](err)
	}
	return func() { q.Set(h.Said, part) }, nil
}

// Asks is a set of questions.
type Asks []AnyQuestion

// Has reports whether the set holds a question of that name.
func (a Asks) Has(id string) bool {
	return slices.ContainsFunc(a, func(q AnyQuestion) bool { return q.ID() == id })
}

// Join returns the questions of both sets, each once.
func (a Asks) Join(more Asks) Asks {
	out := slices.Clone(a)
	for _, q := range more {
		if !out.Has(q.ID()) {
			out = append(out, q)
		}
	}
	return out
}

// With prepends the questions that must be asked before those of the set.
func (a Asks) With() Asks {
	var out Asks
	for _, q := range a {
		out = out.Join(q.Follows().With()).Join(Asks{q})
	}
	return out
}

// Tasks lists the tasks of the questions, each once.
func (a Asks) Tasks() []AnyTask {
	var out []AnyTask
	for _, q := range a.With() {
		for _, t := range q.Puts() {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// Prompts names the tasks, sorted.
func (a Asks) Prompts() []string { return named(a.Tasks()) }

// Rulings names the tasks whose answers are rulings, sorted.
func (a Asks) Rulings() []string {
	return named(slices.DeleteFunc(a.Tasks(), func(t AnyTask) bool { return !t.Rules() }))
}

// named returns the names of tasks, sorted.
func named(tasks []AnyTask) []string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.Operation())
	}
	slices.Sort(out)
	return out
}

// rounds orders the questions after those that they depend on.
func (a Asks) rounds() []Asks {
	var out []Asks
	var done Asks
	for open := a.With(); len(open) > 0; {
		var round, rest Asks
		for _, q := range open {
			if slices.ContainsFunc(q.Follows(), func(f AnyQuestion) bool { return !done.Has(f.ID()) }) {
				rest = append(rest, q)
			} else {
				round = append(round, q)
			}
		}
		out, done, open = append(out, round), append(done, round...), rest
	}
	return out
}

// A Hearing is the state while the questions about one case are asked.
type Hearing struct {
	Judge    Judge
	Plan     Plan
	Case     *assay.Case
	Response *assay.Response
	Subject  Subject
	// Sources are the passages of the response that are judged.
	Sources []Source
	// Said has the answers of the rounds before.
	Said *Assessment

	mu     sync.Mutex
	shared map[string]*sharedCall
}

// Asks reports whether the plan has a question of that name.
func (h *Hearing) Asks(id string) bool { return h.Plan.Asks.Has(id) }

// Warn adds a remark about the case to the assessment.
func (h *Hearing) Warn(remark string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Said.Warnings = append(h.Said.Warnings, remark)
}

// Once calls f at the first call with this key in a hearing, and returns its result every
// time: for questions that share a call of the judge. Waiting for the first call stops when
// ctx ends.
func Once[T any](ctx context.Context, h *Hearing, key string, f func() (T, error)) (T, error) {
	h.mu.Lock()
	if h.shared == nil {
		h.shared = map[string]*sharedCall{}
	}
	call, started := h.shared[key]
	if !started {
		call = &sharedCall{done: make(chan struct{})}
		h.shared[key] = call
	}
	h.mu.Unlock()
	if !started {
		defer close(call.done)
		v, err := f()
		call.value, call.err = v, err
		return v, err
	}
	select {
	case <-call.done:
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
	v, _ := call.value.(T)
	return v, call.err
}

// sharedCall is a call whose result several questions read; value and err are
// set before done is closed.
type sharedCall struct {
	done  chan struct{}
	value any
	err   error
}
