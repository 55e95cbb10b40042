package reply

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
)

// The reasons for which a reply ends, as [Stop] names them.
const (
	StopEnd     = "end"
	StopLength  = "length"
	StopRefusal = "refusal"
	StopError   = "error"
	StopTool    = "tool_calls"
	StopCut     = "cut"
)

// stops are the reasons of OpenAI, Anthropic, Gemini, Bedrock, Ollama, MCP and servers like them, in
// lower case.
var stops = map[string]string{
	"stop": StopEnd, "eos": StopEnd, "eos_token": StopEnd, "end_turn": StopEnd, "endturn": StopEnd, "stop_sequence": StopEnd,
	"stopsequence": StopEnd, "success": StopEnd, "ok": StopEnd, "complete": StopEnd,
	"completed": StopEnd, "finish": StopEnd, "finished": StopEnd, "done": StopEnd, "endoftext": StopEnd, "null": StopEnd, "none": StopEnd,
	"length": StopLength, "max_tokens": StopLength, "maxtokens": StopLength, "max_output_tokens": StopLength, "model_context_window_exceeded": StopLength, "model_length": StopLength,
	"content_filter": StopRefusal, "content_filtered": StopRefusal, "guardrail_intervened": StopRefusal, "safety": StopRefusal,
	"recitation": StopRefusal, "language": StopRefusal, "blocklist": StopRefusal, "prohibited_content": StopRefusal, "spii": StopRefusal,
	"sensitive": StopRefusal, "tool_calls": StopTool, "function_call": StopTool, "tool_use": StopTool,
}

// Stop returns one of the Stop… constants for the reason that a server gives, or the reason as it
// is. Every protocol's reasons are known, because gateways relay those of others.
func Stop(reason string) string {
	return or(stops[strings.ReplaceAll(strings.ToLower(reason), "-", "_")], reason)
}

// stopPaths are where servers, the messages of LangChain and the AI SDK say why a reply ended.
const stopPaths = "choices[0].finish_reason | candidates[0].finishReason | candidates[0].finish_reason | promptFeedback.blockReason | prompt_feedback.block_reason | stop_reason | stopReason | " +
	"done_reason | incomplete_details.reason | delta.stop_reason | response.incomplete_details.reason | response_metadata.finish_reason | response_metadata.stop_reason | " +
	"response_metadata.done_reason | messages[-1].response_metadata.finish_reason | output.response_metadata.finish_reason | " +
	"finish_reason | finishReason | details.finish_reason"

// calls are where replies end in the call of a tool; messages are where their last message is.
const (
	calls    = "output[-1].call_id | candidates[0].content.parts[-1].functionCall | candidates[0].content.parts[-1].function_call"
	messages = "$ | message | messages[-1] | output | output.messages[-1]"
)

// ErrCall is the error of a reply that ends in the call of a tool, or in what one returned.
var ErrCall = errors.New("the reply has no answer: " + callsTool)

const callsTool = "the model calls a tool instead of writing text: serve it without tools"

// ends reports whether a reply that has no answer of its own ends in the call of a tool.
func ends(v any) bool {
	if o, _ := v.(map[string]any); isText(o[Answer]) {
		return false
	}
	for _, p := range pathsOf(calls, " | ") {
		if call, _ := p.one(v); !empty(call) {
			return true
		}
	}
	for _, p := range pathsOf(messages, " | ") {
		last, _ := p.one(v)
		o, _ := last.(map[string]any)
		role := messageOf(o).Role
		if kwargs, ok := o["kwargs"].(map[string]any); ok {
			o = kwargs
		}
		if role == "tool" || (role == "ai" || role == "assistant") && !empty(o["tool_calls"]) {
			return true
		}
	}
	return false
}

// stopOf returns why a decoded reply ended, "" if it does not say.
func stopOf(v any) string {
	if ends(v) {
		return StopTool
	}
	if refusal, _ := pathsOf("choices[0].message.refusal", " | ")[0].one(v); isText(refusal) && refusal != "" {
		return StopRefusal
	}
	for _, p := range pathsOf(stopPaths, " | ") {
		if reason, _ := p.one(v); isText(reason) {
			return reason.(string)
		}
	}
	return ""
}

// Broken returns the failure that ended a reply which has the form of an answer, "" if none did.
func Broken(v any) string {
	if Stop(stopOf(v)) != StopError {
		return ""
	}
	failure, _ := pathsOf("choices[0].error", " | ")[0].one(v)
	return "the server ended the reply with an error" + prefixed(": ", failureText(failure))
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// Ended adds to a response what its reader should know of the reason for which it ended.
func Ended(r *assay.Response, reason string) {
	warning := ""
	switch Stop(reason) {
	case StopLength:
		warning = fmt.Sprintf("the target's answer ended at its limit of tokens (%s)", reason)
	case StopRefusal:
		warning = fmt.Sprintf("the target's model or its content filter ended the answer (%s)", reason)
		if strings.TrimSpace(r.Answer) == "" {
			r.Withheld = reason
		}
	case StopCut:
		warning = "the stream of the answer ended without saying that it is complete: the answer may be cut off"
	case "", StopEnd, StopTool, StopError:
		return
	default:
		warning = fmt.Sprintf("the target's answer ended for a reason that assay does not know, and may be cut off (%s)", reason)
	}
	r.Warnings = append(slices.Clip(r.Warnings), warning)
}

// NoText says why a decoded reply of a model has no text, "" if it does not show it: the model
// calls tools, or the limit of tokens or the reply ends with its reasoning.
func NoText(v any) string {
	const message = "choices[0].message."
	has := func(list string) bool {
		for _, p := range pathsOf(list, " | ") {
			if found, ok := p.one(v); ok && !empty(found) {
				return true
			}
		}
		return false
	}
	switch {
	case Stop(stopOf(v)) == StopTool, has(message + "tool_calls | " + message + "function_call"):
		return callsTool
	case Stop(stopOf(v)) == StopLength:
		return "the limit of tokens ended the reply before its text: raise the limit"
	case has(message + "reasoning_content | " + message + "reasoning | message.thinking"):
		return "the text is in the field of the reasoning alone: turn reasoning off, or its parser in the server"
	}
	return ""
}
