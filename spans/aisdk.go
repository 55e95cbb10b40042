package spans

import (
	"strings"

	"github.com/assay-eval/assay"
)

// aiSDK reads spans of the AI SDK (npm "ai" 4 to 6): a call of generateText or streamText has a
// span, and one in it for each request to the model (".do…").
func aiSDK(s *Span) (Step, bool) {
	operation := s.text("ai.operationId")
	if operation == "" {
		return Step{}, false
	}
	step := Step{
		Model:   s.first("ai.response.model", "ai.model.id"),
		Session: s.first("ai.telemetry.metadata.sessionId", "ai.telemetry.metadata.session_id"),
		Usage: assay.Usage{
			InputTokens:  s.count("ai.usage.inputTokens", "ai.usage.promptTokens", "gen_ai.usage.input_tokens"),
			OutputTokens: s.count("ai.usage.outputTokens", "ai.usage.completionTokens", "gen_ai.usage.output_tokens"),
		},
		Answer: s.first("ai.response.text", "ai.response.object"),
	}
	switch {
	case strings.HasPrefix(operation, "ai.embed"):
		step.Kind = Embed
	case operation == "ai.toolCall":
		step.Kind, step.Tool, step.Input = Tool, s.text("ai.toolCall.name"), jsonText(s.Attributes["ai.toolCall.args"])
		step.Answer = jsonText(s.Attributes["ai.toolCall.result"])
		step.returns(s.value("ai.toolCall.result"))
	case strings.Contains(operation, ".do"):
		step.Kind = Model
		readModel(&step, s.value("ai.prompt.messages"), nil, nil, step.Answer)
	default:
		// The outer span repeats the tokens of the requests within it.
		step.Kind, step.Usage = Chain, assay.Usage{}
		// What it is given is a prompt, as a model is given one.
		step.Question = questionIn(questionOf(s.value("ai.prompt")))
	}
	return step, true
}
