package wire

import (
	"context"
	"encoding/json"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// Means are what lists of runs and trends show of the records of a run.
type Means struct {
	// Records is the number of records that they are of.
	Records int `json:"-"`
	// Estimates are those of the metrics, in their order.
	Estimates []MetricMean `json:"estimates"`
	// Verdict is that of the gate at the end of the run; "" if the run has no gate or has
	// not finished.
	Verdict gate.Verdict `json:"verdict,omitempty"`
	// Level is the confidence level of the intervals.
	Level float64 `json:"level"`
}

// A MetricMean is the estimate of a metric.
type MetricMean struct {
	Metric string      `json:"metric" doc:"name of the metric" example:"recall@5"`
	N      int         `json:"n" doc:"number of cases with a value" example:"500"`
	Mean   *float64    `json:"mean" required:"true" doc:"mean over these; null if there are none" example:"0.781"`
	CI     *[2]float64 `json:"ci" required:"true" doc:"interval of the mean; null if the cases are too few" example:"[0.743, 0.816]"`
}

// The column of the means, which is about the whole run.
const meansKind, meansVersion = "means", "means/3"

// MeansOf returns the means of a report.
func MeansOf(rep *report.Report) Means {
	out := Means{Records: rep.Cases.Len(), Estimates: make([]MetricMean, 0, len(rep.Summary.Metrics)), Level: rep.Level()}
	for _, m := range rep.Summary.Metrics {
		e := MetricMean{Metric: m.Name, N: m.N}
		if m.N > 0 {
			e.Mean = &m.Mean
		}
		if m.CI != nil {
			e.CI = &[2]float64{m.CI.Lo, m.CI.Hi}
		}
		out.Estimates = append(out.Estimates, e)
	}
	if rep.Gate != nil && rep.Header.State == "finished" {
		out.Verdict = rep.Gate.Verdict
	}
	return out
}

// KeepMeans stores the means of a report, and returns them. A database that cannot be
// written to is left as it is.
func KeepMeans(ctx context.Context, s *store.Store, rep *report.Report) Means {
	means := MeansOf(rep)
	if body, err := json.Marshal(means); err == nil {
		_ = s.PutColumns(ctx, rep.Header.ID, meansKind, []store.Column{{Part: -1, N: means.Records, Name: meansVersion, Body: body}})
	}
	return means
}

// KeptMeans returns the stored means of runs by their ids. Runs that have none are not in
// it. Those of a run that has more records by now, because it was resumed, are of no use.
func KeptMeans(ctx context.Context, s *store.Store, runIDs []string) (map[string]Means, error) {
	stored, err := s.RunColumns(ctx, meansKind, runIDs)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Means, len(stored))
	for id, c := range stored {
		means := Means{Records: c.N}
		if c.Name == meansVersion && json.Unmarshal(c.Body, &means) == nil {
			out[id] = means
		}
	}
	return out, nil
}
