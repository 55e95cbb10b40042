package wire

import (
	"context"
	"fmt"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

func (w *wiring) openRecorded(_ context.Context, s *selection) (opened, error) {
	var rec *target.Recorded
	var err error
	switch {
	case w.cfg.Responses != "":
		rec, err = w.readResponses()
	case s.data.Responses != nil:
		rec = target.NewRecorded(s.data.Responses)
	default:
		err = fmt.Errorf("%s holds no recorded responses: want --responses with a file of them", w.cfg.Dataset)
	}
	if err != nil {
		return opened{}, err
	}
	o := opened{target: rec, free: true, warnings: rec.Warnings(s.cases), info: assay.TargetInfo{Endpoint: w.cfg.Responses}}
	if rec.ReportsPassages() {
		o.reports |= metric.ReadPassages
	}
	if rec.ReportsAnswers() {
		o.reports |= metric.ReadAnswer
	}
	if rec.ReportsTrace() {
		o.reports |= metric.ReadTrace
	}
	return o, nil
}

// readResponses reads the file of responses: JSON lines, or a TREC run.
func (w *wiring) readResponses() (*target.Recorded, error) {
	f, err := os.Open(w.world.Path(w.cfg.Responses))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return target.Read(f, w.cfg.Responses)
}
