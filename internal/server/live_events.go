package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
)

const (
	// livePause is the pause of the streams of a run's state.
	livePause = 500 * time.Millisecond
	// liveCases is the number of cases in an event of the state.
	liveCases = 10
	// paceTime is the time over which the pace of a run is measured.
	paceTime = 30 * time.Second
)

// liveEvent is the state of a run.
type liveEvent struct {
	ProgressEvent
	Rate      *float64          `json:"rate" required:"true" doc:"cases a second in the last 30 s; null before a second look" example:"4.2"`
	ETA       *float64          `json:"eta_s" required:"true" doc:"seconds to the end at this rate; null if it is not known" example:"91"`
	Estimates []wire.MetricMean `json:"estimates" nullable:"false" doc:"estimates so far; they can be of fewer cases than are done"`
	Latest    []caseEvent       `json:"latest" nullable:"false" doc:"the cases that finished last, at most ten, the latest last"`
}

func (s *Server) liveEvents() {
	register(s, operation("runs", http.MethodGet, "/runs/{run_id}/live", "watch-run", "Watch the state of a run as server-sent events",
		s.sends(map[string]any{"state": liveEvent{}, "done": doneEvent{}}),
		says("The whole state at once, and again at most twice a second when it has changed. Nothing is replayed: see "+
			"…/events for every case. The stream ends with the run.")),
		ofRun(s, func(_ context.Context, h assay.Header, _ *RunPath) (*huma.StreamResponse, error) {
			return s.streamed("", livePause, func(to stream, _ int64) error {
				w := &watching{stream: to, polled: polled{run: h.ID}}
				return to.follow(w.step)
			})
		}))
}

// A watching is a stream of the state of a run.
type watching struct {
	stream
	polled
	pace pace
	// told is the last state that was sent.
	told []byte
}

// step adds the state of the run if it changed.
func (w *watching) step() (ended, here bool, changed <-chan struct{}, err error) {
	var h assay.Header
	e := liveEvent{Estimates: []wire.MetricMean{}, Latest: []caseEvent{}}
	if g := w.s.queue.find(w.run); g != nil {
		here = true
		h, e.ProgressEvent, e.Latest, changed = g.feed.latest(liveCases)
	} else if h, ended, err = w.stored(&e); err != nil {
		return false, false, nil, err
	}
	if e.Done > 0 && h.ID != "" {
		if e.Estimates, err = w.estimates(h, e.Done); err != nil {
			return false, here, nil, err
		}
	}
	if e.State == stateRunning {
		e.Rate = w.pace.at(w.s.now(), e.Done)
	}
	if left := float64(e.Total - e.Done); e.Rate != nil && *e.Rate > 0 && left > 0 {
		eta := left / *e.Rate
		e.ETA = &eta
	}
	if err = w.tell(e); err == nil && ended {
		err = w.out.add("done", "", doneEvent{e.State, e.Done, e.Total, e.Failed})
	}
	return ended, here, changed, err
}

// stored reads the state of a run that this process does not execute, and its last cases.
func (w *watching) stored(e *liveEvent) (h assay.Header, ended bool, err error) {
	if h, e.ProgressEvent, ended, err = w.state(&w.stream); err != nil {
		return h, false, err
	}
	last, err := w.s.store.RecordsSince(w.ctx, w.run, int64(max(0, e.Done-liveCases)), liveCases)
	if err != nil {
		return h, false, err
	}
	for _, k := range last {
		e.Latest = append(e.Latest, eventOf(h.Metrics, k.Record))
	}
	return h, ended, nil
}

// estimates returns those of a run with a number of records. Those of a run which goes on
// can be of fewer.
func (w *watching) estimates(h assay.Header, records int) ([]wire.MetricMean, error) {
	if h.State == stateRunning {
		sum, err := w.s.summarised(w.ctx, h, records)
		return sum.means.Estimates, err
	}
	means, err := w.s.meansOf(w.ctx, []assay.Header{h})
	if err != nil || means[0].Estimates == nil {
		return []wire.MetricMean{}, err
	}
	return means[0].Estimates, nil
}

// tell adds a state unless it is the last one.
func (w *watching) tell(e liveEvent) error {
	text, err := json.Marshal(e)
	if err != nil || bytes.Equal(text, w.told) {
		return err
	}
	w.told = text
	return w.out.add("state", "", json.RawMessage(text))
}

// A pace measures how many cases a run finishes a second.
type pace []look

// A look is the number of cases that were done at a time.
type look struct {
	at   time.Time
	done int
}

// at returns the rate since the first look in the time of the pace; nil if this is the first.
func (p *pace) at(now time.Time, done int) *float64 {
	for len(*p) > 1 && now.Sub((*p)[0].at) > paceTime {
		*p = (*p)[1:]
	}
	*p = append(*p, look{now, done})
	first := (*p)[0]
	passed := now.Sub(first.at).Seconds()
	if passed <= 0 {
		return nil
	}
	rate := float64(done-first.done) / passed
	return &rate
}
