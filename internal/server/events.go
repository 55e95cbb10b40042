package server

import (
	"cmp"
	"context"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/summary"
)

const (
	// eventBatch is the number of cases that a stream reads from the store at
	// once.
	eventBatch = 500
	// runPause is the minimum time between two looks at a run, so that many streams of a fast one
	// cost no more than those of a slow one.
	runPause = 100 * time.Millisecond
	// patience is the number of polls after which a stream checks whether any process is
	// executing the run. A process that has just begun may not have locked it yet.
	patience = 5
)

// ProgressEvent is the progress of a run. It is exported because huma leaves embedded types
// that are not out of schemas.
type ProgressEvent struct {
	State     string       `json:"state" enum:"queued,running,finished,interrupted,failed,cancelled" doc:"where the run stands"`
	Done      int          `json:"done" doc:"number of cases that are finished" example:"120"`
	Total     int          `json:"total" doc:"number of cases of the run; 0 before the run has begun" example:"500"`
	Failed    int          `json:"failed" doc:"cases without a response" example:"2"`
	Preparing *preparation `json:"preparing,omitempty" doc:"what the run does before its first case; absent afterwards"`
}

// caseEvent is a finished case. Its id is its position in storage order, from
// 1.
type caseEvent struct {
	Seq    int                 `json:"seq" doc:"position in the run, from 0" example:"16"`
	ID     string              `json:"case_id" doc:"id of the case" example:"q-17"`
	Status string              `json:"status" enum:"ok,failed,error" doc:"ok, a missed threshold, or no response"`
	Lost   string              `json:"lost_at,omitempty" doc:"stage that a wrong answer is attributed to" example:"retrieve"`
	Scores map[string]*float64 `json:"scores" doc:"null where there is no value" example:"{\"recall@5\": 1, \"mrr\": 0.5}"`
}

// warningEvent is a remark on the run.
type warningEvent struct {
	Warning string `json:"warning" doc:"the remark" example:"2 cases have no response"`
}

// doneEvent is the last event.
type doneEvent struct {
	State  string `json:"state" enum:"finished,interrupted,failed,cancelled" doc:"how the run ended"`
	Done   int    `json:"done" doc:"number of cases that are finished" example:"500"`
	Total  int    `json:"total" doc:"number of cases of the run" example:"500"`
	Failed int    `json:"failed" doc:"cases without a response" example:"2"`
}

type eventsInput struct {
	RunPath
	Cases bool   `query:"cases" default:"true" doc:"whether the cases are in it"`
	Last  string `header:"Last-Event-ID" doc:"the id of the last event that was received; the stream goes on behind it" example:"12"`
}

// position is the position of the last case that the client has, 0 if it has none. The error is a problem.
func (in *eventsInput) position() (at int64, err error) {
	switch {
	case !in.Cases:
		return math.MaxInt64, nil
	case in.Last == "":
		return 0, nil
	}
	if at, err = strconv.ParseInt(in.Last, 10, 64); err != nil || at < 0 {
		return 0, wrong("header.Last-Event-ID", "expected the id of an event: a whole number from 0", in.Last)
	}
	return at, nil
}

func (s *Server) events() {
	register(s, "follow-run", ofRun(s, func(_ context.Context, h assay.Header, in *eventsInput) (*huma.StreamResponse, error) {
		at, err := in.position()
		if err != nil {
			return nil, err
		}
		release, err := s.opened()
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			defer release()
			ctx, end := s.whileSigned(c.Context())
			defer end()
			f := &following{s: s, ctx: ctx, out: newEventStream(c), run: h.ID, at: at}
			// The client is gone or the server is stopping, so there is nobody to reply to.
			_ = f.follow()
		}}, nil
	}), s.sends(map[string]any{"progress": ProgressEvent{}, "case": caseEvent{}, "warning": warningEvent{}, "done": doneEvent{}}))
}

// A following is a stream of the events of a run.
type following struct {
	s   *Server
	ctx context.Context
	out *eventStream
	run string
	// looks counts how often the run was read from the store.
	looks int
	// at is the position of the last case sent; more is set when the store may
	// have later ones.
	at   int64
	more bool
	// feed is the run's while it is active on this server, and afterwards.
	feed *feed
	// warned and remarked count the warnings sent; told is the last progress sent.
	warned, remarked int
	told             *ProgressEvent
}

// follow sends events until the run has ended.
func (f *following) follow() error {
	heart := time.NewTicker(f.s.cfg.Heartbeat)
	defer heart.Stop()
	look := time.NewTicker(f.s.cfg.Look)
	defer look.Stop()
	for {
		ended, here, changed, err := f.step()
		if err = cmp.Or(err, f.ctx.Err()); err == nil {
			err = f.out.send()
		}
		if err != nil || ended {
			return err
		}
		if !f.wait(here, changed, heart.C, look.C) {
			return f.out.send()
		}
		if changed == (<-chan struct{})(atOnce) {
			continue // a stream that is behind catches up
		}
		select {
		case <-time.After(runPause):
		case <-f.ctx.Done():
		}
	}
}

// wait waits until there may be more; false means that the stream ends.
func (f *following) wait(here bool, changed <-chan struct{}, heart, look <-chan time.Time) bool {
	if here {
		look = nil
	}
	for {
		select {
		case <-changed:
			return true
		case <-look:
			return true
		case <-heart:
			f.out.beat()
			if f.out.send() != nil {
				return false
			}
		case <-f.ctx.Done():
			return false
		case <-f.s.stopping:
			return false
		}
	}
}

// step adds what is new. here reports whether the run is active in this process;
// changed is closed when it has more.
func (f *following) step() (ended, here bool, changed <-chan struct{}, err error) {
	g := f.s.queue.find(f.run)
	if g == nil {
		f.remark()
		ended, err = f.kept()
		if f.more {
			changed = atOnce
		}
		return ended, false, changed, err
	}
	if f.feed != g.feed {
		// It was resumed.
		f.remark()
		f.feed, f.remarked = g.feed, 0
	}
	f.remark()
	now := g.feed.after(f.at)
	if !now.whole {
		// The run has not started, or this stream is far behind.
		if _, err := f.kept(); err != nil {
			return false, true, nil, err
		}
		if f.more {
			return false, true, atOnce, nil
		}
		f.progress(now.progress)
		return false, true, now.changed, nil
	}
	for _, l := range now.lines {
		f.out.buf.Write(l.text)
		f.at = l.position
	}
	f.warn(now.header)
	f.progress(now.progress)
	return false, true, now.changed, nil
}

// remark adds the new remarks on the run.
func (f *following) remark() {
	if f.feed == nil {
		return
	}
	for _, text := range f.feed.remarked(f.remarked) {
		f.remarked++
		// A text is JSON.
		_ = f.out.add("warning", "", warningEvent{text})
	}
}

// kept adds the next batch of cases from the store and sets f.more if there may
// be more.
func (f *following) kept() (ended bool, err error) {
	// The state is read before the cases: a run that has ended by then has no
	// more cases than are read after it.
	h, now, ended, err := f.state()
	if err != nil {
		return false, err
	}
	cases, err := f.s.store.RecordsSince(f.ctx, f.run, f.at, eventBatch)
	if err != nil {
		return false, err
	}
	for _, k := range cases {
		if err := f.out.add("case", strconv.FormatInt(k.Position, 10), eventOf(h.Metrics, k.Record)); err != nil {
			return false, err
		}
		f.at = k.Position
	}
	f.warn(h)
	f.progress(now)
	if f.more = len(cases) == eventBatch; f.more || !ended {
		return false, nil
	}
	return true, f.out.add("done", "", doneEvent{now.State, now.Done, now.Total, now.Failed})
}

// state reads where the run stands. ended is set unless it waits or another process executes it.
func (f *following) state() (h assay.Header, now ProgressEvent, ended bool, err error) {
	if h, err = f.s.store.Run(f.ctx, f.run); err != nil {
		return h, now, false, err
	}
	waits := f.s.queue.waits(laneRuns, f.run) || f.s.queue.find(f.run) != nil
	if f.looks++; f.looks%patience == 0 && !waits {
		if h, err = f.s.store.IfAlive(f.ctx, h, f.s.now()); err != nil {
			return h, now, false, err
		}
	}
	n, err := wire.RecordsOf(f.s.store, h).Counts(f.ctx, f.run)
	now = ProgressEvent{State: h.State, Done: n.Records, Total: h.Asked(), Failed: n.Failed}
	return h, now, !waits && h.State != stateQueued && h.State != stateRunning, err
}

func (f *following) warn(h assay.Header) {
	for ; f.warned < len(h.Warnings); f.warned++ {
		// A text is JSON.
		_ = f.out.add("warning", "", warningEvent{h.Warnings[f.warned]})
	}
}

// progress adds the progress of the run if it changed.
func (f *following) progress(p ProgressEvent) {
	if f.told != nil && reflect.DeepEqual(*f.told, p) {
		return
	}
	f.told = &p
	// Numbers and a word are JSON.
	_ = f.out.add("progress", "", p)
}

func eventOf(metrics []assay.MetricInfo, r assay.Record) caseEvent {
	e := caseEvent{Seq: r.Seq, ID: r.Case.ID, Status: string(summary.Status(metrics, r)), Scores: map[string]*float64{}}
	if r.Attribution != nil {
		e.Lost, _ = summary.PutDown(r)
	}
	for name, sc := range r.Scores {
		e.Scores[name] = nil
		if sc.State == assay.Scored || sc.State == assay.TargetError {
			e.Scores[name] = &sc.Value
		}
	}
	return e
}
