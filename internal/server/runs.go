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
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// A RunView is a run in a list. Types that others embed are exported, because the
// library of the API sees no others.
type RunView struct {
	ID       string     `json:"run_id"`
	Name     string     `json:"name,omitempty"`
	State    string     `json:"state" enum:"queued,running,finished,interrupted,failed,cancelled"`
	Started  time.Time  `json:"started"`
	Finished *time.Time `json:"finished,omitempty"`
	Dataset  string     `json:"dataset"`
	Adapter  string     `json:"adapter"`
	// Cases counts the records of a finished run, Done those that are there.
	Cases    int      `json:"cases" doc:"how many records the run will have; 0 before it begins"`
	Done     int      `json:"done"`
	Failed   int      `json:"failed" doc:"how many of them have no response"`
	Metrics  []string `json:"metrics" nullable:"false"`
	Judge    string   `json:"judge,omitempty"`
	Warnings []string `json:"warnings" nullable:"false"`
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

// A runWhole is a run with what its records say so far.
type runWhole struct {
	RunView
	// Report is null before the run has begun.
	Report reportObject `json:"report" doc:"the report in the format assay.report/1 (docs/format.md) without its cases; null before the run has begun"`
}

// A reportObject is JSON that is made already; empty is null.
type reportObject []byte

// Schema says that it is an object or null.
func (reportObject) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Nullable: true, AdditionalProperties: true}
}

// MarshalJSON gives what it holds.
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

// accepted is the reply to what goes on after it.
type accepted struct {
	Location string `header:"Location"`
	Body     RunView
}

func (s *Server) runs(api huma.API) {
	huma.Register(api, operation("runs", http.MethodPost, "/runs", "start-run", "Start a run", succeeds(http.StatusAccepted),
		says("From settings with the keys of the configuration file, or from the names of a data set and a target. The run waits for its turn; its id is known at once.")),
		func(ctx context.Context, in *struct{ Body runRequest }) (*accepted, error) {
			h, err := s.queue.submit(ctx, in.Body)
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			return s.accepted(ctx, h)
		})
	huma.Register(api, operation("runs", http.MethodGet, "/runs", "list-runs", "The runs, the latest first"), func(ctx context.Context, in *runListInput) (*list[RunView], error) {
		hs, total, err := s.store.RunPage(ctx, store.RunQuery{Name: in.Name, State: in.State, Limit: in.Limit, Offset: in.Offset})
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		views := make([]RunView, 0, len(hs))
		for _, h := range hs {
			v, err := s.view(ctx, h)
			if errors.Is(err, store.ErrNotFound) {
				continue // it was deleted just now
			}
			if err != nil {
				return nil, s.fail(ctx, err)
			}
			views = append(views, v)
		}
		return listed(views, total, in.Paging), nil
	})
	huma.Register(api, operation("runs", http.MethodGet, "/runs/{run_id}", "get-run", "A run, with its estimates so far"), func(ctx context.Context, in *RunPath) (*one[runWhole], error) {
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
			if whole.Report, err = s.summaries.of(ctx, s, h, v.Done); err != nil {
				return nil, s.fail(ctx, err)
			}
		}
		return &one[runWhole]{whole}, nil
	})
	huma.Register(api, operation("runs", http.MethodDelete, "/runs/{run_id}", "delete-run", "Delete a run with its cases and labels", says("What its judging paid for stays in the ledger. A run that goes on is a 409: cancel it first.")),
		func(ctx context.Context, in *RunPath) (*deletion, error) {
			h, err := s.header(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if s.queue.find(h.ID) != nil || s.queue.waits(h.ID) {
				return nil, conflict("the run goes on: want it cancelled first")
			}
			if err := s.store.DeleteRun(ctx, h.ID); err != nil {
				return nil, s.fail(ctx, err)
			}
			if err := s.store.DeleteItem(ctx, kindRequest, h.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
				return nil, s.fail(ctx, err)
			}
			return deleted(h.ID), nil
		})
	huma.Register(api, operation("runs", http.MethodPost, "/runs/{run_id}/cancel", "cancel-run", "Stop a run", succeeds(http.StatusAccepted), says("The cases in flight are finished and kept. POST …/resume goes on.")),
		func(ctx context.Context, in *RunPath) (*accepted, error) {
			h, err := s.header(ctx, in.ID)
			if err == nil {
				err = s.fail(ctx, s.queue.cancel(ctx, h))
			}
			if err != nil {
				return nil, err
			}
			return s.accepted(ctx, h)
		})
	huma.Register(api, operation("runs", http.MethodPost, "/runs/{run_id}/resume", "resume-run", "Go on with a run that did not finish", succeeds(http.StatusAccepted), says("No case is evaluated twice. A run is resumed as it was begun; what changed since then and could move a number is an error, which the run's warnings tell.")),
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

// accepted answers with the run as it now is.
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

// header finds a run by its whole id.
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

// report makes the report of a run from what is kept, judged by what the run was
// held to when it is finished.
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

// hold judges a run by the rules and the baseline of its settings. Those that
// cannot be had any more leave the run without a verdict, which a warning says.
func (s *Server) hold(ctx context.Context, rep *report.Report) {
	h := rep.Header
	r, req, err := s.restored(ctx, h)
	if errors.Is(err, store.ErrNotFound) {
		return // the command line's: it was judged there
	}
	if err == nil && r.Baseline == "" && r.Gate.Rules == nil {
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
		rep.Summary.Warnings = append(rep.Summary.Warnings, "what the run was held to cannot be had any more, and it is not judged")
	}
}

// summarised gives a report without its cases.
func summarised(rep *report.Report) ([]byte, error) {
	without := *rep
	without.Records = nil
	var b, small bytes.Buffer
	if err := report.JSON(&b, &without, report.Options{}); err != nil {
		return nil, err
	}
	if err := json.Compact(&small, b.Bytes()); err != nil {
		return nil, err
	}
	return small.Bytes(), nil
}
