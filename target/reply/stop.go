package reply

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// The reasons for which a reply ends, as [Stop] names them.
const (
	StopEnd     = "end"
	StopLength  = "length"
	StopRefusal = "refusal"
	StopError   = "error"
	StopTool    = "tool_calls"
	StopCut     = "cut"
	StopBroken  = "broken"
)

// Stop returns one of the Stop… constants for the reason that a server gives, or the reason as it
// is. Every protocol's reasons are known, because gateways relay those of others.
func Stop(reason string) string {
	return cmp.Or(meaning(names().Stops, strings.ReplaceAll(strings.ToLower(reason), "-", "_")), reason)
}

// ErrNoAnswer is the error of a reply that ended before its answer: in the call of a tool, in what one returned, or at an
// interrupt of a graph.
var ErrNoAnswer = errors.New("the reply has no answer")

var errCall = fmt.Errorf("%w: %s", ErrNoAnswer, callsTool)

// called takes the answer out of a response that calls a tool. Without passages nothing would be left of it.
func called(r *assay.Response) error {
	if r.Passages == nil {
		return errCall
	}
	r.Answer = ""
	warn(r, "the answer is empty: "+callsTool)
	return nil
}

// warn adds a warning to a response, unless it is there, as that of a reply within the answer.
func warn(r *assay.Response, warning string) {
	if warning != "" && !slices.Contains(r.Warnings, warning) {
		r.Warnings = append(slices.Clip(r.Warnings), warning)
	}
}

// A writtenCall is marked as the call of a tool that a server left in the text; a likelyCall only reads like one.
var writtenCall, likelyCall = mark("calls"), mark("likely_calls")

// WritesCall reports whether what a model wrote is the call of a tool, or ends in one.
func WritesCall(text string) bool { return writtenCall().MatchString(strings.TrimSpace(text)) }

// NoReply says why a reply cannot be used, by the reason for which it ended, as [Stop] names it; "" if it can.
func NoReply(stop string) string {
	switch Stop(stop) {
	case StopTool:
		return callsTool
	case StopRefusal:
		return "the model or its content filter ended the reply"
	case StopBroken, StopError, StopCut:
		return "the server cut the reply off"
	}
	return ""
}

// Doubt says of the reason for which a reply ended that nobody knows it, "" of a known one.
func Doubt(stop string) string {
	switch Stop(stop) {
	case "", StopEnd, StopLength, StopRefusal, StopTool, StopError, StopCut, StopBroken:
		return ""
	}
	return fmt.Sprintf("ended for a reason that assay does not know, and may be cut off (%s)", stop)
}

const callsTool = "the model calls a tool instead of writing text: serve it without tools"

// ends reports whether a reply that has no answer of its own ends in the call of a tool.
func ends(v any) bool {
	if o, _ := v.(map[string]any); isText(o[Answer]) || !empty(o["structured_response"]) {
		return false
	}
	for _, p := range names().Calls {
		if call, _ := p.one(v); !empty(call) {
			return true
		}
	}
	for _, p := range names().Messages {
		last, _ := p.one(v)
		o, _ := last.(map[string]any)
		role := messageOf(o).Role
		if kwargs, ok := o["kwargs"].(map[string]any); ok {
			o = kwargs
		}
		if role == "tool" || (role == "ai" || role == "assistant") && (!empty(o["tool_calls"]) || !empty(o["invalid_tool_calls"])) {
			return true
		}
	}
	return false
}

// asks reports whether the answer is in a message of the user.
func asks(v any, answer Path) bool {
	for _, s := range answer.steps {
		if v, _ = inside(v, s); isObject(v) && slices.Contains([]string{"user", "human"}, messageOf(v.(map[string]any)).Role) {
			return true
		}
	}
	return false
}

// wayTo returns the objects on the way to the answer, from the innermost on.
func wayTo(v any, answer Path) []any {
	way, at := []any{v}, v
	for _, s := range answer.steps {
		if at, _ = inside(at, s); s.kind >= each {
			break
		}
		way = append(way, at)
	}
	slices.Reverse(way)
	return way
}

// refusalIn returns the text in which a model refuses, "" if it does not.
func refusalIn(way []any) string {
	for _, p := range names().Refusals {
		for _, o := range way {
			if refusal, _ := p.one(o); isText(refusal) && refusal != "" {
				return refusal.(string)
			}
		}
	}
	return ""
}

// stopOf returns why a decoded reply with an answer at a path ended, "" if it does not say. The objects on
// the way to the answer are asked from the innermost on.
func stopOf(v any, answer Path) string {
	if ends(v) {
		return StopTool
	}
	way := wayTo(v, answer)
	if refusalIn(way) != "" {
		return StopRefusal
	}
	for _, p := range names().Withheld {
		found, _ := p.one(v)
		reason, _ := scalar(found)
		if is(found, true) {
			reason = p.text
		}
		if Stop(reason) == StopRefusal {
			return reason
		}
	}
	for _, o := range way {
		if reason, _ := names().Incomplete.first(o).(string); reason != "" {
			return reason
		}
	}
	first := func(v any, list alternatives) (reason string) {
		for _, p := range list {
			found, _ := p.one(v)
			o, _ := found.(map[string]any)
			reason = cmp.Or(reason, textIn(o, names().StopFields...))
			for _, field := range names().StopFields {
				inner, _ := o[field].(map[string]any)
				reason = cmp.Or(reason, textIn(inner, "type", "reason"))
			}
			for _, flag := range names().StopFlags {
				if o[flag.Field] == flag.Value && (reason == "" || Stop(reason) == StopEnd) {
					reason = flag.Stop
				}
			}
		}
		return reason
	}
	for _, o := range way {
		if reason := first(o, names().StopWithin); reason != "" && len(answer.steps) > 0 {
			return reason
		}
	}
	return first(v, names().StopPaths)
}

// filtered matches the message of an error of a filter that has no code of its own: OpenAI, OpenRouter, Anthropic.
var filtered = lazyregexp.New(`(?i)(?:input|prompt) was flagged|content filtering policy|limited access to this content for safety`)

// Blocked returns the word of an error by which a filter rejected the prompt, "" of another reply.
func Blocked(v any) string {
	o, _ := v.(map[string]any)
	inner, within := o["error"].(map[string]any)
	if within {
		o = inner
	}
	code, message := textIn(o, "code", "type"), textIn(o, "message")
	if _, digits := number(code); !digits && message != "" && Stop(code) == StopRefusal {
		return code
	}
	if within && filtered().MatchString(message) {
		return "content_filter"
	}
	return ""
}

// Broken returns the failure that ended a reply which has the form of an answer, nil if none did.
func Broken(v any) *FailureError {
	v = inOrder(v)
	why := failureText(names().Broken.first(v))
	if why == "" && Stop(stopOf(v, Path{})) != StopError {
		return nil
	}
	return &FailureError{Message: "the server ended the reply with an error" + prefixed(": ", why), Status: StatusOf(v)}
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
		// What a flag or a code withholds is not what the model wrote.
		if _, code := number(reason); code || strings.TrimSpace(r.Answer) == "" || slices.ContainsFunc(names().Withheld, func(p Path) bool { return p.text == reason }) {
			r.Withheld = reason
		}
	case StopCut:
		warning = "the answer ended without saying that it is complete: it may be cut off"
	case StopBroken:
		warning = fmt.Sprintf("the server cut the target's answer off (%s)", reason)
	default:
		warning = prefixed("the target's answer ", Doubt(reason))
	}
	warn(r, warning)
}

// NoText says why a decoded reply of a model has no text, "" if it does not show it: the model
// calls tools, or the limit of tokens or the reply ends with its reasoning.
func NoText(v any) string {
	message, _ := builtIn("choices[0].message").one(v)
	o, _ := message.(map[string]any)
	outer, _ := builtIn("message.thinking").one(v)
	item, _ := builtIn("output[-1]").one(v)
	last, _ := item.(map[string]any)
	switch {
	case Stop(stopOf(v, Path{})) == StopTool, !empty(o["tool_calls"]), !empty(o["function_call"]):
		return callsTool
	case Stop(stopOf(v, Path{})) == StopLength:
		return "the limit of tokens ended the reply before its text: raise the limit"
	case !empty(o["reasoning_content"]), !empty(o["reasoning"]), !empty(outer), isReasoningPart(last):
		return "the reply has reasoning and no text after it: turn reasoning off, or its parser in the server"
	}
	return ""
}
