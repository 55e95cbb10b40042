package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/store"
)

// Kinds of items that keep a job.
const (
	kindJob        = "job"         // a JobView; its name is the state, its parent the token that started it
	kindJobRequest = "job.request" // a keptJob; its name is store.RequestCancelled from when the job is cancelled until it is resumed
	kindJobMember  = "job.member"  // an accuracy.Member that is done; its id is the evaluation's, its parent the job, its name the status
	kindJobResult  = "job.result"  // a jobResult
)

// A keptJob is what a job does, fixed when it is requested.
type keptJob struct {
	Request jobRequest  `json:"request"`
	Members []jobMember `json:"members"`
}

// A jobMember is a result of a job and the id that its evaluation has or will have.
// Whoever goes on with an evaluation gives it the same id.
type jobMember struct {
	Result     string `json:"result"`
	Evaluation string `json:"evaluation"`
}

// submitJob creates a job and queues it.
func (s *Server) submitJob(ctx context.Context, q jobRequest) (JobView, error) {
	if s.stopped() {
		return JobView{}, unavailable("the server is stopping")
	}
	ids, kind, err := s.resultsOf(ctx, q)
	if err != nil {
		return JobView{}, err
	}
	// What is wrong with the models is told now, not when the job begins. A result may have
	// manual ground truth, so that it needs no judge of chunks.
	o := s.evaluation(q.Dimensions, q.Config)
	o.Truth = &accuracy.Truth{}
	if err := s.evaluators(ctx, &o, q.Config, kindJob, 0); err != nil {
		return JobView{}, err
	}
	if err := s.queue.room(ctx, laneJobs); err != nil {
		return JobView{}, err
	}
	v := JobView{Kind: kind, State: stateQueued, Total: len(ids), Created: s.now()}
	if v.ID, err = s.newID(); err != nil {
		return v, err
	}
	k := keptJob{Request: q}
	for _, id := range ids {
		evaluation, err := s.newID()
		if err != nil {
			return v, err
		}
		k.Members = append(k.Members, jobMember{id, evaluation})
	}
	// The job is created last: a request without a job is no job.
	if err := s.keep(ctx, kindJobRequest, v.ID, "", v.ID, k); err != nil {
		return v, err
	}
	if err := s.keep(ctx, kindJob, v.ID, v.State, who(ctx), v); err != nil {
		return v, err
	}
	s.queue.push(ctx, laneJobs, v.ID)
	return v, nil
}

// resultsOf returns the ids of the results to evaluate and the kind of the job. The error
// is a problem.
func (s *Server) resultsOf(ctx context.Context, q jobRequest) (ids []string, kind string, err error) {
	given := 0
	for _, is := range []bool{q.ResultID != "", q.Results.RawMessage != nil, q.IDs != nil, q.Select != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, "", wrong("body", "expected one of result_id, results, result_ids and select", nil)
	case q.ResultID != "" || q.Results.RawMessage != nil:
		r, err := s.evaluated(ctx, q.single(q.ResultID))
		if err == nil {
			o := s.evaluation(q.Dimensions, q.Config)
			err = s.setTruth(ctx, &o, &r, "body.dimensions")
		}
		return []string{r.ResultID}, jobOfOne, err
	case q.Select == nil:
		return q.IDs, jobOfMany, nil
	}
	items, _, err := s.store.Items(ctx, store.KindResult, store.ItemQuery{Name: q.Select.Label})
	if err != nil {
		return nil, "", s.fail(ctx, err)
	}
	for _, it := range items {
		input, profile, _ := strings.Cut(it.Parent, " ")
		if (q.Select.Profile == "" || q.Select.Profile == profile) && (q.Select.InputType == "" || q.Select.InputType == input) {
			ids = append(ids, it.ID)
		}
	}
	slices.Reverse(ids) // the oldest first
	switch n := len(ids); {
	case n == 0:
		return nil, "", unprocessable("body.select", "no stored result is selected")
	case n > maxBatch:
		return nil, "", unprocessable("body.select", fmt.Sprintf("%d results are selected: expected at most %d", n, maxBatch))
	}
	return ids, jobOfMany, nil
}

// single returns the request for the evaluation of one result of the job.
func (q *jobRequest) single(id string) evaluationRequest {
	if q.Results.RawMessage != nil {
		id = ""
	}
	return evaluationRequest{ResultID: id, Results: q.Results, Refresh: q.Refresh, Config: q.Config}
}

// putJob stores a job that the store has.
func (s *Server) putJob(ctx context.Context, v JobView) error {
	return s.mark(ctx, kindJob, v.ID, v.State, v)
}

// findJob returns a job as it is now.
func (s *Server) findJob(ctx context.Context, id string) (v JobView, err error) {
	if g := s.queue.find(id); g != nil {
		if now := g.job.Load(); now != nil {
			return *now, nil
		}
	}
	return v, s.readItem(ctx, kindJob, id, &v)
}

// job returns a job by its id. One that is neither at work nor waiting on this server is
// queued here, in case the process that had it has died. The error is a problem.
func (s *Server) job(ctx context.Context, id string) (JobView, error) {
	if !isID(id) {
		return JobView{}, absent("job", id)
	}
	v, err := s.findJob(ctx, id)
	if err == nil && !v.ended() && s.queue.find(id) == nil && !s.queue.waits(laneJobs, id) && !s.stopped() {
		v, err = s.adopt(ctx, v)
	}
	return v, s.orAbsent(ctx, err, "job", id)
}

// adopt queues a job that no process works on. If it waits in the queue of another server
// too, the first to begin it does it.
func (s *Server) adopt(ctx context.Context, v JobView) (_ JobView, err error) {
	release, err := s.store.Claim(ctx, kindJob+"-"+v.ID)
	if errors.Is(err, store.ErrLocked) {
		return v, nil
	}
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, release()) }()
	// It may have just ended, or begun here.
	if v, err = s.findJob(ctx, v.ID); err != nil || v.ended() || s.queue.find(v.ID) != nil {
		return v, err
	}
	if v.State == stateRunning {
		v.State = stateQueued
		if err := s.putJob(ctx, v); err != nil {
			return v, err
		}
	}
	s.queue.push(ctx, laneJobs, v.ID)
	return v, nil
}

// leftJobs queues the jobs that an earlier server left. One that another server works on is
// dropped when its turn comes.
func (q *queue) leftJobs() error {
	var left []store.Item
	for _, state := range []string{stateQueued, stateRunning} {
		items, _, err := q.s.store.Items(context.Background(), kindJob, store.ItemQuery{Name: state})
		if err != nil {
			return err
		}
		left = append(left, items...)
	}
	slices.SortFunc(left, func(a, b store.Item) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
	for _, it := range left {
		var v JobView
		err := q.s.readItem(context.Background(), kindJob, it.ID, &v)
		if err == nil {
			var ended bool
			if ended, err = q.s.endCancelled(context.Background(), v); ended {
				continue
			}
		}
		if err != nil {
			return err
		}
		q.waiting[laneJobs] = append(q.waiting[laneJobs], ticket{it.ID, it.Parent})
	}
	return nil
}

// cancelJob cancels a job. It is a 409 when the job is not active on this server.
// When it returns, the store knows.
func (s *Server) cancelJob(ctx context.Context, v JobView) error {
	var marked error
	if s.queue.find(v.ID) != nil || s.queue.waits(laneJobs, v.ID) {
		marked = s.mark(ctx, kindJobRequest, v.ID, store.RequestCancelled, nil)
	}
	waited, found := s.queue.cancel(laneJobs, v.ID)
	switch {
	case !found:
		return conflict(fmt.Sprintf("job %q is not running on this server: it is %s", v.ID, v.State))
	case !waited || marked != nil:
		return marked
	}
	_, err := s.endCancelled(ctx, v)
	return err
}

// endCancelled stores the end of a job that was cancelled and that nobody works on.
func (s *Server) endCancelled(ctx context.Context, v JobView) (ended bool, err error) {
	it, err := s.store.Item(ctx, kindJobRequest, v.ID)
	if err != nil || it.Name != store.RequestCancelled {
		return false, err
	}
	k, err := s.keptJob(ctx, v.ID)
	if err != nil {
		return true, err
	}
	done, err := s.members(ctx, v.ID)
	if err != nil {
		return true, err
	}
	_, err = s.endJob(ctx, v, k, done, stateCancelled)
	return true, err
}

// resumeJob queues a job that was cancelled or failed. Results that could not be evaluated
// are tried again.
func (s *Server) resumeJob(ctx context.Context, v JobView) error {
	switch {
	case s.stopped():
		return unavailable("the server is stopping")
	case v.State == stateFinished:
		return conflict(fmt.Sprintf("job %q is finished", v.ID))
	case !v.ended() || s.queue.find(v.ID) != nil:
		return conflict(fmt.Sprintf("job %q is already running", v.ID))
	}
	if err := s.queue.room(ctx, laneJobs); err != nil {
		return err
	}
	items, _, err := s.store.Items(ctx, kindJobMember, store.ItemQuery{Parent: v.ID, Name: accuracy.NotEvaluated})
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := s.store.DeleteItem(ctx, kindJobMember, it.ID); err != nil {
			return err
		}
	}
	if err := s.mark(ctx, kindJobRequest, v.ID, store.RequestPending, nil); err != nil {
		return err
	}
	v.State, v.Error, v.Result, v.Finished = stateQueued, "", "", nil
	v.Done, v.Failed = v.Done-len(items), v.Failed-len(items)
	if err := s.putJob(ctx, v); err != nil {
		return err
	}
	s.queue.push(ctx, laneJobs, v.ID)
	return nil
}

// keptJob returns what a job does.
func (s *Server) keptJob(ctx context.Context, id string) (k keptJob, err error) {
	return k, s.readItem(ctx, kindJobRequest, id, &k)
}

// members returns the results that a job is done with, by the ids of their evaluations.
func (s *Server) members(ctx context.Context, id string) (map[string]accuracy.Member, error) {
	items, _, err := s.store.Items(ctx, kindJobMember, store.ItemQuery{Parent: id})
	if err != nil {
		return nil, err
	}
	done := map[string]accuracy.Member{}
	for _, it := range items {
		var m accuracy.Member
		if err := s.readItem(ctx, kindJobMember, it.ID, &m); err != nil {
			return nil, err
		}
		done[it.ID] = m
	}
	return done, nil
}

// endJob stores the end of a job, and its summary if it is of many evaluations.
func (s *Server) endJob(ctx context.Context, v JobView, k keptJob, done map[string]accuracy.Member, state string) (JobView, error) {
	finished := s.now().Round(time.Microsecond)
	v.State, v.Finished = state, &finished
	var in []accuracy.Member
	for _, m := range k.Members {
		if one, ok := done[m.Evaluation]; ok {
			in = append(in, one)
		}
	}
	switch {
	case v.Kind == jobOfMany:
		v.Result = jobPath(v.ID) + "/result"
		r := jobResult{JobID: v.ID, State: state, Total: v.Total, Evaluations: jobPath(v.ID) + "/evaluations"}
		r.Batch = accuracy.Summarise(in, s.evaluation(k.Request.Dimensions, nil).Dimensions)
		if err := s.keep(ctx, kindJobResult, v.ID, state, v.ID, r); err != nil {
			return v, err
		}
	case len(in) > 0 && in[0].EvaluationID != "":
		v.Result = prefix + "/test/evaluations/" + in[0].EvaluationID
	case len(in) > 0 && state == stateFinished:
		v.State, v.Error = stateFailed, in[0].Reason
	}
	return v, s.putJob(ctx, v)
}
