package spans

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Attributes by the conventions of TruLens 2 (trulens.otel.semconv.trace.SpanAttributes).
const (
	trulensKind      = "ai.observability.span_type"
	trulensInput     = "ai.observability.record_root.input"
	trulensOutput    = "ai.observability.record_root.output"
	trulensError     = "ai.observability.record_root.error"
	trulensQuery     = "ai.observability.retrieval.query_text"
	trulensRetrieved = "ai.observability.retrieval.retrieved_contexts"
)

// trulens reads spans of TruLens 2.
func trulens(s *Span) (Step, bool) {
	step := Step{Kind: Other}
	switch s.text(trulensKind) {
	case "":
		return Step{}, false
	case "record_root":
		step.Kind, step.Question, step.Answer = Chain, questionOf(s.value(trulensInput)), answerOf(s.value(trulensOutput))
	case "retrieval":
		step.Kind, step.Question = Retrieve, s.text(trulensQuery)
		step.retrieves(s.value(trulensRetrieved))
	case "eval", "eval_root":
		step.Kind = Check
	}
	return step, true
}

// trulensEvent is an event of TruLens, a span with attributes of its own names.
var trulensEvent = Format{
	Name: "TruLens",
	Doc:  `an event an object, as to_json(orient="records") writes the data frame of get_events of TruLens 2`,
	is:   func(o map[string]json.RawMessage) bool { return o["record_attributes"] != nil && o["event_id"] != nil },
	read: readTrulens,
}

func readTrulens(raw json.RawMessage) ([]Span, error) {
	var e struct {
		Trace struct {
			ID     string `json:"trace_id"`
			Span   string `json:"span_id"`
			Parent string `json:"parent_id"`
		} `json:"trace"`
		Record struct {
			Name string `json:"name"`
		} `json:"record"`
		Attributes map[string]any `json:"record_attributes"`
		Start      any            `json:"start_timestamp"`
		End        any            `json:"timestamp"`
	}
	if err := unmarshal(raw, &e); err != nil {
		return nil, fmt.Errorf("event of TruLens: %w", err)
	}
	s := Span{Trace: e.Trace.ID, ID: e.Trace.Span, Parent: e.Trace.Parent, Name: e.Record.Name, Attributes: e.Attributes}
	if s.Trace == "" || s.ID == "" {
		return nil, fmt.Errorf("event %q of TruLens: trace_id or span_id is missing: want both", s.Name)
	}
	s.Failure = s.text(trulensError)
	s.Failed = s.Failure != ""
	var errStart, errEnd error
	s.Start, errStart = timeOf(e.Start)
	s.End, errEnd = timeOf(e.End)
	if err := errors.Join(errStart, errEnd); err != nil {
		return nil, fmt.Errorf("event %q of TruLens: %w", s.Name, err)
	}
	return []Span{s}, nil
}
