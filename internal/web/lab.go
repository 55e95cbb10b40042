package web

import (
	"context"
	"errors"
	"fmt"
	"net/url"

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
	// SaveLabel keeps a label of the reader. The error is a [*LabelConflict] if there is another
	// version than the reader saw.
	SaveLabel(ctx context.Context, l NewLabel) error
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
	// Carried are counted labels of other runs, Undeclared those that do not say how their
	// cases were chosen; the others do not count.
	Carried, Undeclared, Unsure, Sighted, NotRandom int
	// Ruled are the cases with a label and a score.
	Ruled []judge.Rated
	// Threshold is the score from which the judge counts as saying yes.
	Threshold float64
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

// A LabelState is a label of a person.
type LabelState struct {
	ID, Annotator, Comment string
	Value                  *float64
	Unsure, Withdrawn      bool
	Version                int
	// From is another run whose label it is, "" for this one.
	From string
}

// A NewLabel is a label to keep. Version is that of the label that the reader saw, 0 without.
type NewLabel struct {
	Run, Case, Metric, How, Comment string
	Value                           *float64
	Unsure, Sighted                 bool
	Version                         int
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
				Day: one.Started.UTC().Format("2006-01-02 15:04"), Labels: one.Labels[m.Name]})
		}
	}
	return view{Template: "lab", Title: r.w.Names().LabNames.Title, Place: placeLab, Data: data}, nil
}

// labRun returns the run and the metric of an address.
func (p *Pages) labRun(r *request) (Run, assay.MetricInfo, error) {
	one, err := p.cfg.Backend.Run(r.Context(), r.PathValue("run"))
	if err != nil {
		return one, assay.MetricInfo{}, err
	}
	name := caseOf(r.PathValue("metric"))
	m, _ := wire.MetricOf(one.Header, name)
	return one, m, Measured(name, one.Metrics)
}

// isConflict reports whether a label was changed since the reader saw it.
func isConflict(err error) (*LabelConflict, bool) {
	var c *LabelConflict
	return c, errors.As(err, &c)
}
