package report

import (
	"encoding/json"
	"io"
)

var langfuseFormat = Format{
	Name: "langfuse", Ext: ".langfuse.jsonl", Media: "application/x-ndjson",
	Doc:   "the scores, a line each, for Langfuse (POST /api/public/scores)",
	Write: Langfuse,
}

// Langfuse writes the scores of cases that were made of traces as bodies of Langfuse's API,
// one a line. The id of a score is made of the run, the trace and the metric, so that sending
// it again replaces it. A score without a value is left out.
func Langfuse(w io.Writer, r *Report, _ Options) error {
	return writeScores(w, r, "", "\n", "\n", func(t tracedScore) ([]byte, error) {
		value, ok := t.value()
		if !ok {
			return nil, nil
		}
		return json.Marshal(struct {
			ID       string  `json:"id"`
			Trace    string  `json:"traceId"`
			Span     string  `json:"observationId,omitempty"`
			Name     string  `json:"name"`
			Value    float64 `json:"value"`
			DataType string  `json:"dataType"`
			Comment  string  `json:"comment,omitempty"`
		}{r.Header.ID + "/" + t.record.Case.ID + "/" + t.metric.Name, t.trace, t.span, t.metric.Name, value, "NUMERIC", t.score.Reason})
	})
}
