package spans

import (
	"strings"

	"github.com/assay-eval/assay"
)

// The attributes that the reader of LangSmith's runs gives a span.
const (
	langSmithType    = "langsmith.run_type"
	langSmithInputs  = "langsmith.inputs"
	langSmithOutputs = "langsmith.outputs"
	langSmithExtra   = "langsmith.extra"
	langSmithTags    = "langsmith.tags"
	// Tokens of a run and of all below it, as the API counts them.
	langSmithPrompt     = "langsmith.prompt_tokens"
	langSmithCompletion = "langsmith.completion_tokens"
)

// langSmith reads runs of LangSmith, as its API and its SDK write them.
func langSmith(s *Span) (Step, bool) {
	kind, ok := map[string]Kind{
		"chain": Chain, "retriever": Retrieve, "llm": Model, "chat_model": Model, "embedding": Embed, "tool": Tool,
		"prompt": Other, "parser": Other,
	}[strings.ToLower(s.text(langSmithType))]
	if !ok {
		return Step{}, false
	}
	in, out := s.Attributes[langSmithInputs], s.Attributes[langSmithOutputs]
	step := Step{Kind: kind, Question: questionOf(in), Answer: answerOf(inner(out, "output"))}
	extra, _ := s.Attributes[langSmithExtra].(map[string]any)
	metadata, _ := extra["metadata"].(map[string]any)
	step.Session = textIn(metadata, "session_id", "thread_id", "conversation_id")
	step.Model = textIn(metadata, "ls_model_name")
	if tags, ok := s.Attributes[langSmithTags].([]any); ok {
		for _, t := range tags {
			if t, ok := t.(string); ok && !strings.HasPrefix(t, "seq:step:") {
				step.Tags = append(step.Tags, t)
			}
		}
	}
	switch kind {
	case Model:
		given, _ := in.(map[string]any)
		readModel(&step, messagesIn(given), nil, in, nil)
		step.Usage = usageIn(out)
		if step.Usage == (assay.Usage{}) {
			step.Usage = assay.Usage{InputTokens: s.count(langSmithPrompt), OutputTokens: s.count(langSmithCompletion)}
		}
		step.Answer = answerOf(out)
		if g := generation(out); g != nil {
			if step.Answer, _ = g["text"].(string); step.Answer == "" {
				step.Answer = answerOf(g["message"])
			}
		}
	case Tool:
		step.Tool, step.Input = s.Name, jsonText(in)
		step.returns(inner(out, "output"))
		if step.Answer == "" {
			step.Answer = jsonText(inner(out, "output"))
		}
	case Retrieve:
		step.retrieves(documentsIn(out))
	case Chain:
		step.returns(inner(out, "output"))
	}
	return step, true
}

func messagesIn(o map[string]any) any {
	list, ok := o["messages"].([]any)
	if !ok {
		return nil
	}
	return list
}

// generation returns the first of {"generations": [[{"message": …, "text": …}]]}; nil if out has
// another form.
func generation(out any) map[string]any {
	v := inner(out, "generations")
	for range 2 {
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			break
		}
		v = list[0]
	}
	o, ok := v.(map[string]any)
	if !ok || o["message"] == nil && o["text"] == nil {
		return nil
	}
	return o
}

// usageIn finds the tokens of a call: beside the output, in llm_output, or in the message.
func usageIn(out any) assay.Usage {
	o, _ := out.(map[string]any)
	message, _ := inner(generation(out)["message"], "kwargs").(map[string]any)
	for _, at := range []any{o["usage_metadata"], inner(o["llm_output"], "token_usage"), message["usage_metadata"]} {
		if counts, ok := at.(map[string]any); ok {
			if u := usageOf(counts); u != (assay.Usage{}) {
				return u
			}
		}
	}
	return assay.Usage{}
}
