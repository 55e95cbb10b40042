package reply

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A Message is one of a conversation. Result is what tools returned to a model, as parts of it.
type Message struct{ Role, Text, Result string }

// Messages reads messages in the forms of OpenAI, of LangChain (type or serialised
// constructor), and of the GenAI conventions (parts).
func Messages(list []any) []Message {
	var out []Message
	for _, v := range list {
		if inner, ok := v.([]any); ok { // LangChain has a list of messages for each prompt
			out = append(out, Messages(inner)...)
			continue
		}
		o, ok := v.(map[string]any)
		if !ok {
			continue
		}
		if inner, ok := o["message"].(map[string]any); ok {
			o = inner
		}
		out = append(out, messageOf(o))
	}
	return out
}

func messageOf(o map[string]any) Message {
	class := ""
	if id, ok := o["id"].([]any); ok && len(id) > 0 {
		class, _ = id[len(id)-1].(string) // of a constructor: […, "HumanMessage"]
	}
	if kwargs, ok := o["kwargs"].(map[string]any); ok {
		o = kwargs
	} else if data, ok := o["data"].(map[string]any); ok {
		o = maps.Clone(o)
		maps.Copy(o, data)
	}
	m := Message{Role: strings.ToLower(textIn(o, "role", "type", "sender"))}
	if class != "" && (m.Role == "" || m.Role == "constructor") {
		m.Role = strings.ToLower(class)
	}
	m.Role = strings.TrimSuffix(strings.TrimSuffix(m.Role, "chunk"), "message")
	for _, name := range []string{"content", "contents", "parts", "text"} {
		if s, ok := ContentOf(Decoded(o[name])); ok {
			m.Text = s
			break
		}
	}
	parts, _ := Decoded(cmp.Or(o["parts"], o["content"])).([]any)
	if m.Role == "assistant" {
		parts = nil // its own calls, with what came of them
	}
	results := []string{}
	for _, part := range append(slices.Clip(parts), o) {
		if s := resultOf(part); s != "" {
			results = append(results, s)
		}
	}
	m.Result = strings.Join(results, "\n\n")
	return m
}

// resultType matches the types of what a tool returned: of the GenAI conventions, Anthropic, OpenAI and the AI SDK.
var resultType = lazyregexp.New(`^(\w+_)?(tool|function)([_-]call)?[_-](response|result|output)$`)

// resultOf returns the texts of what a tool returned, as a part of a message says; "" if that is another part.
func resultOf(part any) string {
	p, _ := part.(map[string]any)
	kind := textIn(p, "type")
	for _, name := range []string{"toolResult", "functionResponse", "function_response"} { // of Bedrock and Gemini
		if inner, ok := p[name].(map[string]any); ok {
			p, kind = inner, "tool_result"
		}
	}
	if !resultType().MatchString(kind) {
		return ""
	}
	for _, name := range []string{"response", "result", "output", "content"} {
		v := p[name]
		if o, ok := v.(map[string]any); ok && o["value"] != nil {
			v = o["value"] // of the AI SDK
		}
		if s := textsIn(v); s != "" {
			return s
		}
	}
	return ""
}

// textsIn joins all texts in a value. Of blocks with a type, these are the texts.
func textsIn(v any) string {
	var all []string
	switch v := Decoded(v).(type) {
	case map[string]any:
		kind := textIn(v, "type")
		if s, ok := ContentOf([]any{v}); ok && kind != "" || strings.HasPrefix(kind, "image") || kind == "media" {
			return s
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, textsIn(v[name]))
		}
	case []any:
		for _, e := range v {
			all = append(all, textsIn(e))
		}
	default:
		s, _ := scalar(v)
		return s
	}
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "\n")
}

// ContentOf joins the texts of a message: a text, or parts of several types.
func ContentOf(v any) (string, bool) {
	list, ok := v.([]any)
	if !ok {
		return TextOf(v)
	}
	var b strings.Builder
	some := false
	var before map[string]any
	for _, part := range list {
		o, ok := part.(map[string]any)
		joined, parted := oneText(before, o), isTextPart(before) && isTextPart(o)
		if before = o; ok {
			if inner, ok := o["message_content"].(map[string]any); ok {
				o = inner
			}
			if kind := textIn(o, "type"); kind != "" && kind != "text" && kind != "input_text" && kind != "output_text" {
				continue
			}
			part = o
		}
		s, ok := TextOf(part)
		if !ok {
			continue
		}
		if !some || joined || continues(b.String(), s, parted) {
			b.WriteString(s)
		} else {
			joinPart(&b, s)
		}
		some = true
	}
	return b.String(), some
}

// LastOf returns the last message of one of the roles.
func LastOf(list []any, roles ...string) string {
	out := ""
	for _, m := range Messages(list) {
		if slices.Contains(roles, m.Role) {
			out = cmp.Or(strings.TrimSpace(m.Text), out)
		}
	}
	return out
}

func textIn(o map[string]any, names ...string) string {
	for _, name := range names {
		if s, _ := o[name].(string); s != "" {
			return s
		}
	}
	return ""
}

// Decoded decodes a text that is JSON of an object or a list, or a quoted text.
func Decoded(v any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	if trimmed := strings.TrimSpace(text); trimmed != "" && strings.IndexByte(`{["`, trimmed[0]) >= 0 {
		d := json.NewDecoder(strings.NewReader(trimmed))
		d.UseNumber()
		var out any
		if d.Decode(&out) == nil && !d.More() {
			return out
		}
	}
	return text
}
