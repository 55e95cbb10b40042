package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// A RunView is a run in a list. Embedded types are exported because the API library
// ignores others.
type RunView struct {
	ID       string     `json:"run_id" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Name     string     `json:"name,omitempty" doc:"name that the run was given" example:"nightly"`
	State    string     `json:"state" enum:"queued,running,finished,interrupted,failed,cancelled" doc:"where the run stands"`
	Started  time.Time  `json:"started" doc:"time of the first attempt" example:"2026-03-02T09:30:00Z"`
	Finished *time.Time `json:"finished,omitempty" doc:"time of the end; absent while there is none" example:"2026-03-02T09:31:12Z"`
	Dataset  string     `json:"dataset" doc:"name of the dataset" example:"rivers.jsonl"`
	Adapter  string     `json:"adapter" doc:"kind of the target" example:"http"`
	// Cases is the number of records of the finished run, Done those stored so far.
	Cases    int      `json:"cases" doc:"number of records the run will have; 0 before it starts" example:"500"`
	Done     int      `json:"done" doc:"number of records stored so far" example:"500"`
	Failed   int      `json:"failed" doc:"records without a response" example:"2"`
	Metrics  []string `json:"metrics" nullable:"false" doc:"names of the metrics" example:"[\"hit@5\",\"mrr\"]"`
	Judge    string   `json:"judge,omitempty" doc:"provider and model of the judge; absent without one" example:"openai:gpt-4.1"`
	Warnings []string `json:"warnings" nullable:"false" doc:"what a reader of the scores should know" example:"[\"2 cases have no response\"]"`
}

func (s *Server) view(ctx context.Context, h assay.Header) (RunView, error) {
	n, err := s.store.Counts(ctx, h.ID)
	if err != nil {
		return RunView{}, err
	}
	v := RunView{
		ID: h.ID, Name: h.Name, State: h.State, Started: h.Started, Dataset: h.Dataset.Name, Adapter: h.Target.Adapter,
		Cases: h.Asked(), Done: n.Records, Failed: n.Failed, Metrics: []string{}, Warnings: append([]string{}, h.Warnings...),
	}
	if !h.Finished.IsZero() {
		v.Finished = &h.Finished
	}
	for _, m := range h.Metrics {
		v.Metrics = append(v.Metrics, m.Name)
	}
	if h.Judge != nil {
		v.Judge = h.Judge.Provider
		if h.Judge.Model != "" {
			v.Judge += ":" + h.Judge.Model
		}
	}
	return v, nil
}

// A runWhole is a run with its report so far.
type runWhole struct {
	RunView
	// Report is null before the run has started.
	Report reportObject `json:"report" doc:"report in format assay.report/1 (docs/format.md) without cases; null before the run has started"`
}

// A reportObject is encoded JSON; empty is null.
type reportObject []byte

// Schema says that it is an object or null.
func (reportObject) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Nullable: true, AdditionalProperties: true}
}

// MarshalJSON returns the JSON.
func (o reportObject) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("null"), nil
	}
	return o, nil
}

type RunPath struct {
	ID string `path:"run_id" maxLength:"128" doc:"id of a run"`
}

type runListInput struct {
	Paging
	State string `query:"state" enum:"queued,running,finished,interrupted,failed,cancelled" doc:"only runs in this state"`
	Name  string `query:"name" maxLength:"128" doc:"only runs of this name"`
}

// accepted is the reply to a request that continues in the background.
type accepted struct {
	Location string `header:"Location"`
	Body     RunView
}

func (s *Server) runs(api huma.API) {
	huma.Register(api, operation("runs", http.MethodPost, "/runs", "start-run", "Start a run", succeeds(http.StatusAccepted),
		says("From settings with the keys of the configuration file, or from the names of a dataset and a target. The "+
			"run is queued; its id is returned at once.")),
		func(ctx context.Context, in *struct{ Body runRequest }) (*accepted, error) {
			h, err := s.queue.submit(ctx, in.Body)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return s.accepted(ctx, h)
		})
	huma.Register(api, operation("runs", http.MethodGet, "/runs", "list-runs", "List the runs, latest first"),
		func(ctx context.Context, in *runListInput) (*list[RunView], error) {
			hs, total, err := s.store.RunPage(ctx, store.RunQuery{Name: in.Name, State: in.State, Limit: in.Limit, Offset: in.Offset})
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			views := make([]RunView, 0, len(hs))
			for _, h := range hs {
				v, err := s.view(ctx, h)
				if errors.Is(err, store.ErrNotFound) {
					continue // deleted meanwhile
				}
				if err != nil {
					return nil, s.fail(ctx, err)
				}
				views = append(views, v)
			}
			return listed(views, total, in.Paging), nil
		})
	huma.Register(api, operation("runs", http.MethodGet, "/runs/{run_id}", "get-run", "Get a run with its estimates so far"),
		func(ctx context.Context, in *RunPath) (*one[runWhole], error) {
			h, err := s.header(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			v, err := s.view(ctx, h)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			whole := runWhole{RunView: v}
			if v.Done > 0 || h.State == stateFinished {
				if whole.Report, err = s.summarised(ctx, h, v.Done); err != nil {
					return nil, s.fail(ctx, err)
				}
			}
			return &one[runWhole]{whole}, nil
		})
	huma.Register(api,
		operation(
			"runs", http.MethodDelete, "/runs/{run_id}", "delete-run", "Delete a run with its cases and labels",
			says("Paid judge replies stay in the ledger. An active run is a 409: cancel it first."),
		),
		func(ctx context.Context, in *RunPath) (*deletion, error) {
			h, err := s.header(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if s.queue.find(h.ID) != nil || s.queue.waits(laneRuns, h.ID) {
				return nil, conflict("the run is active: cancel it first")
			}
			if err := s.store.DeleteRun(ctx, h.ID); err != nil {
				return nil, s.fail(ctx, err)
			}
			if err := s.store.DeleteItem(ctx, kindRequest, h.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, s.fail(ctx, err)
			}
			return deleted(h.ID), nil
		})
	huma.Register(api,
		operation(
			"runs", http.MethodPost, "/runs/{run_id}/cancel", "cancel-run", "Cancel a run", succeeds(http.StatusAccepted),
			says("Cases in flight are finished and kept. POST …/resume continues the run."),
		),
		func(ctx context.Context, in *RunPath) (*accepted, error) {
			h, err := s.header(ctx, in.ID)
			if err == nil {
				err = s.fail(ctx, s.queue.cancelRun(ctx, h))
			}
			if err != nil {
				return nil, err
			}
			return s.accepted(ctx, h)
		})
	huma.Register(api,
		operation("runs", http.MethodPost, "/runs/{run_id}/resume", "resume-run", "Resume an unfinished run", succeeds(http.StatusAccepted),
			says("No case is evaluated twice. A run resumes with its original settings; a change since then that could "+
				"move a score is an error in the run's warnings.")),
		func(ctx context.Context, in *RunPath) (*accepted, error) {
			h, err := s.header(ctx, in.ID)
			if err == nil {
				err = s.fail(ctx, s.queue.resume(ctx, h))
			}
			if err != nil {
				return nil, err
			}
			return s.accepted(ctx, h)
		})
}

// accepted replies with the current state of the run.
func (s *Server) accepted(ctx context.Context, h assay.Header) (*accepted, error) {
	now, err := s.store.Run(ctx, h.ID)
	if err == nil {
		h = now
	}
	v, err := s.view(ctx, h)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &accepted{Location: prefix + "/runs/" + h.ID, Body: v}, nil
}

var runID = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

// header finds a run by its full id.
func (s *Server) header(ctx context.Context, id string) (assay.Header, error) {
	if !runID.MatchString(id) || id == store.Latest {
		return assay.Header{}, absent("run", id)
	}
	h, err := s.store.Run(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && h.ID != id:
		return h, absent("run", id)
	case err != nil:
		return h, s.fail(ctx, err)
	}
	return h, nil
}

// report builds the report of a run from the store, with the verdicts of its gate
// when the run is finished.
func (s *Server) report(ctx context.Context, h assay.Header) (*report.Report, error) {
	release, err := take(ctx, s.heavy)
	if err != nil {
		return nil, err
	}
	defer release()
	rep, err := wire.Kept(ctx, s.store, h)
	if err != nil {
		return nil, err
	}
	if h.State == stateFinished {
		s.hold(ctx, rep)
	}
	return rep, nil
}

// hold evaluates the gate in the settings of a run. When the policy is no longer
// available the report has a warning in place of a verdict.
func (s *Server) hold(ctx context.Context, rep *report.Report) {
	h := rep.Header
	r, req, err := s.restored(ctx, h)
	if errors.Is(err, store.ErrNotFound) {
		return // started by the command line, which evaluated the gate
	}
	if err == nil && r.Baseline == "" && r.Gate.Rules == nil && r.Gate.Critical != "all" {
		return
	}
	var place func(string) string
	if err == nil {
		var clean func()
		place, clean, err = s.baselinePlaced(ctx, r.Baseline, req.Elsewhere)
		defer clean()
	}
	if err == nil {
		var policy gate.Policy
		if policy, err = wire.Policy(r, place); err == nil {
			err = wire.Hold(rep, policy)
		}
	}
	if err != nil {
		rep.Summary.Warnings = append(rep.Summary.Warnings, "gate policy no longer available; not evaluated")
	}
}

// summarised returns the report of a run with a number of records, without its cases.
func (s *Server) summarised(ctx context.Context, h assay.Header, records int) ([]byte, error) {
	return s.summaries.of(ctx, h, records, func() ([]byte, error) {
		report := s.report
		if h.State == stateRunning {
			report = s.reportSoFar
		}
		rep, err := report(ctx, h)
		if err != nil {
			return nil, err
		}
		return withoutCases(rep)
	})
}

// withoutCases returns a report without its cases, as JSON on one line.
func withoutCases(rep *report.Report) ([]byte, error) {
	without := *rep
	without.Cases = columns.Of(nil)
	var b, small bytes.Buffer
	if err := report.JSON(&b, &without, report.Options{}); err != nil {
		return nil, err
	}
	if err := json.Compact(&small, b.Bytes()); err != nil {
		return nil, err
	}
	return small.Bytes(), nil
}
