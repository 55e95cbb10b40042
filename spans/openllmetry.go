package spans

import (
	"strings"

	"github.com/assay-eval/assay"
)

// openLLMetry reads spans of OpenLLMetry (opentelemetry-semantic-conventions-ai 0.4):
// traceloop.* of workflows and tasks, gen_ai.prompt.N of models, and the spans of vector
// databases, whose results are events.
func openLLMetry(s *Span) (Step, bool) {
	switch kind := s.text("traceloop.span.kind"); {
	case kind != "":
		in, out := s.value("traceloop.entity.input"), s.value("traceloop.entity.output")
		step := Step{
			Kind: Chain, Question: questionOf(inner(in, "inputs")), Answer: answerOf(inner(out, "outputs")),
			Session: s.text("traceloop.association.properties.session_id"),
		}
		name := strings.ToLower(s.first("traceloop.entity.name") + " " + s.Name)
		switch {
		case kind == "tool":
			step.Kind, step.Tool, step.Input = Tool, s.text("traceloop.entity.name"), s.text("traceloop.entity.input")
			step.returns(inner(out, "outputs"))
		case s.text("gen_ai.operation.name") == "vector_db_retrieve", kind == "task" && strings.Contains(name, "retriever"):
			step.Kind = Retrieve
			step.retrieves(documentsIn(out))
		case kind == "task" && (strings.Contains(name, "rerank") || strings.Contains(name, "ranker")):
			step.Kind = Rerank
			step.retrieves(documentsIn(out))
			step.picks(inner(decoded(s.text("traceloop.entity.input")), "inputs"), documentsIn(out))
		default:
			step.returns(inner(out, "outputs"))
		}
		return step, true
	case s.has("gen_ai.prompt.") || s.has("gen_ai.completion.") || s.text("llm.request.type") != "":
		step := Step{
			Kind: Model, Model: s.first("gen_ai.response.model", "gen_ai.request.model"),
			Usage: assay.Usage{
				InputTokens:  s.count("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
				OutputTokens: s.count("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
			},
		}
		if s.text("llm.request.type") == "embedding" {
			step.Kind = Embed
			return step, true
		}
		given, said := s.nested("gen_ai.prompt"), s.nested("gen_ai.completion")
		if given == nil {
			given, said = s.messages()
		}
		readModel(&step, given, said, nil, nil)
		return step, true
	case s.text("db.system") != "":
		step := Step{Kind: Retrieve, Question: s.text("db.query.text")}
		for _, e := range s.Events {
			if e.Name != "db.query.result" {
				continue
			}
			o := map[string]any{}
			for _, name := range []string{"id", "score", "distance", "metadata", "document"} {
				if v, ok := e.Attributes["db.query.result."+name]; ok {
					o[name] = v
				}
			}
			if text, ok := o["document"]; ok {
				delete(o, "document")
				o["text"] = text
			}
			step.Passages = append(step.Passages, passagesOf([]any{o})...)
		}
		// A database that returned no passages may have done anything.
		return step, step.Passages != nil
	}
	return Step{}, false
}

// inner returns a field of an object, or the value itself if it has none.
func inner(v any, name string) any {
	if o, ok := v.(map[string]any); ok && o[name] != nil {
		return decoded(o[name])
	}
	return v
}

// documentsIn finds the list of documents in an output.
func documentsIn(v any) any {
	for _, name := range []string{"outputs", "output", "documents"} {
		v = inner(v, name)
	}
	return v
}
