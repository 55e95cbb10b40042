package adapter

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/target"
)

var recorded = Adapter{
	Name:    "recorded",
	Doc:     "recorded responses, in a file (JSON lines, a TREC run, or a dataset format that holds them) or in the dataset",
	Example: "--responses FILE",
	RunOnly: true,
	Open:    openRecorded,
}

func openRecorded(ctx context.Context, e *Env) (Opened, error) {
	var rec *target.Recorded
	var err error
	switch {
	case e.Responses != "":
		rec, err = openResponses(ctx, e)
	case e.Recorded != nil || e.Failures != nil:
		rec = target.NewRecorded(e.Recorded, e.Failures)
	default:
		err = fmt.Errorf("%s holds no recorded responses; use --responses with a file of them", e.Dataset)
	}
	if err != nil {
		return Opened{}, err
	}
	if err := rec.Share(e.Cases); err != nil {
		return Opened{}, errors.Join(err, rec.Close())
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

// openResponses opens a file of recorded responses. What other tools wrote is read as a
// dataset is, and its cases are forgotten.
func openResponses(ctx context.Context, e *Env) (*target.Recorded, error) {
	path := e.Path(e.Responses)
	data, err := dataset.LoadResponses(ctx, path, dataset.Options{Name: e.Responses, Split: e.Split, SkipInvalid: e.SkipInvalid},
		target.IsLines(path))
	if err != nil {
		return nil, err
	}
	if data == nil {
		return target.Open(path, e.Responses)
	}
	var records []target.Record
	for _, c := range data.Cases.All() {
		if r, ok := data.Responses[c.ID]; ok || data.Failures[c.ID] != "" {
			records = append(records, target.Record{ID: c.ID, Question: c.Question, Made: strings.HasPrefix(c.ID, dataset.MadeID(c.Question)), Response: r,
				Failure: data.Failures[c.ID]})
		}
	}
	rec := target.RecordedOf(records)
	for _, w := range data.Warnings {
		rec.Warn(w.String())
	}
	return rec, nil
}
