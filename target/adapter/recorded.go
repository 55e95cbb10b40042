package adapter

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

var recorded = Adapter{
	Name:    "recorded",
	Doc:     "recorded responses, in a file (JSON lines or a TREC run) or in the dataset",
	Example: "--responses FILE",
	RunOnly: true,
	Open:    openRecorded,
}

func openRecorded(_ context.Context, e *Env) (Opened, error) {
	var rec *target.Recorded
	var err error
	switch {
	case e.Responses != "":
		rec, err = target.Open(e.Path(e.Responses), e.Responses)
	case e.Recorded != nil || e.Failures != nil:
		rec = target.NewRecorded(e.Recorded, e.Failures)
	default:
		err = fmt.Errorf("%s holds no recorded responses: want --responses with a file of them", e.Dataset)
	}
	if err != nil {
		return Opened{}, err
	}
	o := Opened{Target: rec, Free: true, Warnings: rec.Warnings(e.Cases), Info: assay.TargetInfo{Endpoint: e.Responses}}
	if rec.ReportsPassages() {
		o.Reports |= metric.ReadPassages
	}
	if rec.ReportsAnswers() {
		o.Reports |= metric.ReadAnswer
	}
	if rec.ReportsTrace() {
		o.Reports |= metric.ReadTrace
	}
	return o, nil
}
