package reply

import (
	"cmp"
	"slices"
	"strings"
)

// known adds an event of a known protocol. A comment beside each protocol names its
// documentation.
func (a *assembly) known(name string, o map[string]any) (bool, error) {
	event, _ := o["event"].(string)
	_, hasData := o["data"]
	data, _ := o["data"].(map[string]any)
	done, hasDone := o["done"].(bool)
	switch {
	case isList(o["choices"]):
		a.chat(o)
	case isList(data["choices"]): // mistralai's CompletionEvent
		a.chat(data)
	case name == "data" && o["token"] == nil && o["delta"] == nil:
		// LangServe: data, then end; langserve/api_handler.py.
		a.form = langserveForm
		a.sum.add(o)
	case name == "metadata" && o["run_id"] != nil: // LangServe's first event
	case slices.Contains(names().DifyTypes, event) && (event != "message" || isText(o["answer"])):
		return true, a.dify(event, o)
	case hasData && (o["code"] != nil || o["retcode"] != nil):
		return true, a.ragflow(o)
	case hasDone && isObject(o["message"]):
		// Ollama's /api/chat: docs/api.md of ollama/ollama.
		a.form = ollamaChatForm
		a.text.pieces = true
		message := o["message"].(map[string]any)
		s, _ := TextOf(message["content"])
		a.text.add(s)
		mergeInto(a.message, message, "content")
		a.merge(o, "message")
		a.finished = a.finished || done
	case hasDone && isText(o["response"]):
		// Ollama's /api/generate.
		a.form = ollamaForm
		a.text.pieces = true
		a.text.add(o["response"].(string))
		a.merge(o, "response")
		a.finished = a.finished || done
	default:
		return false, nil
	}
	return true, nil
}

func isList(v any) bool   { _, ok := v.([]any); return ok }
func isObject(v any) bool { _, ok := v.(map[string]any); return ok }
func isText(v any) bool   { _, ok := v.(string); return ok }

// chat adds a chunk of an OpenAI completion and reads the first choice:
// choices[].delta.content, or choices[].text of the older completions. Servers add
// their own fields to chunks; Azure puts citations into the delta's context.
func (a *assembly) chat(o map[string]any) {
	if a.form != completionForm {
		a.form = chatForm
	}
	a.merge(o, "choices", "object")
	for _, c := range o["choices"].([]any) {
		choice, _ := c.(map[string]any)
		if n, ok := count(choice["index"]); choice == nil || ok && n > 0 {
			continue
		}
		delta, ok := choice["delta"].(map[string]any)
		again := a.text.pieces && !ok
		a.text.pieces = a.text.pieces || ok || isText(choice["text"])
		if !ok {
			delta, ok = choice["message"].(map[string]any)
		}
		if s, isText := choice["text"].(string); isText && !ok {
			a.form = completionForm
			a.text.add(s)
		}
		switch s, ok := TextOf(delta["content"]); {
		case ok && again && s != "": // the whole message after its pieces, as MiniMax sends it
			a.text.replace(s)
		case ok:
			a.text.add(s)
		}
		if s, _ := delta["refusal"].(string); s != "" && !again {
			said, _ := a.message["refusal"].(string)
			delta["refusal"] = said + s
		}
		mergeInto(a.message, delta, "content")
		if choice["finish_reason"] != nil {
			a.finished, a.stop = true, choice["finish_reason"]
		}
	}
}

func (a *assembly) dify(event string, o map[string]any) error {
	a.form = difyForm
	a.text.pieces = true
	s, _ := o["answer"].(string)
	data, _ := o["data"].(map[string]any)
	switch event {
	case "error":
		return failed(o)
	case "message", "agent_message":
		a.text.add(s)
		a.merge(o, "answer", "event")
	case "message_replace": // moderation replaces the answer
		a.text.replace(s)
	case "text_chunk":
		s, _ = data["text"].(string)
		a.text.add(s)
	case "message_end":
		a.finished = true
		a.merge(o, "answer", "event")
	case "workflow_finished":
		if failureText(data["error"]) != "" {
			return failed(data["error"])
		}
		a.finished = true
		a.merge(o, "event")
		if outputs, _ := data["outputs"].(map[string]any); a.text.n == 0 && outputs != nil {
			s, _ = outputs["answer"].(string)
			a.text.add(s)
		}
	}
	return nil
}

// ragflow adds an event of RAGFlow: {"code", "message", "data"}, with data true at the
// end. Older versions send the whole text so far each time and the chunks with the last
// event; newer versions send pieces and a last text that is "final" (api/apps of
// infiniflow/ragflow; the HTTP API reference, "Converse with chat assistant").
func (a *assembly) ragflow(o map[string]any) error {
	a.form = ragflowForm
	for _, k := range []string{"code", "retcode"} {
		if n, ok := number(o[k]); ok && !succeeds(n) {
			return &FailureError{Message: cmp.Or(failureText(o["message"]), failureText(o["retmsg"]), failureText(o["code"])), Status: StatusOf(o)}
		}
	}
	if o["data"] == true {
		a.ended = true
		return nil
	}
	data, _ := o["data"].(map[string]any)
	answer, _ := data["answer"].(string)
	reference, _ := data["reference"].(map[string]any)
	if chunks, _ := reference["chunks"].([]any); data["final"] == true || len(chunks) > 0 {
		a.text.replace(answer)
	} else {
		a.text.add(answer)
	}
	a.merge(data, "answer")
	return nil
}

// typeWord normalises an event type: "response.output_text.delta" becomes
// output_text_delta.
func typeWord(t string) string {
	t = strings.TrimPrefix(strings.ToLower(t), "response.")
	return typeMarks.Replace(t)
}

var typeMarks = strings.NewReplacer("-", "_", ".", "_")

// other adds an event of an unknown protocol, classified by its type or else by its
// field names.
func (a *assembly) other(name string, o map[string]any) error {
	kind, _ := o["type"].(string)
	if kind == "" {
		kind, _ = o["event"].(string)
	}
	if kind == "" && name != "message" {
		kind = name
	}
	item, _ := o["item"].(map[string]any)
	if item["phase"] == commentary {
		a.asides = append(a.asides, textIn(item, "id"))
	}
	if id := cmp.Or(textIn(item, "id"), textIn(o, "item_id")); id != "" && slices.Contains(a.asides, id) {
		return nil
	}
	key, s := pieceOf(o)
	word := typeWord(kind)
	if s == "[DONE]" {
		word = "end"
	}
	if slices.Contains(names().StepTypes, word) && a.text.n > 0 {
		a.text = answerTexts{}
		a.rest[Answer] = ""
	}
	stop, stops := o["stop"].(bool) // llama.cpp
	a.finished = a.finished || stop
	a.declares = a.declares || stops || word == "text_delta" || word == "content_block_delta" || word == "output_text_delta"
	if a.form == mappedForm {
		key = "" // the user says where the pieces are
	} else if word != "" {
		a.form = typedForm
	}
	switch {
	case word == "":
	case word == "error":
		return failed(o)
	case word == "failed" && isObject(o["response"]): // of OpenAI's responses
		_, says := Failed(o["response"].(map[string]any))
		return &FailureError{Message: says, Status: StatusOf(o["response"])}
	case slices.Contains(names().EndTypes, word):
		a.finished = true
		if call, _ := builtIn("response.output[-1].call_id").one(o); !empty(call) {
			a.rest["finish_reason"] = StopTool
		}
		if key == "" || key == "delta" || key == "message" {
			a.keep(o, word, "type", "event")
			return nil
		}
		into := &a.text
		if a.text.n == 0 && a.shaped.n > 0 {
			into = &a.shaped
		}
		into.in(key, s, true)
		a.merge(o, "type", "event", key)
		return nil
	case slices.Contains(names().SourceTypes, word):
		a.source(o)
		return nil
	case slices.Contains(names().PieceTypes, word), key == "token", key == "answer":
	default: // progress, thoughts and tool calls, or parts of the answer
		a.part(word, o)
		return nil
	}
	if key == "" {
		a.keep(o, word, "type", "event")
		return nil
	}
	if so := a.text.text(); !wholly(name) && !wholly(kind) {
		a.text.in(key, s, declaresEnd(o) && s == so)
	} else if so == "" || !strings.HasSuffix(so, s) {
		a.text.in(key, s, true)
	}
	a.merge(o, "type", "event", key)
	return nil
}

// wholly reports whether the type of an event says that it has the whole text of the pieces before it:
// conversation.message.completed of Coze.
func wholly(kind string) bool {
	word := typeWord(kind)
	return slices.Contains(names().EndTypes, word[strings.LastIndex(word, "_")+1:])
}

// declaresEnd reports whether an event without a type says that it is the last.
func declaresEnd(o map[string]any) bool {
	for _, k := range []string{"done", "final", "is_final", "finished", "status", "state"} {
		if s, _ := o[k].(string); o[k] == true || slices.Contains(names().EndTypes, typeWord(s)) {
			return true
		}
	}
	return false
}

// keep keeps the fields of an event of a type without a piece. What a known shape reads as its
// answer may be one, beside those of the same type and step.
func (a *assembly) keep(o map[string]any, word string, skip ...string) {
	if m, _, _ := Detect(o); m.paths[Answer].text != "" {
		p := m.paths[Answer]
		if v, _ := p.one(o); isObject(v) { // a reply within another, as in DashScope's output
			if inner, _, ok := replyIn(v); ok {
				p = builtIn(p.text + "." + inner.paths[Answer].text)
			}
		}
		if s, _ := pathText(p, o); s != "" {
			a.shaped.grown(p, o)
			key := textIn(o, "node", "agent", "stage", "step") + " " + p.text
			if word == "" || slices.Contains(names().PieceTypes, word) || slices.Contains(names().EndTypes, word) {
				a.sure = true
			} else {
				key = word + key
			}
			a.shaped.in(key, s, a.finished || declaresEnd(o) && s == a.shaped.text())
			if a.shaped.key == key {
				a.path = p
			}
		}
	}
	if steps := a.path.steps; len(steps) > 0 && o[steps[0].key] != nil {
		o[steps[0].key] = beside(a.rest[steps[0].key], o[steps[0].key], steps[1:])
	}
	a.merge(o, skip...)
}

// beside adds to a value of an event what earlier ones had beside the path of the answer.
func beside(old, v any, steps []step) any {
	if len(steps) == 0 {
		return v
	}
	s := steps[0]
	switch v := v.(type) {
	case map[string]any:
		o, _ := old.(map[string]any)
		if inner, ok := v[s.key]; ok {
			v[s.key] = beside(o[s.key], inner, steps[1:])
		}
		for k, e := range o {
			if empty(v[k]) {
				v[k] = e
			}
		}
	case []any:
		if o, _ := old.([]any); len(o) == 1 && len(v) == 1 {
			v[0] = beside(o[0], v[0], steps[1:])
		}
	}
	return v
}

// pieceOf finds the piece of an answer in an event; key is "" if there is none.
func pieceOf(o map[string]any) (key, s string) {
	for _, k := range names().Piece {
		switch v := o[k].(type) {
		case string:
			return k, v
		case map[string]any:
			// Cohere's content-delta has a message with content.
			if s, ok := builtIn("message.content.text").one(v); ok && k == "delta" && isText(s) {
				return k, s.(string)
			}
			for _, inner := range []string{"text", "content", "token", "delta"} {
				if s, ok := v[inner].(string); ok && k != "output" && k != "response" {
					return k, s
				}
			}
		}
	}
	return "", ""
}

// source adds one source.
func (a *assembly) source(o map[string]any) {
	var v any = o
	for _, k := range []string{"source", "citation", "document", "data"} {
		switch inner := o[k].(type) {
		case map[string]any:
			v = inner
		case []any:
			a.rest["sources"] = inner
			return
		}
	}
	list, _ := a.rest["sources"].([]any)
	a.rest["sources"] = append(list, v)
}

// part keeps the lists and objects of an event without a piece. A value in a generic
// field is stored under the event's type.
func (a *assembly) part(word string, o map[string]any) {
	kept := map[string]any{}
	for k, v := range o {
		if !isList(v) && !isObject(v) || empty(v) {
			continue
		}
		switch k {
		case "data", "content", "value", "items", "payload":
			kept[word] = v
		default:
			kept[k] = v
		}
	}
	a.keep(kept, word)
}
