package server

import (
	"slices"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
)

// held locks a run until the test ends, as a process that executes it does.
func (b *bench) held(id string) {
	b.t.Helper()
	unlock, err := b.store.Lock(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = unlock() })
}

// goesOn stores a run that has the first records of another one, and returns a function that
// stores further ones.
func (b *bench) goesOn(hits string) (h assay.Header, more func(n int) []assay.Record) {
	b.t.Helper()
	b.stored("whole", hits)
	whole, err := b.store.Run(b.t.Context(), "whole")
	if err != nil {
		b.t.Fatal(err)
	}
	h = whole
	h.ID, h.State, h.Started = "live", stateRunning, time.Now()
	if err := b.store.CreateRun(b.t.Context(), h); err != nil {
		b.t.Fatal(err)
	}
	var all []assay.Record
	for r, err := range b.store.Records(b.t.Context(), "whole") {
		if err != nil {
			b.t.Fatal(err)
		}
		r.Warnings = []string{"read twice"}
		r.Response.Trace = &assay.Trace{Stages: []assay.Stage{{Name: "generate", Latency: 1e6}}}
		// Stored in another order than asked.
		all = append([]assay.Record{r}, all...)
	}
	return h, func(n int) []assay.Record {
		b.t.Helper()
		if err := b.store.Put(b.t.Context(), h.ID, all[:n]...); err != nil {
			b.t.Fatal(err)
		}
		added := all[:n]
		all = all[n:]
		return added
	}
}

// asKept compares a report with that of the stored records.
func (b *bench) asKept(got *report.Report) {
	b.t.Helper()
	rep, err := wire.Kept(b.t.Context(), b.store, got.Header)
	if err != nil {
		b.t.Fatal(err)
	}
	want, err := withoutCases(rep)
	if err != nil {
		b.t.Fatal(err)
	}
	if text, err := withoutCases(got); err != nil || string(text) != string(want) {
		b.t.Errorf("%v\n%s\nwant\n%s", err, text, want)
	}
}

// TestLiveOfAnotherProcess: a run of another process is that of its records, of which each
// is read once.
func TestLiveOfAnotherProcess(t *testing.T) {
	t.Parallel()
	b := start(t)
	h, more := b.goesOn("110101")
	for _, n := range []int{0, 2, 1, 3} {
		more(n)
		rep, err := b.server.reportSoFar(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		b.asKept(rep)
	}
	l, err := b.server.lives.fixed(t.Context(), h.ID, nil)
	if err != nil || l.n != 6 {
		t.Errorf("%v: %d records were read, want 6", err, l.n)
	}
}

// TestLiveOfThisProcess: a run of this process is reported from what its session has, not
// from the store.
func TestLiveOfThisProcess(t *testing.T) {
	t.Parallel()
	b := start(t)
	h, more := b.goesOn("1101")
	g := &task{id: h.ID, feed: newFeed(b.store, h.ID)}
	b.server.queue.mu.Lock()
	b.server.queue.active[h.ID] = g
	b.server.queue.mu.Unlock()
	build := report.NewBuilder()
	g.feed.reporting(build)
	for _, n := range []int{1, 3} {
		for _, r := range more(n) {
			build.Add(&r)
		}
		rep, err := b.server.reportSoFar(t.Context(), h)
		if err != nil {
			t.Fatal(err)
		}
		b.asKept(rep)
	}
	if len(b.server.lives.by) > 0 {
		t.Error("records of a run of this process were read from the store")
	}
	b.server.queue.mu.Lock()
	delete(b.server.queue.active, h.ID)
	b.server.queue.mu.Unlock()
}

// TestEventsWithoutCases: the progress comes at once and when it changes, without the cases, and
// the stream ends with the run.
func TestEventsWithoutCases(t *testing.T) {
	target := newGated()
	b := start(t, withRivers(t), with(target))
	id := b.begin(`{"dataset":"rivers.jsonl"}`)
	path := "/api/v1/runs/" + id + "/events?cases=false"
	l := b.listenAt(path, "")
	target.open(1)
	var p ProgressEvent
	for p.Done == 0 {
		p = eventData[ProgressEvent](t, l.until("progress"))
	}
	late := b.listenAt(path, "")
	if p := eventData[ProgressEvent](t, late.until("progress")); p.State != stateRunning || p.Done != 1 || p.Total != 3 {
		t.Errorf("%+v: want one of three cases at once", p)
	}
	target.open(2)
	for name, at := range map[string]*listener{"open": l, "late": late, "behind the end": b.listenAt(path, "")} {
		all := at.rest()
		if len(all) < 2 || all[len(all)-1].name != "done" {
			t.Fatalf("%s: %v: want the progress and the end", name, all)
		}
		if last := eventData[ProgressEvent](t, all[:len(all)-1]); last.State != stateFinished || last.Done != 3 {
			t.Errorf("%s: %+v", name, last)
		}
		if slices.ContainsFunc(all, func(e event) bool { return e.name == "case" }) {
			t.Errorf("%s: %v: want no case", name, all)
		}
	}
}
