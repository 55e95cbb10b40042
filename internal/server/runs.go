package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/progress"
	"github.com/assay-eval/assay/internal/web"
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
	// Estimates are empty in replies about the start and the end of a run.
	Estimates []wire.MetricMean `json:"estimates" nullable:"false" doc:"estimates of the metrics over the records so far; empty without any"`
	Verdict   gate.Verdict      `json:"verdict,omitempty" enum:"pass,fail,inconclusive" doc:"verdict of the gate at the end"`
}

func viewOfRun(r web.Run) RunView {
	h := r.Header
	v := RunView{
		ID: h.ID, Name: h.Name, State: h.State, Started: h.Started, Dataset: h.Dataset.Name, Adapter: h.Target.Adapter,
		Cases: h.Asked(), Done: r.Done, Failed: r.Failed, Metrics: wire.MetricNames(h.Metrics), Warnings: append([]string{}, h.Warnings...),
		Estimates: append([]wire.MetricMean{}, r.Estimates...),
	}
	if len(r.Estimates) > 0 {
		v.Verdict = r.Verdict
	}
	if !h.Finished.IsZero() {
		v.Finished = &h.Finished
	}
	if h.Judge != nil {
		v.Judge = judgeName(h.Judge)
	}
	return v
}

// A runWhole is a run with its report so far.
type runWhole struct {
	RunView
	// Report is null before the run has started.
	Report reportObject `json:"report" doc:"report as of docs/format.md, without cases; null before the run"`
}

// A reportObject is encoded JSON; empty is null.
type reportObject struct{ json.RawMessage }

// Schema lists its members, or null.
func (reportObject) Schema(huma.Registry) *huma.Schema {
	s := membersOf("report")
	delete(s.Properties, "cases")
	s.Nullable = true
	return s
}

type RunPath struct {
	ID string `path:"run_id" maxLength:"128" doc:"id of a run"`
}

func (p RunPath) run() string { return p.ID }

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

func (s *Server) runs() {
	register(s, "start-run", func(ctx context.Context, in *struct{ Body runRequest }) (*accepted, error) {
		h, err := s.queue.submit(ctx, in.Body)
		if err != nil {
			return nil, err
		}
		return s.accepted(ctx, h)
	})
	register(s, "list-runs", func(ctx context.Context, in *runListInput) (*list[RunView], error) {
		q := store.RunQuery{Name: in.Name, State: in.State, Limit: in.Limit, Offset: in.Offset}
		runs, total, err := pageBackend{s}.Runs(ctx, q)
		var views []RunView
		for _, r := range runs {
			views = append(views, viewOfRun(r))
		}
		return listed(views, total, in.Paging), err
	})
	registerOne(s, "get-run", func(ctx context.Context, in *RunPath) (whole runWhole, err error) {
		r, err := pageBackend{s}.Run(ctx, in.ID)
		if err != nil {
			return whole, err
		}
		whole.RunView = viewOfRun(r)
		if r.Done > 0 || r.State == stateFinished {
			sum, err := s.summarised(ctx, r.Header, r.Done)
			if err != nil {
				return whole, err
			}
			whole.Report = reportObject{sum.report}
		}
		return whole, nil
	})
	register(s, "delete-run", ofRun(s, func(ctx context.Context, h assay.Header, _ *RunPath) (*deletion, error) {
		if s.queue.find(h.ID) != nil || s.queue.waits(laneRuns, h.ID) {
			return nil, conflict("the run is active: cancel it first")
		}
		if err := s.store.DeleteRun(ctx, h.ID); err != nil {
			return nil, err
		}
		if err := s.store.DeleteItem(ctx, store.KindRequest, h.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		return deleted(h.ID), nil
	}))
	register(s, "cancel-run", s.changesRun(s.queue.cancelRun))
	register(s, "resume-run", s.changesRun(s.queue.resume))
}

// changesRun replies to a request that cancels or resumes a run with its new state.
func (s *Server) changesRun(change func(context.Context, assay.Header) error) func(context.Context, *RunPath) (*accepted, error) {
	return ofRun(s, func(ctx context.Context, h assay.Header, _ *RunPath) (*accepted, error) {
		if err := change(ctx, h); err != nil {
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
	r, err := s.counted(ctx, h)
	return &accepted{Location: prefix + "/runs/" + h.ID, Body: viewOfRun(r)}, err
}

var runID = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$`)

// header finds a run by its full id.
func (s *Server) header(ctx context.Context, id string) (assay.Header, error) {
	if !runID().MatchString(id) || id == store.Latest {
		return assay.Header{}, absent("run", id)
	}
	h, err := s.store.Run(ctx, id)
	switch {
	case errors.Is(err, store.ErrNotFound), err == nil && h.ID != id:
		return h, absent("run", id)
	case err != nil:
		return h, s.fail(ctx, err)
	}
	return s.ifAlive(ctx, h), nil
}

// ifAlive returns the header of a run, as interrupted if the process that executed it has died.
// Where no lock is available nothing is known.
func (s *Server) ifAlive(ctx context.Context, h assay.Header) assay.Header {
	if now, err := s.store.IfAlive(ctx, h, s.now()); err == nil {
		return now
	}
	return h
}

// runPage lists runs, after those whose process has died are stored as interrupted.
func (s *Server) runPage(ctx context.Context, q store.RunQuery) ([]assay.Header, int, error) {
	going, _, err := s.store.RunPage(ctx, store.RunQuery{State: stateRunning})
	if err != nil {
		return nil, 0, err
	}
	for _, h := range going {
		s.ifAlive(ctx, h)
	}
	return s.store.RunPage(ctx, q)
}

// report builds the report of a run from the store, with the outcome of its gate.
func (s *Server) report(ctx context.Context, h assay.Header) (*report.Report, error) {
	release, err := take(ctx, s.heavy)
	if err != nil {
		return nil, err
	}
	defer release()
	return wire.Kept(ctx, s.store, h)
}

// A runSummary is what is kept of the report of a run.
type runSummary struct {
	// report is the report without its cases, as JSON.
	report []byte
	means  wire.Means
}

// summarised returns the summary of a run with a number of records. That of a run which goes
// on can be of fewer.
func (s *Server) summarised(ctx context.Context, h assay.Header, records int) (runSummary, error) {
	return s.summaries.of(ctx, h, records, func() (out runSummary, err error) {
		report := s.report
		if h.State == stateRunning {
			report = s.reportSoFar
		}
		rep, err := report(ctx, h)
		if err != nil {
			return out, err
		}
		out.means = wire.MeansOf(rep)
		out.report, err = withoutCases(rep)
		return out, err
	})
}

// meansOf returns the means of runs, in their order. Those of a run that does not go on are
// stored when they are asked for the first time, unless the run has stored them. A run
// whose records cannot be read has none: only its own page is an error.
func (s *Server) meansOf(ctx context.Context, hs []assay.Header) ([]wire.Means, error) {
	ids := make([]string, len(hs))
	for i, h := range hs {
		ids[i] = h.ID
	}
	kept, err := wire.KeptMeans(ctx, s.store, ids)
	if err != nil {
		return nil, err
	}
	out := make([]wire.Means, len(hs))
	var missing []int
	cases := 0
	for i, h := range hs {
		var ok bool
		if out[i], ok = kept[h.ID]; !ok || h.State != stateFinished || out[i].Records != h.Asked() {
			missing, cases = append(missing, i), cases+h.Asked()
		}
	}
	progress.Of(ctx).Start(cases)
	for _, i := range missing {
		h := hs[i]
		if out[i], err = s.meansNow(ctx, h, out[i]); err == nil {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.log.WarnContext(ctx, "a run has no estimates in the list", "run", h.ID, "error", err)
	}
	return out, nil
}

// meansNow returns the means of a run's records, which are those that are kept unless there
// are more by now.
func (s *Server) meansNow(ctx context.Context, h assay.Header, kept wire.Means) (wire.Means, error) {
	n, err := wire.RecordsOf(s.store, h).Counts(ctx, h.ID)
	if err != nil || n.Records == kept.Records {
		return kept, err
	}
	if h.State == stateRunning {
		sum, err := s.summarised(ctx, h, n.Records)
		return sum.means, err
	}
	if h, err = s.store.Run(ctx, h.ID); err != nil { // it may be a short one
		return kept, err
	}
	rep, err := s.report(ctx, h)
	if err != nil {
		return kept, err
	}
	return wire.KeepMeans(ctx, s.store, rep), nil
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
