package wire

import (
	"context"
	"fmt"
	"os"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

func (j *Job) openRecorded(_ context.Context, data *dataset.Dataset) (opened, error) {
	var rec *target.Recorded
	var err error
	switch {
	case j.cfg.Responses != "":
		rec, err = j.readResponses()
	case data.Responses != nil:
		rec = target.NewRecorded(data.Responses)
	default:
		err = fmt.Errorf("%s holds no recorded responses: want --responses with a file of them", j.cfg.Dataset)
	}
	if err != nil {
		return opened{}, err
	}
	j.target = rec
	o := opened{free: true, warnings: rec.Warnings(j.cases), info: assay.TargetInfo{Endpoint: j.cfg.Responses}}
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
func (j *Job) readResponses() (*target.Recorded, error) {
	f, err := os.Open(j.world.Path(j.cfg.Responses))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return target.Read(f, j.cfg.Responses)
}
