package spans

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// openInference reads spans by the conventions of OpenInference
// (github.com/Arize-ai/openinference, spec/semantic_conventions.md of 2026).
func openInference(s *Span) (Step, bool) {
	kind, ok := map[string]Kind{
		"CHAIN": Chain, "AGENT": Chain, "RETRIEVER": Retrieve, "RERANKER": Rerank, "LLM": Model, "EMBEDDING": Embed, "TOOL": Tool,
		"GUARDRAIL": Check, "EVALUATOR": Check, "PROMPT": Other, "UNKNOWN": Other,
	}[strings.ToUpper(s.text("openinference.span.kind"))]
	if !ok {
		return Step{}, false
	}
	given, said := s.nested("llm.input_messages"), s.nested("llm.output_messages")
	if kind == Model && s.nested("llm.prompt_template") != nil && given == nil && said == nil && s.text("llm.model_name") == "" {
		kind = Other // it fills in a prompt, as the PromptBuilder of Haystack does
	}
	in, out := s.value("input.value"), s.value("output.value")
	step := Step{
		Kind: kind, Session: s.text("session.id"), Answer: answerOf(out),
		Model: s.first("llm.model_name", "embedding.model_name", "reranker.model_name"),
		Usage: assay.Usage{InputTokens: s.count("llm.token_count.prompt"), OutputTokens: s.count("llm.token_count.completion")},
	}
	if tags, ok := s.Attributes["tag.tags"].([]any); ok {
		for _, t := range tags {
			if t, ok := t.(string); ok && !slices.Contains(step.Tags, t) {
				step.Tags = append(step.Tags, t)
			}
		}
	}
	switch kind {
	case Chain:
		step.Question = questionOf(in)
		step.returns(out)
	case Retrieve:
		step.Question = questionOf(in)
		step.retrieves(openInferenceDocuments(s, "retrieval.documents", out))
	case Rerank:
		step.Question = s.text("reranker.query")
		if step.Question == "" {
			step.Question = questionOf(in)
		}
		step.retrieves(openInferenceDocuments(s, "reranker.output_documents", out))
		step.picks(openInferenceDocuments(s, "reranker.input_documents", in), out)
	case Tool:
		// The parameters may be those that the tool declares.
		step.Tool, step.Input = s.first("tool.name", "tool_call.function.name"), s.first("input.value", "tool.parameters")
		if step.Tool == "" {
			step.Tool = s.Name
		}
		step.returns(out)
	case Model:
		readModel(&step, given, said, in, out)
		if slices.ContainsFunc(text.Within(in), isPrinted) && given == nil {
			step.Prompt = cmp.Or(filled(s.text("llm.prompt_template.template"), s.value("llm.prompt_template.variables")), step.Prompt)
		}
		if step.Prompt == "" {
			if prompts, ok := s.Attributes["llm.prompts"].([]any); ok && len(prompts) > 0 {
				step.Prompt, _ = prompts[0].(string)
			}
		}
	}
	return step, true
}

// filled returns the prompt that a template and its variables make: of calls whose input is the template as an object.
func filled(template string, variables any) string {
	of, _ := variables.(map[string]any)
	var pairs []string
	for name, v := range of {
		pairs = append(pairs, "{"+name+"}", strings.Join(text.Within(v), "\n"))
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// openInferenceDocuments returns the documents in attributes, or else the output.
func openInferenceDocuments(s *Span, name string, out any) any {
	v := s.nested(name)
	if list, ok := v.([]any); ok {
		return list
	}
	return cmp.Or(v, out)
}

// readModel reads the messages of a call of a model, or else its input and output. All texts of the input are the prompt,
// whatever their names: passages may stand beside the messages.
func readModel(step *Step, given, said, in, out any) {
	messages, ok := given.([]any)
	if !ok {
		switch in := in.(type) {
		case []any:
			messages = in
		case map[string]any:
			messages, _ = decoded(in["messages"]).([]any)
		}
	}
	step.Question, step.Prompt = reply.LastOf(messages, "user", "human"), promptOf(messages)
	if step.Prompt == "" {
		step.Question = questionOf(in)
	}
	var beside []string
	read := text.Squeeze(step.Prompt)
	for _, s := range text.Within(in) {
		if s = strings.TrimSpace(s); strings.ContainsFunc(s, separates) && !isPrinted(s) && !strings.Contains(read, text.Squeeze(s)) {
			beside = append(beside, s)
		}
	}
	step.Prompt = strings.Join(slices.DeleteFunc(append(beside, step.Prompt), func(s string) bool { return s == "" }), "\n\n")
	if list, ok := said.([]any); ok {
		step.Answer = promptOf(list)
		step.said = step.Answer != ""
	}
	if step.Answer == "" {
		step.Answer = answerOf(out)
	}
}

// separates reports whether a rune is in what people read, not in ids, roles and data in base64.
func separates(r rune) bool { return r < '!' || r > '~' }
