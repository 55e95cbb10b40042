package server

import (
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// feedSize is the number of recent cases that a feed buffers. A stream that is
// further behind reads from the store.
const feedSize = 1024

// A feed publishes the progress of an active run to any number of streams. Each
// reads at its own pace: the feed never waits and buffers nothing per stream. Events
// are encoded once, and streams that keep up need no query to the store.
type feed struct {
	store *store.Store
	run   string

	mu sync.Mutex
	// header is the run's, set with begun when the run starts.
	header assay.Header
	begun  bool
	// last holds the latest cases in storage order; at is the position of the last
	// one, and failed counts those without a response.
	last      []caseLine
	at        int64
	failed    int
	changed   bell
	preparing *preparation
	// due is the pull that is to come; nil if there is none. ended is set when the run is.
	due   *time.Timer
	ended bool
	// build has the records so far; nil before the run begins.
	build *report.Builder
	// remarks are transient, such as that the store is away, and not stored.
	remarks []string
}

// A caseLine is the encoded event of a case.
type caseLine struct {
	position int64
	text     []byte
}

// A preparation is the progress of a step before the first case.
type preparation struct {
	What  string `json:"what" doc:"what is prepared" example:"judging again"`
	Done  int    `json:"done" doc:"parts that are done" example:"120"`
	Total int    `json:"total" doc:"number of parts; 0 if it is not known" example:"500"`
}

func newFeed(s *store.Store, run string) *feed {
	return &feed{store: s, run: run, changed: bell{make(chan struct{})}}
}

// A glance is the state of a feed at one moment.
type glance struct {
	lines    []caseLine
	header   assay.Header
	progress ProgressEvent
	// whole is set when the run has started and lines holds all cases after the
	// requested position.
	whole bool
	// changed is closed when there is more.
	changed <-chan struct{}
}

// after returns what is new after a position.
func (f *feed) after(position int64) glance {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := glance{header: f.header, progress: f.progress(), changed: f.changed.c}
	n := len(f.last)
	switch {
	case !f.begun:
	case position >= f.at:
		g.whole = true
	case n > 0 && f.last[0].position <= position+1:
		g.lines, g.whole = f.last[position+1-f.last[0].position:n:n], true
	}
	return g
}

// progress returns the progress of the run. The caller holds the lock.
func (f *feed) progress() ProgressEvent {
	return ProgressEvent{State: stateRunning, Done: int(f.at), Total: f.header.Asked(), Failed: f.failed, Preparing: f.preparing}
}

// begin records that the run has started.
func (f *feed) begin(h assay.Header) {
	f.mu.Lock()
	f.header, f.begun = h, true
	f.mu.Unlock()
}

// reporting takes the builder of the report.
func (f *feed) reporting(b *report.Builder) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.build = b
}

// building returns the builder of the report, nil before the run begins.
func (f *feed) building() *report.Builder {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.build
}

// pullPause is how long a feed waits for further cases before it reads them, so that it
// does not read the store for each.
const pullPause = 20 * time.Millisecond

// pullSoon reads the cases that were stored, in a moment.
func (f *feed) pullSoon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.due == nil && !f.ended {
		f.due = time.AfterFunc(pullPause, func() { f.pull(context.Background()) })
	}
}

// pull reads the cases stored since the last call.
func (f *feed) pull(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.due = nil
	if f.ended {
		return
	}
	more, err := f.store.RecordsSince(ctx, f.run, f.at, 0)
	if err != nil {
		return // the next case brings them
	}
	for _, k := range more {
		text, err := eventText("case", strconv.FormatInt(k.Position, 10), eventOf(f.header.Metrics, k.Record))
		if err != nil {
			continue // numbers and words are JSON
		}
		f.last, f.at = append(f.last, caseLine{k.Position, text}), k.Position
		if k.Record.Failure != nil {
			f.failed++
		}
	}
	if n := len(f.last); n > 2*feedSize {
		// A copy, so that listeners keep what they were given.
		f.last = append([]caseLine(nil), f.last[n-feedSize:]...)
	}
	f.preparing = nil
	f.changed.ring()
}

// maxRemarks bounds the remarks on a run, for stores whose connection flaps.
const maxRemarks = 100

// remark adds a transient remark.
func (f *feed) remark(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.remarks) < maxRemarks {
		f.remarks = append(f.remarks, text)
		f.changed.ring()
	}
}

// remarked returns the remarks after the first n.
func (f *feed) remarked(n int) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.remarks[min(n, len(f.remarks)):]
}

// end wakes the streams a last time. They read the last cases from the store.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	if f.due != nil {
		f.due.Stop()
	}
	f.changed.ring()
}

// A follower forwards the progress of a run to its feed and to the metrics.
type follower struct {
	s       *Server
	feed    *feed
	metrics []assay.MetricInfo
}

// Preparing forwards the progress of a preparation.
func (f *follower) Preparing(what string, done, total int) {
	f.feed.mu.Lock()
	defer f.feed.mu.Unlock()
	f.feed.preparing = &preparation{what, done, total}
	f.feed.changed.ring()
}

// Started records the header of the run.
func (f *follower) Started(h assay.Header, _ int) {
	f.metrics = h.Metrics
	f.feed.begin(h)
	f.feed.pull(context.Background())
}

// Finished forwards a case.
func (f *follower) Finished(rec assay.Record) {
	m := f.s.meters
	m.cases.WithLabelValues(string(summary.Status(f.metrics, rec))).Inc()
	if j := rec.Judging; j != nil {
		m.calls.WithLabelValues("ledger").Add(float64(j.Cached))
		m.calls.WithLabelValues("model").Add(float64(max(0, j.Calls-j.Cached)))
		if j.Calls > 0 && j.Cached < j.Calls {
			m.tokens.WithLabelValues("in").Add(float64(j.Usage.InputTokens))
			m.tokens.WithLabelValues("out").Add(float64(j.Usage.OutputTokens))
			m.cost.Add(float64(j.Usage.Cost) / 1e6)
		}
	}
	f.feed.pullSoon()
}
