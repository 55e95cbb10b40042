package server

import (
	"context"
	"strconv"
	"sync"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
	"github.com/assay-eval/assay/summary"
)

// feedSize is how many of the last cases a feed has at hand. Who is further
// behind reads from the store.
const feedSize = 1024

// A feed tells what goes on in a run. Who listens reads at their own pace: the
// feed never waits, and holds no more for a slow one. What is sent is made once,
// however many listen, and the store is asked nothing.
type feed struct {
	store *store.Store
	run   string

	mu sync.Mutex
	// header is the run's since it began, and begun is set then.
	header assay.Header
	begun  bool
	// last has the latest cases, in the order in which they were kept; at is the
	// position of the last one, and failed counts those without a response.
	last   []line
	at     int64
	failed int
	// changed is closed, and another made, whenever something is new.
	changed   chan struct{}
	preparing *preparation
	// remarks are of this moment, such as that the store is away, and not kept.
	remarks []string
}

// A line is the event of a case, as it is sent.
type line struct {
	position int64
	text     []byte
}

// A preparation says how far one is.
type preparation struct {
	What  string `json:"what"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

func newFeed(s *store.Store, run string) *feed {
	return &feed{store: s, run: run, changed: make(chan struct{})}
}

// tell lets listeners look. The lock is held.
func (f *feed) tell() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// A glance is what a feed tells at one moment.
type glance struct {
	lines    []line
	header   assay.Header
	progress progressEvent
	// whole is set when the run has begun and lines has all cases behind the
	// position that was asked for.
	whole bool
	// changed is closed when there is more.
	changed <-chan struct{}
}

// after gives what is new behind a position.
func (f *feed) after(position int64) glance {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := glance{header: f.header, changed: f.changed, progress: progressEvent{State: stateRunning, Done: int(f.at), Total: f.header.Asked(), Failed: f.failed, Preparing: f.preparing}}
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

// begin notes that the run has begun.
func (f *feed) begin(h assay.Header) {
	f.mu.Lock()
	f.header, f.begun = h, true
	f.mu.Unlock()
}

// pull takes in what the store has kept since.
func (f *feed) pull(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	more, err := f.store.RecordsSince(ctx, f.run, f.at, 0)
	if err != nil {
		return // the next case brings them
	}
	for _, k := range more {
		text, err := eventText("case", strconv.FormatInt(k.Position, 10), eventOf(f.header.Metrics, k.Record))
		if err != nil {
			continue // numbers and words are JSON
		}
		f.last, f.at = append(f.last, line{k.Position, text}), k.Position
		if k.Record.Failure != nil {
			f.failed++
		}
	}
	if n := len(f.last); n > 2*feedSize {
		// A copy, so that listeners keep what they were given.
		f.last = append([]line(nil), f.last[n-feedSize:]...)
	}
	f.preparing = nil
	f.tell()
}

// maxRemarks bounds what is remarked on a run, so that a store that comes and goes
// fills nothing up.
const maxRemarks = 100

// remark tells of what is no progress.
func (f *feed) remark(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.remarks) < maxRemarks {
		f.remarks = append(f.remarks, text)
		f.tell()
	}
}

// remarked gives what was remarked since the first n.
func (f *feed) remarked(n int) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.remarks[min(n, len(f.remarks)):]
}

// end says that no more comes.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tell()
}

// A follower passes on what a job tells.
type follower struct {
	s       *Server
	ctx     context.Context
	feed    *feed
	metrics []assay.MetricInfo
}

// Preparing passes on how far a preparation is.
func (f *follower) Preparing(what string, done, total int) {
	f.feed.mu.Lock()
	defer f.feed.mu.Unlock()
	f.feed.preparing = &preparation{what, done, total}
	f.feed.tell()
}

// Started notes what the run measures.
func (f *follower) Started(h assay.Header, _ int) {
	f.metrics = h.Metrics
	f.feed.begin(h)
	f.feed.pull(context.Background())
}

// Finished passes on a case.
func (f *follower) Finished(rec assay.Record) {
	f.s.cfg.Trace.Record(f.ctx, rec)
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
	f.feed.pull(context.Background())
}
