package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/report"
)

// A LabBackend answers what the judge lab shows, and keeps labels.
type LabBackend interface {
	// LabRuns returns the latest runs with a judged metric, and how many labels each metric
	// has.
	LabRuns(ctx context.Context) ([]LabRun, error)
	// Calibration compares the judge's scores of a metric with the labels of people.
	Calibration(ctx context.Context, h assay.Header, m assay.MetricInfo) (Calibration, error)
	// LabelTask returns a case to label: that of the queue, or the next one.
	LabelTask(ctx context.Context, h assay.Header, m assay.MetricInfo, q LabelQueue) (LabelTask, error)
	// SaveLabel keeps a label of the reader. version is that of the label that the reader saw, 0
	// without. The error is a [*LabelConflict] if there is another.
	SaveLabel(ctx context.Context, l Label, version int) error
	// MayLabel reports whether the reader may label.
	MayLabel(ctx context.Context) bool
	// UndoLabel takes back the last version of the reader's label of a case.
	UndoLabel(ctx context.Context, h assay.Header, m assay.MetricInfo, caseID string) error
}

// A LabRun is a run with judged metrics. Labels counts labels by metric.
type LabRun struct {
	assay.Header
	Labels map[string]int
}

// A Calibration is what labels say of the judge. The report is nil if no label counts.
type Calibration struct {
	*judge.CalibrationReport
	// People are those whose labels count, the one whom the judge is compared with first.
	People []string
	LabelCounts
	// Ruled are the cases with a label and a score.
	Ruled []judge.Rated
	// Threshold is the score from which the judge counts as saying yes.
	Threshold float64
}

// LabelCounts counts labels of a metric, and why those do not count that do not.
type LabelCounts struct {
	// Counted are the labels that count, Carried those of them that are of other runs, and
	// Undeclared those of them whose case was chosen nobody says how.
	Counted    int `json:"counted"`
	Carried    int `json:"carried"`
	Undeclared int `json:"undeclared"`
	Unsure     int `json:"unsure"`
	Sighted    int `json:"sighted"`
	NotRandom  int `json:"not_random"`
}

// A LabelQueue is an order of the cases to label. Case is the one to show, or else After is
// the one whose next is shown; "" for both is the first.
type LabelQueue struct {
	How         string
	Seed        uint64
	Case, After string
}

// A LabelTask is a case to label.
type LabelTask struct {
	// Record is nil if every case is labelled.
	Record *assay.Record
	// Next is the id of the case after it, "" without one.
	Next       string
	Done, Left int
	// Mine is the reader's label; nil if there is none. Others are those of other people, and
	// nil before the reader has labelled the case.
	Mine   *LabelState
	Others []LabelState
	// Corrected is nil if there are too few labels.
	Corrected *judge.Corrected
	Counted   int
}

// A LabelView is a label as it is now.
type LabelView struct {
	ID string `json:"label_id" doc:"id of the label" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	Label
	Version int       `json:"version" doc:"how often it was written; the ETag" example:"1"`
	Created time.Time `json:"created_at" doc:"time when the case was first labelled so" example:"2026-03-02T09:30:00Z"`
	Updated time.Time `json:"updated_at" doc:"time of the version" example:"2026-03-02T09:30:00Z"`
	// From is set in what other runs make of the label.
	From string `json:"from_run_id,omitempty" doc:"the run that was labelled, if it is another with the same answer" example:"01990a3e"`
}

// A LabelState is a label that can be withdrawn.
type LabelState struct {
	LabelView
	Withdrawn bool
}

// A Label is a person's judgement of a metric on a case of a run.
type Label struct {
	Run    string `json:"run_id" maxLength:"128" doc:"id of the run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Case   string `json:"case_id" maxLength:"1000" doc:"id of the case" example:"q-17"`
	Metric string `json:"metric" maxLength:"256" doc:"a metric of the run" example:"faithfulness"`
	// Value is nil if the person cannot tell.
	Value  *float64 `json:"value,omitempty" nullable:"true" minimum:"-1000000" maximum:"1000000" doc:"0 or 1, or a grade; absent if unsure" example:"1"`
	Unsure bool     `json:"unsure,omitempty" doc:"whether the person cannot tell: the label is kept, and not counted"`
	// How is "" in labels of earlier versions.
	How string `json:"how,omitempty" enum:"random,unsure,chosen" doc:"how the case was chosen: at random, because the judge is unsure, or else"`
	// Sighted labels do not count: the score influences people.
	Sighted bool `json:"sighted,omitempty" doc:"whether the person saw the judge's score first: such a label is not counted"`
	// Annotator identifies the person; another label of the same person
	// replaces the first.
	Annotator string `json:"annotator,omitempty" maxLength:"128" doc:"who says so: the name of the token, if there is one" example:"wong"`
	Comment   string `json:"comment,omitempty" maxLength:"10000" doc:"a note, such as why the person judges so" example:"no source"`
}

// A LabelConflict is a label that was changed since the reader saw it.
type LabelConflict struct{ Is LabelState }

// Error implements error.
func (e *LabelConflict) Error() string {
	return fmt.Sprintf("the label is version %d now", e.Is.Version)
}

// labAddress is the address of a judged metric of a run.
func labAddress(run, metric string) string {
	return "/judge/" + url.PathEscape(run) + "/" + caseSegment(metric)
}

// The parts of the lab's addresses.
const (
	howRandom = "random"
	howUnsure = "unsure"
)

// A labRow is a judged metric of a run in the list.
type labRow struct {
	Run, RunAddress, Metric, Address, LabelAddress, Dataset, Day string
	Labels                                                       int
}

// lab is the list of runs with a judged metric.
func (p *Pages) lab(r *request) (view, error) {
	runs, err := p.cfg.Backend.LabRuns(r.Context())
	if err != nil {
		return view{}, err
	}
	var data struct{ Rows []labRow }
	for _, one := range runs {
		for _, m := range one.Metrics {
			if !m.Judged {
				continue
			}
			address := labAddress(one.ID, m.Name)
			data.Rows = append(data.Rows, labRow{Run: rowOf(r.w, Run{Header: one.Header}).Name, RunAddress: runAddress(one.ID),
				Metric: report.MetricTitle(m), Address: address, LabelAddress: address + "/label", Dataset: one.Dataset.Name,
				Day: moment(one.Started), Labels: one.Labels[m.Name]})
		}
	}
	return view{Template: "lab", Title: r.w.Names().LabNames.Title, Place: placeLab, Data: data}, nil
}

// ofMetric returns the handler of a page about the metric of a run that its address names.
func (p *Pages) ofMetric(show func(*request, Run, assay.MetricInfo) (view, error)) http.Handler {
	return p.ofRun(func(r *request, one Run) (view, error) {
		name := CaseOf(r.PathValue("metric"))
		if err := Measured(name, one.Metrics); err != nil {
			return view{}, err
		}
		m, _ := wire.MetricOf(one.Header, name)
		return show(r, one, m)
	})
}
