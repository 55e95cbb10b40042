package queue_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/run/queue"
)

// TestLearnedAdd: what two processes learned is a set.
func TestLearnedAdd(t *testing.T) {
	var all queue.Learned
	for _, one := range []queue.Learned{
		{Versions: map[string]string{"app": "2"}, Warnings: []string{"c"}},
		{},
		{Versions: map[string]string{"app": "2", "python": "3.14"}, Warnings: []string{"a", "c"}},
		{Versions: map[string]string{"app": "1"}},
		{Versions: map[string]string{"app": "2"}},
	} {
		all.Add(one)
	}
	want := queue.Learned{Versions: map[string]string{"app": "1, 2", "python": "3.14"}, Warnings: []string{"a", "c"}}
	if d := cmp.Diff(want, all); d != "" {
		t.Error(d)
	}
}

// TestQueueLearned: what the last case teaches is stored before its record, so that the session,
// which ends with that record, finds it.
func TestQueueLearned(t *testing.T) {
	h := newHall(t)
	const cases = 8 // one batch
	taught := queue.Learned{Versions: map[string]string{"app": "2"}, Warnings: []string{"slow"}}
	var asked, told atomic.Int64
	ask := h.ask
	h.ask = func(ctx context.Context, c *assay.Case) (assay.Response, error) {
		if asked.Add(1) == cases {
			learned := func() queue.Learned {
				if n, err := h.store.Counts(context.WithoutCancel(t.Context()), "r"); err != nil || told.Add(1) == 1 && n.Records == cases {
					t.Errorf("told when there were %d records, %v: want it before the last", n.Records, err)
				}
				return taught
			}
			h.learned.Store(&learned)
		}
		return ask(ctx, c)
	}
	h.worker("one", 1)
	var d *queue.Dispatcher
	if _, err := h.perform("r", cases, nil, func(of *queue.Dispatcher) { d = of }, nil); err != nil {
		t.Fatal(err)
	}
	got, err := d.Learned(t.Context())
	if diff := cmp.Diff(taught, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
