package spans

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/assay-eval/assay"
)

// The scope of attributes by the conventions of TruLens 2 (trulens.otel.semconv.trace.SpanAttributes).
const trulensScope = "ai.observability."

// trulens reads spans of TruLens 2. What the attributes of a kind do not have is in what the function was given and returned.
func trulens(s *Span) (Step, bool) {
	step := Step{Kind: Other}
	given, returned := s.nested(trulensScope+"call.kwargs"), s.value(trulensScope+"call.return")
	switch s.text(trulensScope + "span_type") {
	case "":
		return Step{}, false
	case "record_root":
		step.Kind = Chain
		step.Question, step.Answer = questionOf(s.value(trulensScope+"record_root.input")), answerOf(s.value(trulensScope+"record_root.output"))
	case "retrieval":
		step.Kind, step.Question = Retrieve, cmp.Or(s.text(trulensScope+"retrieval.query_text"), questionOf(given))
		step.returnsTexts(returned, s.value(trulensScope+"retrieval.retrieved_contexts"))
	case "reranking":
		step.Kind, step.Question = Rerank, cmp.Or(s.text(trulensScope+"reranking.query_text"), questionOf(given))
		step.returnsTexts(returned, s.value(trulensScope+"reranking.output_context_texts"))
	case "generation":
		step.Kind, step.Answer, step.Model = Model, answerOf(returned), s.text(trulensScope+"cost.model")
		step.Usage.InputTokens = s.count(trulensScope + "cost.num_prompt_tokens")
		step.Usage.OutputTokens = s.count(trulensScope + "cost.num_completion_tokens")
	case "tool", "MCP":
		step.Kind, step.Tool, step.Input, step.Answer = Tool, s.Name, jsonText(given), jsonText(returned)
		step.returns(returned)
	case "eval", "eval_root", "eval_decision", "guardrail":
		step.Kind = Check
	}
	return step, true
}

// returnsTexts reads what a function returned as passages, or, where they are not documents with these texts, the texts.
func (s *Step) returnsTexts(returned, texts any) {
	if s.retrieves(returned); texts == nil || slices.EqualFunc(s.Passages, textsOf(texts), func(p assay.Passage, text string) bool { return p.Text == text }) {
		return
	}
	s.Unread = ""
	s.retrieves(texts)
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
		return nil, fmt.Errorf("event %q of TruLens: trace_id or span_id is missing: expected both", s.Name)
	}
	s.Failure = s.first(trulensScope+"record_root.error", trulensScope+"call.error")
	s.Failed = s.Failure != ""
	if err := s.took(e.Start, e.End); err != nil {
		return nil, fmt.Errorf("event %q of TruLens: %w", s.Name, err)
	}
	return []Span{s}, nil
}
