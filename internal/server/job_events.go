package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// jobPause is the pause of the streams of jobs: a job tells its progress at most twice a
// second.
const jobPause = 500 * time.Millisecond

func (s *Server) jobEvents() {
	register(s, operation("jobs", http.MethodGet, "/jobs/{job_id}/events", "follow-job", "Follow a job as server-sent events",
		s.sends(map[string]any{"progress": JobView{}, "done": JobView{}}),
		says("progress comes at once and whenever something changed, at most twice a second; its id is the number of results "+
			"that are done. done is the last event. The data of both is the job. A client that sends Last-Event-ID gets the "+
			"progress behind that. Comments are sent as heartbeats.")),
		func(ctx context.Context, in *struct {
			JobPath
			LastEvent
		}) (*huma.StreamResponse, error) {
			v, err := s.job(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return s.streamed(in.Last, jobPause, func(to stream, from int64) error {
				f := &jobFollowing{stream: to, job: v.ID, from: from}
				return to.follow(f.step)
			})
		})
}

// A jobFollowing is a stream of the progress of a job.
type jobFollowing struct {
	stream
	job string
	// from is the number of the last event that the client has; told is what was sent
	// last.
	from int64
	told *JobView
}

// step adds what is new.
func (f *jobFollowing) step() (ended, here bool, changed <-chan struct{}, err error) {
	if g := f.s.queue.find(f.job); g != nil && g.job != nil {
		v, changed, known := g.job.look()
		if !known {
			v, err = f.s.job(f.ctx, f.job)
		}
		if err == nil {
			err = f.progress(v)
		}
		return false, true, changed, err
	}
	v, err := f.s.job(f.ctx, f.job)
	if err != nil {
		return false, false, nil, err
	}
	if !v.ended() {
		return false, false, nil, f.progress(v)
	}
	return true, false, nil, f.out.add("done", strconv.Itoa(v.Done), v)
}

// progress adds the progress of the job if it changed since the last event.
func (f *jobFollowing) progress(v JobView) error {
	old := f.told
	f.told = &v
	switch {
	case old == nil && f.from > 0 && int64(v.Done) <= f.from && v.State == stateRunning:
		return nil
	case old != nil && old.State == v.State && old.Done == v.Done && old.Cost == v.Cost:
		return nil
	}
	return f.out.add("progress", strconv.Itoa(v.Done), v)
}
