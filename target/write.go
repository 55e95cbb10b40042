package target

import (
	"encoding/json"
	"io"
	"time"

	"github.com/assay-eval/assay"
)

// WriteResponse writes the response to a case as a line that [Read] reads. failure
// says why there is no response; it is "" if there is one.
func WriteResponse(w io.Writer, c *assay.Case, r *assay.Response, failure string) error {
	line := struct {
		ID        string           `json:"id"`
		Question  string           `json:"question"`
		Answer    *string          `json:"answer,omitempty"`
		Contexts  *[]assay.Passage `json:"contexts,omitempty"`
		LatencyMS float64          `json:"latency_ms,omitempty"`
		Usage     assay.Usage      `json:"usage,omitzero"`
		Trace     *assay.Trace     `json:"trace,omitempty"`
		Error     string           `json:"error,omitempty"`
	}{
		ID: c.ID, Question: c.Question, LatencyMS: float64(r.Latency) / float64(time.Millisecond), Usage: r.Usage, Trace: r.Trace, Error: failure,
	}
	if !r.NoAnswer {
		line.Answer = &r.Answer
	}
	if r.Passages != nil {
		line.Contexts = &r.Passages
	}
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
