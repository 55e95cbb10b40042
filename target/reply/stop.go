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

// stops are the reasons of OpenAI, Anthropic, Gemini, Bedrock, Ollama, llama.cpp, MCP and servers like them, in
// lower case.
var stops = map[string]string{
	"stop": StopEnd, "eos": StopEnd, "eos_token": StopEnd, "end_turn": StopEnd, "endturn": StopEnd, "stop_sequence": StopEnd,
	"stopsequence": StopEnd, "success": StopEnd, "ok": StopEnd, "complete": StopEnd,
	"completed": StopEnd, "finish": StopEnd, "finished": StopEnd, "done": StopEnd, "endoftext": StopEnd, "word": StopEnd, "null": StopEnd, "none": StopEnd,
	"length": StopLength, "limit": StopLength, "max_tokens": StopLength, "maxtokens": StopLength, "max_output_tokens": StopLength, "model_context_window_exceeded": StopLength, "model_length": StopLength,
	"content_filter": StopRefusal, "content_filtered": StopRefusal, "guardrail_intervened": StopRefusal, "safety": StopRefusal,
	"recitation": StopRefusal, "language": StopRefusal, "blocklist": StopRefusal, "prohibited_content": StopRefusal, "spii": StopRefusal,
	"sensitive": StopRefusal, "tool_calls": StopTool, "function_call": StopTool, "tool_use": StopTool,
}

// Stop returns one of the Stop… constants for the reason that a server gives, or the reason as it
// is. Every protocol's reasons are known, because gateways relay those of others.
func Stop(reason string) string {
	return or(stops[strings.ReplaceAll(strings.ToLower(reason), "-", "_")], reason)
}

// stopNames are the fields in which servers say why a reply ended.
var stopNames = []string{"finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason", "stop_type", "blockReason", "block_reason"}

// stopWithin are the object of an answer, or of its message, and those within it that may have such a field: those of
// LangChain, Haystack, the AI SDK and Hugging Face. stopPaths are the objects of replies that may have no answer.
const (
	stopWithin = "$ | response_metadata | metadata | meta | meta[0] | details | kwargs | kwargs.response_metadata"
	stopPaths  = "choices[0] | candidates[0] | promptFeedback | prompt_feedback | delta | response_metadata | details | " +
		"messages[-1].response_metadata | output.response_metadata | " + messages
	incomplete = "incomplete_details.reason | response.incomplete_details.reason"
)

// refusals are where a reply, or an object on the way to its answer, has the text of a refusal.
const refusals = "choices[0].message.refusal | output[].content[].refusal | response.output[].content[].refusal | content[].refusal | " +
	"[].refusal | additional_kwargs.refusal | kwargs.additional_kwargs.refusal"

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

// stopOf returns why a decoded reply with an answer at a path ended, "" if it does not say. The objects on
// the way to the answer are asked from the innermost on.
func stopOf(v any, answer Path) string {
	if ends(v) {
		return StopTool
	}
	way, at := []any{v}, v
	for _, s := range answer.steps {
		if at, _ = inside(at, s); s.kind >= each {
			break
		}
		way = append(way, at)
	}
	slices.Reverse(way)
	for _, p := range pathsOf(refusals, " | ") {
		for _, o := range way {
			if refusal, _ := p.one(o); isText(refusal) && refusal != "" {
				return StopRefusal
			}
		}
	}
	for _, p := range pathsOf(incomplete, " | ") {
		if reason, _ := p.one(v); isText(reason) {
			return reason.(string)
		}
	}
	first := func(v any, list string) (reason string) {
		for _, p := range pathsOf(list, " | ") {
			found, _ := p.one(v)
			o, _ := found.(map[string]any)
			reason = or(reason, textIn(o, stopNames...))
		}
		return reason
	}
	for _, o := range way {
		if reason := first(o, stopWithin); reason != "" && len(answer.steps) > 0 {
			return reason
		}
	}
	return first(v, stopPaths)
}

// Broken returns the failure that ended a reply which has the form of an answer, "" if none did.
func Broken(v any) string {
	if Stop(stopOf(v, Path{})) != StopError {
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
	if !slices.Contains(r.Warnings, warning) { // of a reply within the answer
		r.Warnings = append(slices.Clip(r.Warnings), warning)
	}
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
	case Stop(stopOf(v, Path{})) == StopTool, has(message + "tool_calls | " + message + "function_call"):
		return callsTool
	case Stop(stopOf(v, Path{})) == StopLength:
		return "the limit of tokens ended the reply before its text: raise the limit"
	case has(message + "reasoning_content | " + message + "reasoning | message.thinking"):
		return "the text is in the field of the reasoning alone: turn reasoning off, or its parser in the server"
	}
	return ""
}
