package spans

import (
	"strings"

	"github.com/assay-eval/assay"
)

// mlflow reads spans of MLflow Tracing 3: attributes are JSON as text.
func mlflow(s *Span) (Step, bool) {
	kindName, _ := s.value("mlflow.spanType").(string)
	if kindName == "" {
		return Step{}, false
	}
	kind, ok := map[string]Kind{
		"CHAIN": Chain, "AGENT": Chain, "WORKFLOW": Chain, "TASK": Chain, "RETRIEVER": Retrieve, "RERANKER": Rerank, "LLM": Model,
		"CHAT_MODEL": Model, "EMBEDDING": Embed, "TOOL": Tool, "PARSER": Other, "MEMORY": Other, "EVALUATOR": Check, "GUARDRAIL": Check, "UNKNOWN": Chain,
	}[strings.ToUpper(kindName)]
	if !ok {
		kind = Other
	}
	in, out := s.value("mlflow.spanInputs"), s.value("mlflow.spanOutputs")
	step := Step{Kind: kind, Question: questionOf(in), Answer: answerOf(out)}
	step.Session, _ = s.value("mlflow.trace.session").(string)
	step.Model, _ = s.value("mlflow.llm.model").(string)
	if usage, ok := s.value("mlflow.chat.tokenUsage").(map[string]any); ok {
		step.Usage = usageOf(usage)
	}
	switch kind {
	case Model:
		readModel(&step, nil, nil, in, out)
		if step.Model == "" {
			step.Model, _ = s.value("invocation_params.model_name").(string)
		}
	case Tool:
		step.Tool, step.Input = s.Name, jsonText(in)
		step.returns(out)
		if step.Answer == "" {
			step.Answer = jsonText(out)
		}
	case Retrieve, Rerank:
		step.retrieves(out)
		step.picks(in, out)
	case Chain:
		step.returns(out)
	}
	return step, true
}

// usageOf reads tokens under the names that libraries give them.
func usageOf(o map[string]any) (u assay.Usage) {
	for _, name := range []string{"input_tokens", "prompt_tokens", "promptTokens", "inputTokens", "input", "prompt"} {
		if n, ok := countOf(o[name]); ok {
			u.InputTokens = n
			break
		}
	}
	for _, name := range []string{"output_tokens", "completion_tokens", "completionTokens", "outputTokens", "output", "completion"} {
		if n, ok := countOf(o[name]); ok {
			u.OutputTokens = n
			break
		}
	}
	return u
}
