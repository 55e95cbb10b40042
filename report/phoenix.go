package report

import (
	"encoding/json"
	"io"
)

var phoenixFormat = Format{
	Name: "phoenix", Ext: ".phoenix.json", Media: "application/json",
	Doc:   "the scores for Phoenix (POST /v1/span_annotations)",
	Write: Phoenix,
}

// Phoenix writes the scores of cases that were made of traces as the body of a request for
// annotations of Phoenix. Sending it again replaces them: their identifier is the run. A score
// without a value has its state as label.
func Phoenix(w io.Writer, r *Report, _ Options) error {
	return writeScores(w, r, `{"data": [`+"\n", ",\n", "\n]}\n", func(t tracedScore) ([]byte, error) {
		if t.span == "" {
			return nil, nil
		}
		type result struct {
			Score       *float64 `json:"score,omitempty"`
			Label       string   `json:"label,omitempty"`
			Explanation string   `json:"explanation,omitempty"`
		}
		out := struct {
			Span       string `json:"span_id"`
			Name       string `json:"name"`
			Annotator  string `json:"annotator_kind"`
			Result     result `json:"result"`
			Identifier string `json:"identifier"`
		}{t.span, t.metric.Name, t.annotator(), result{Explanation: t.score.Reason}, r.Header.ID}
		if value, ok := t.value(); ok {
			out.Result.Score = &value
		} else {
			out.Result.Label = t.score.State.String()
		}
		return json.Marshal(out)
	})
}
