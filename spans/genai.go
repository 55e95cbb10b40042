package spans

import (
	"cmp"

	"github.com/assay-eval/assay"
)

// genAI reads spans by the GenAI conventions of OpenTelemetry, from 1.27 to 1.40: messages are
// in gen_ai.input.messages and gen_ai.output.messages, or in events of the span; older names
// of tokens and of the provider are read too.
func genAI(s *Span) (Step, bool) {
	kind, ok := map[string]Kind{
		"chat": Model, "text_completion": Model, "generate_content": Model, "embeddings": Embed, "execute_tool": Tool, "retrieval": Retrieve,
		"invoke_agent": Chain, "create_agent": Other, "invoke_workflow": Chain, "rerank": Rerank,
	}[s.text("gen_ai.operation.name")]
	if !ok {
		if !s.has("gen_ai.") {
			return Step{}, false
		}
		switch { // Pydantic AI 1.0 names no operation of tools and agents
		case s.text("gen_ai.tool.name") != "":
			kind = Tool
		case s.first("all_messages_events", "pydantic_ai.all_messages", "final_result") != "":
			kind = Chain
		case s.first("gen_ai.request.model", "gen_ai.response.model") != "":
			kind = Model
		default:
			kind = Other
		}
	}
	step := Step{
		Kind: kind, Session: s.text("gen_ai.conversation.id"), Model: s.first("gen_ai.response.model", "gen_ai.request.model"),
		Usage: assay.Usage{
			InputTokens:  s.count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
			OutputTokens: s.count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
		},
	}
	given, said := s.messages()
	switch kind {
	case Model, Chain:
		if kind == Chain && given == nil { // Pydantic AI
			if given = s.nested("pydantic_ai.all_messages"); given == nil {
				given = s.value("all_messages_events")
			}
		}
		readModel(&step, given, said, nil, nil)
		if result := s.text("final_result"); result != "" { // a text, or an object as JSON
			step.Answer = cmp.Or(answerOf(decoded(result)), result)
		}
		if kind == Chain { // what an agent is given is a prompt, as a model is given one
			step.Question = questionIn(step.Question)
		}
	case Tool:
		either := func(name, other string) string {
			return cmp.Or(jsonText(s.Attributes[name]), jsonText(s.Attributes[other]))
		}
		step.Tool, step.Input = s.text("gen_ai.tool.name"), either("gen_ai.tool.call.arguments", "tool_arguments")
		step.Answer = either("gen_ai.tool.call.result", "tool_response")
		step.returns(decoded(step.Answer))
	case Retrieve, Rerank:
		step.Question = s.first("gen_ai.retrieval.query.text", "gen_ai.retrieval.query")
		if list, ok := s.nested("gen_ai.retrieval.documents").([]any); ok {
			step.Passages = passagesOf(list)
		}
	}
	return step, true
}

// messages returns the messages that a model was given and those that it returned, from
// attributes or from events. The system's instructions come first.
func (s *Span) messages() (given, said any) {
	in, _ := s.nested("gen_ai.input.messages").([]any)
	out, _ := s.nested("gen_ai.output.messages").([]any)
	system, _ := s.nested("gen_ai.system_instructions").([]any)
	events := s.Events
	recorded, _ := s.value("events").([]any) // Pydantic AI, in version 1 of its form
	for _, e := range recorded {
		if o, ok := e.(map[string]any); ok {
			events = append(events, Event{textIn(o, "event.name"), o})
		}
	}
	for _, e := range events {
		body := map[string]any{}
		for name, v := range e.Attributes {
			body[name] = decoded(v)
		}
		switch e.Name {
		case "gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message", "gen_ai.tool.message":
			role := e.Name[len("gen_ai.") : len(e.Name)-len(".message")]
			in = append(in, merged(map[string]any{"role": role}, body))
		case "gen_ai.choice":
			out = append(out, body)
		case "gen_ai.content.prompt":
			if list, ok := body["gen_ai.prompt"].([]any); ok {
				in = append(in, list...)
			}
		case "gen_ai.content.completion":
			if list, ok := body["gen_ai.completion"].([]any); ok {
				out = append(out, list...)
			}
		case "gen_ai.client.inference.operation.details":
			if list, ok := body["gen_ai.input.messages"].([]any); ok {
				in = append(in, list...)
			}
			if list, ok := body["gen_ai.output.messages"].([]any); ok {
				out = append(out, list...)
			}
			if list, ok := body["gen_ai.system_instructions"].([]any); ok {
				system = list
			}
		}
	}
	if system != nil && in != nil {
		in = append([]any{map[string]any{"role": "system", "parts": system}}, in...)
	}
	if in != nil {
		given = in
	}
	if out != nil {
		said = out
	}
	return given, said
}
