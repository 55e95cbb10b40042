package spans_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/spans"
)

// All texts of the input of a model are its prompt: passages stand beside the messages under the names of each provider.
func TestPromptBesideTheMessages(t *testing.T) {
	t.Parallel()
	const question, context = "What is the fee?", "The fee is 45 euros."
	for name, input := range map[string]string{
		"Anthropic":         `{"model": "m", "system": %q, "messages": [{"role": "user", "content": %q}]}`,
		"Anthropic, blocks": `{"system": [{"type": "text", "text": %q}], "messages": [{"role": "user", "content": [{"type": "text", "text": %q}]}]}`,
		"Anthropic, a document": `{"messages": [{"role": "user", "content": [{"type": "document", "source": {"type": "text", "data": %q}}, ` +
			`{"type": "text", "text": %q}]}]}`,
		"OpenAI, responses": `{"instructions": %q, "input": %q}`,
		"Bedrock":           `{"system": [{"text": %q}], "messages": [{"role": "user", "content": [{"text": %q}]}]}`,
		"Cohere":            `{"documents": [{"data": {"text": %q}}], "message": %q}`,
		"Ollama":            `{"system": %q, "prompt": %q}`,
		"Gemini":            `{"systemInstruction": {"parts": [{"text": %q}]}, "contents": [{"role": "user", "parts": [{"text": %q}]}]}`,
		"variables":         `{"context": %q, "question": %q}`,
		"arguments":         `{"args": [[%q], %q], "kwargs": {}}`,
		"messages":          `[{"role": "system", "content": %q}, {"role": "user", "content": %q}]`,
	} {
		list := []spans.Span{
			span("root", "", "CHAIN", 0, map[string]any{"input.value": question, "output.value": "60 euros"}),
			span("found", "root", "RETRIEVER", 1, with(documents("retrieval.documents", context), "input.value", question)),
			span("model", "root", "LLM", 2, map[string]any{"input.value": fmt.Sprintf(input, context, question), "output.value": "60 euros"}),
		}
		got, _ := spans.Exchanges(list)
		given, _ := got[0].Response.Given()
		prompt := got[0].Response.Stages(assay.StageGenerate)[0].Prompt
		if len(given) != 1 || strings.Count(prompt, context) != 1 || strings.Count(prompt, question) != 1 || got[0].Case.Question != question {
			t.Errorf("%s: %q, %d passages given, of %q", name, prompt, len(given), got[0].Case.Question)
		}
	}
}

// The system's instructions come first where messages are events too.
func TestInstructionsBesideEvents(t *testing.T) {
	t.Parallel()
	s := asGenAI("model", "", 1, "gen_ai.operation.name", "chat", "gen_ai.request.model", "m", "gen_ai.system_instructions", `[{"type": "text", "content": "The fee is 45 euros."}]`)
	s.Events = []spans.Event{{Name: "gen_ai.user.message", Attributes: map[string]any{"content": "What is the fee?"}},
		{Name: "gen_ai.choice", Attributes: map[string]any{"message": `{"role": "assistant", "content": "60 euros"}`}}}
	got, _ := spans.Exchanges([]spans.Span{s})
	if len(got) != 1 || got[0].Response.Stages(assay.StageGenerate)[0].Prompt != "The fee is 45 euros.\n\nWhat is the fee?" {
		t.Errorf("%+v", got)
	}
}

// A call that failed and was made again with fewer passages is not the one whose prompt the answer is from.
func TestPromptOfTheCallThatSucceeded(t *testing.T) {
	t.Parallel()
	call := func(id string, at int, prompt, reply string) spans.Span {
		s := span(id, "root", "LLM", at, map[string]any{"input.value": prompt + "\nWhat is the fee?", "output.value": reply})
		s.Name, s.Failed = "answer", reply == ""
		return s
	}
	got, _ := spans.Exchanges([]spans.Span{
		span("root", "", "CHAIN", 0, map[string]any{"input.value": "What is the fee?", "output.value": "60 euros"}),
		span("found", "root", "RETRIEVER", 1, with(documents("retrieval.documents", "The fee is 45 euros.", "Cards are sent."), "input.value", "What is the fee?")),
		call("first", 2, "The fee is 45 euros.\nCards are sent.", ""), call("again", 4, "Cards are sent.", "60 euros"),
	})
	stages := got[0].Response.Trace.Stages
	if len(stages) != 3 || stages[1].Name != "answer (failed)" || stages[2].Name != assay.StageGenerate {
		t.Errorf("%+v", stages)
	}
}

// The prompt of a call whose input is a template as an object is the template with its variables.
func TestPromptOfATemplate(t *testing.T) {
	t.Parallel()
	got, _ := spans.Exchanges([]spans.Span{
		span("root", "", "CHAIN", 0, map[string]any{"input.value": "What is the fee?", "output.value": "60 euros"}),
		span("model", "root", "LLM", 2, map[string]any{"llm.model_name": "m", "input.value": `{"prompt": "PromptTemplate(metadata={'prompt_type': <PromptType.REFINE: 'refine'>}, template_vars=['context_msg'])", ` +
			`"prompt_args": {"context_msg": "Cards are sent."}}`, "llm.prompt_template.template": "{query_str}\nBefore: {existing_answer}\nContext: {context_msg}",
			"llm.prompt_template.variables": `{"query_str": "What is the fee?", "existing_answer": "45 euros", "context_msg": "Cards are sent."}`, "output.value": "60 euros"}),
	})
	if prompt := got[0].Response.Stages(assay.StageGenerate)[0].Prompt; prompt != "What is the fee?\nBefore: 45 euros\nContext: Cards are sent." {
		t.Errorf("%q", prompt)
	}
}
