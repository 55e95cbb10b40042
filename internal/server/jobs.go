package server

import (
	"context"
	"time"

	"github.com/assay-eval/assay/internal/accuracy"
	"github.com/assay-eval/assay/store"
)

// maxBatch is the largest number of results of one job.
const maxBatch = 10_000

// A jobRequest names the results to evaluate: one of ResultID, Results, IDs and
// Select.
type jobRequest struct {
	ResultID string       `json:"result_id,omitempty" maxLength:"128" doc:"stored result" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	Results  resultObject `json:"results,omitzero" doc:"one result itself, as GET /test/results/{result_id} gives it"`

	IDs []string `json:"result_ids,omitempty" minItems:"1" maxItems:"10000" uniqueItems:"true" nullable:"false" doc:"results" example:"0197f"`

	Select *ResultSelection `json:"select,omitempty" doc:"selects the stored results as they are now, at most 10000"`
	// Dimensions, Refresh and Config are those of an evaluation.
	Dimensions []string         `json:"dimensions,omitempty" enum:"audio,key_questions,chunks,response" nullable:"false" doc:"default: all"`
	Refresh    bool             `json:"refresh,omitempty" doc:"ask the evaluators again instead of using earlier replies" example:"false"`
	Config     *accuracy.Config `json:"evaluation_config,omitempty" doc:"models that evaluate; default: the server's judges"`
}

// ResultSelection selects stored results. What is absent selects all.
type ResultSelection struct {
	Label     string `json:"label,omitempty" maxLength:"200" doc:"results with this label" example:"release 2.1"`
	Profile   string `json:"profile,omitempty" enum:"A,B,C" doc:"results with this profile" example:"A"`
	InputType string `json:"input_type,omitempty" enum:"text,audio" doc:"results of this input" example:"text"`
}

// The kinds of jobs: one evaluation, or many.
const (
	jobOfOne  = "evaluation"
	jobOfMany = "evaluations"
)

// A JobView is a job, stored as shown.
type JobView struct {
	ID    string `json:"job_id" doc:"id of the job" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	Kind  string `json:"kind" enum:"evaluation,evaluations" doc:"evaluation of one result, or of many" example:"evaluations"`
	State string `json:"state" enum:"queued,running,finished,failed,cancelled" doc:"what becomes of it" example:"running"`
	// Failed counts results without an evaluation.
	Done   int `json:"done" doc:"results that are done, with an evaluation or a failure" example:"120"`
	Total  int `json:"total" doc:"results to evaluate" example:"200"`
	Failed int `json:"failed" doc:"results done that could not be evaluated" example:"3"`
	// Cost leaves out calls without a known price.
	Cost     float64    `json:"cost_usd" doc:"what the job paid for model replies so far, in US dollars" example:"0.37"`
	Created  time.Time  `json:"created" doc:"when it was requested" example:"2026-11-22T09:00:00Z"`
	Started  *time.Time `json:"started,omitempty" doc:"when it first began; absent before" example:"2026-11-22T09:00:01Z"`
	Finished *time.Time `json:"finished,omitempty" doc:"when it ended; absent before" example:"2026-11-22T09:04:10Z"`
	Error    string     `json:"error,omitempty" doc:"why it failed" example:"the job failed: no judge model"`
	// Result is "" while there is none.
	Result string `json:"result,omitempty" doc:"path of the evaluation, or of the summary of many" example:"/api/v1/jobs/{job_id}/result"`
}

// ended reports whether the job goes on no further by itself.
func (v *JobView) ended() bool { return v.State != stateQueued && v.State != stateRunning }

// A jobResult is what came of a job of many evaluations.
type jobResult struct {
	JobID string `json:"job_id" doc:"id of the job" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	State string `json:"state" enum:"finished,cancelled" doc:"cancelled if the job ended early; the summary is of what was done"`
	// Total is the number of results that the job was to evaluate.
	Total       int    `json:"total" doc:"results that were to be evaluated" example:"200"`
	Evaluations string `json:"evaluations" doc:"path of the list of the single evaluations" example:"/api/v1/jobs/{job_id}/evaluations"`
	accuracy.Batch
}

type JobPath struct {
	ID string `path:"job_id" maxLength:"128" doc:"id of a job" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
}

// jobReply is a job, with what a client polls with. RetryAfter is "" when it has ended.
type jobReply struct {
	Location   string `header:"Location" doc:"path of the job"`
	RetryAfter string `header:"Retry-After" doc:"seconds after which to ask again; absent when the job has ended"`
	Body       JobView
}

// replied is the reply with a job.
func replied(v JobView, err error) (*jobReply, error) {
	r := &jobReply{Location: jobPath(v.ID), Body: v}
	if !v.ended() {
		r.RetryAfter = "1"
	}
	return r, err
}

func jobPath(id string) string { return prefix + "/jobs/" + id }

func (s *Server) jobs() {
	register(s, "start-evaluations", func(ctx context.Context, in *struct{ Body jobRequest }) (*jobReply, error) {
		return replied(s.submitJob(ctx, in.Body))
	})
	register(s, "list-jobs", func(ctx context.Context, in *struct {
		Paging
		State string `query:"state" enum:"queued,running,finished,failed,cancelled" doc:"only jobs in this state" example:"running"`
	}) (*list[JobView], error) {
		return listItems(ctx, s, kindJob, store.ItemQuery{Name: in.State}, in.Paging, func(it store.Item) (JobView, error) {
			return s.findJob(ctx, it.ID)
		})
	})
	register(s, "get-job", func(ctx context.Context, in *JobPath) (*jobReply, error) { return replied(s.job(ctx, in.ID)) })
	register(s, "cancel-job", s.changesJob(s.cancelJob))
	register(s, "resume-job", s.changesJob(s.resumeJob))
	registerOne(s, "get-job-result", func(ctx context.Context, in *JobPath) (out jobResult, err error) {
		v, err := s.job(ctx, in.ID)
		switch {
		case err != nil:
			return out, err
		case v.Kind != jobOfMany:
			return out, conflict("the job is of one evaluation: its result is the evaluation")
		case v.State != stateFinished && v.State != stateCancelled:
			return out, conflict("the job has no result: it is " + v.State)
		}
		return out, s.kept(ctx, kindJobResult, in.ID, "result of job", &out)
	})
	register(s, "list-job-evaluations", func(ctx context.Context, in *struct {
		JobPath
		Paging
		Status string `query:"status" enum:"completed,partial,failed,not_evaluated" doc:"only those with this status" example:"partial"`
	}) (*list[accuracy.Member], error) {
		if _, err := s.job(ctx, in.ID); err != nil {
			return nil, err
		}
		q := store.ItemQuery{Parent: in.ID, Name: in.Status}
		return listItems(ctx, s, kindJobMember, q, in.Paging, func(it store.Item) (m accuracy.Member, err error) {
			return m, s.readItem(ctx, kindJobMember, it.ID, &m)
		})
	})
	register(s, "delete-job", func(ctx context.Context, in *JobPath) (*deletion, error) {
		v, err := s.job(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		if !v.ended() || s.queue.find(v.ID) != nil {
			return nil, conflict("the job is active: cancel it first")
		}
		return s.deleteJob(ctx, v.ID)
	})
}

// changesJob replies to a request that cancels or resumes a job with its new state.
func (s *Server) changesJob(change func(context.Context, JobView) error) func(context.Context, *JobPath) (*jobReply, error) {
	return func(ctx context.Context, in *JobPath) (*jobReply, error) {
		v, err := s.job(ctx, in.ID)
		if err == nil {
			err = change(ctx, v)
		}
		if err != nil {
			return nil, err
		}
		return replied(s.job(ctx, in.ID))
	}
}

// deleteJob deletes what is kept of a job. The job goes last, so that a deletion that fails
// can be repeated.
func (s *Server) deleteJob(ctx context.Context, id string) (*deletion, error) {
	for _, kind := range []string{kindJobMember, kindJobRequest, kindJobResult} {
		if err := s.removeOf(ctx, kind, id); err != nil {
			return nil, err
		}
	}
	return s.remove(ctx, kindJob, id, "job", isID)
}
