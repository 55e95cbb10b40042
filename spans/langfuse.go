package spans

import (
	"strings"

	"github.com/assay-eval/assay"
)

// langfuse reads observations of Langfuse: spans of its SDK 3 and later, whose attributes are
// langfuse.observation.*, and observations of its API, which the reader gives the same names.
func langfuse(s *Span) (Step, bool) {
	kindName := strings.ToLower(s.text("langfuse.observation.type"))
	if kindName == "" {
		return Step{}, false
	}
	kind, ok := map[string]Kind{
		"span": Chain, "chain": Chain, "agent": Chain, "generation": Model, "retriever": Retrieve, "embedding": Embed, "tool": Tool,
		"event":     Other,
		"evaluator": Check, "guardrail": Check,
	}[kindName]
	if !ok {
		kind = Other
	}
	in, out := s.value("langfuse.observation.input"), s.value("langfuse.observation.output")
	if kind == Chain && strings.Contains(strings.ToLower(s.Name), "rerank") {
		kind = Rerank
	}
	step := Step{
		Kind: kind, Question: questionOf(in), Answer: answerOf(out), Model: s.text("langfuse.observation.model.name"),
		Session: s.first("session.id", "langfuse.session.id"),
	}
	if usage, ok := s.value("langfuse.observation.usage_details").(map[string]any); ok {
		step.Usage = usageOf(usage)
	}
	switch kind {
	case Model:
		readModel(&step, nil, nil, in, out)
		if step.Usage == (assay.Usage{}) {
			step.Usage = assay.Usage{InputTokens: s.count("gen_ai.usage.input_tokens"), OutputTokens: s.count("gen_ai.usage.output_tokens")}
		}
	case Tool:
		step.Tool, step.Input = s.Name, jsonText(in)
		step.returns(out)
		if step.Answer == "" {
			step.Answer = jsonText(out)
		}
	case Retrieve, Rerank:
		step.retrieves(documentsIn(out))
		step.picks(in, out)
	case Chain:
		step.returns(out)
	}
	return step, true
}
