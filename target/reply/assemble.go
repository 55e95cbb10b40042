package reply

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// An assembly joins the events of a stream.
type assembly struct {
	m Mapping
	// events counts events with data; only is the value of the only one.
	events int
	only   any
	// form is the format of the stream's events.
	form form
	text answerTexts
	// shaped holds the texts that a known shape reads as the answer of an event without a piece, and
	// path is where; sure is set if such an event was not of an unknown type.
	shaped answerTexts
	path   Path
	sure   bool
	// rest holds all other fields, with their last values.
	rest map[string]any
	// message holds the fields of a chat completion's message other than its content.
	message map[string]any
	sum     sum
	// stop is why a chat completion ended.
	stop any
	// asides are the ids of messages that are commentary.
	asides []string
	// first is the first event that is an object.
	first map[string]any
	// objects is set once an event was an object, plain once one was a text that is no JSON.
	objects, plain bool
	// declares is set if the server's protocol has an event at the end of an answer: those of the AI
	// SDK, Anthropic, llama.cpp and OpenAI's responses.
	declares bool
	// ended is set if nothing useful follows, finished if the stream has declared the
	// answer complete.
	ended, finished bool
}

// A form is a known event format.
type form uint8

const (
	anyForm form = iota
	mappedForm
	typedForm
	chatForm
	completionForm
	langserveForm
	difyForm
	ragflowForm
	ollamaChatForm
	ollamaForm
)

func newAssembly(m Mapping) *assembly {
	a := &assembly{m: m, rest: map[string]any{}, message: map[string]any{}}
	_, a.text.pieces = m.paths[Delta]
	a.shaped.replies = true
	return a
}

// event adds one server-sent event.
func (a *assembly) event(name string, data []byte) error {
	switch word := bytes.TrimSpace(data); {
	case strings.Trim(string(word), `"`) == "[DONE]", len(word) == 0 && name == "end":
		a.ended = true
		return nil
	case len(word) == 0 && len(data) == 0, name == "ping", name == "heartbeat":
		return nil
	}
	// Among words, a list of numbers or a quoted word is one of them.
	word := unnamed(name) && a.plain && data[0] != '{' && !bytes.HasPrefix(data, []byte("[{"))
	if (word || !beginsJSON(data[0])) && !a.objects && !slices.Contains(names().EndTypes, name) && name != "error" {
		a.plain = true
		return a.add(name, string(data), data)
	}
	v, err := decodeJSON(data)
	switch {
	case err == nil:
	case slices.Contains(names().EndTypes, name):
		a.finished = true
		return nil
	case a.objects, a.events == 0 && len(data) > 1 && data[0] == '{' && isJSON(data):
		return fmt.Errorf("event %d: %w", a.events+1, err)
	default:
		v, a.plain = string(data), true
	}
	if name == "error" {
		return failed(v)
	}
	return a.add(name, v, data)
}

// unnamed reports whether an event has no type of its own.
func unnamed(name string) bool { return name == "" || name == "message" }

// beginsJSON reports whether b can start a JSON value or the white space before one.
func beginsJSON(b byte) bool { return strings.IndexByte("{[\"-0123456789tfn \t\r\n", b) >= 0 }

// failed returns the error for a failure that a system reports.
func failed(v any) error {
	message := failureText(v)
	if message == "" {
		message = "error event without text"
	}
	return &FailureError{Message: message, Status: StatusOf(v)}
}

// add adds a decoded event; raw is its text.
func (a *assembly) add(name string, v any, raw []byte) error {
	a.events++
	a.only = v
	switch v := v.(type) {
	case map[string]any:
		a.objects = true
		return a.object(name, v)
	case []any:
		other := func(v any) bool { _, is := v.(json.Number); return !is }
		if unnamed(name) && !a.objects && len(v) > 0 && !slices.ContainsFunc(v, other) {
			a.only, a.plain = string(raw), true // a citation, such as [1]
			a.piece(name, string(raw))
			return nil
		}
		a.objects = true
		switch name {
		case "", "message":
		case "data":
			a.form = langserveForm
			a.sum.add(v)
		default:
			a.keep(map[string]any{name: v}, name)
		}
	case string:
		a.piece(name, v)
	case nil:
		if !a.objects && name != "data" {
			a.piece(name, "null")
		}
	default: // a token of a plain-text stream that happens to be a number
		a.piece(name, string(raw))
	}
	return nil
}

// piece adds an event that is a text.
func (a *assembly) piece(name, s string) {
	switch {
	case name == "data":
		a.form = langserveForm
		a.sum.add(s)
	case slices.Contains(names().PieceTypes, typeWord(cmp.Or(name, "text"))):
		a.text.add(s)
	default:
		a.keep(map[string]any{name: s}, name)
	}
}

// object adds an event that is an object.
func (a *assembly) object(name string, o map[string]any) error {
	if why := cmp.Or(failureText(o["error"]), failureText(names().Broken.first(o))); why != "" {
		return &FailureError{Message: why, Status: StatusOf(o)}
	}
	if a.first == nil {
		a.first = o
	}
	if field, ok := another(a.first, o); ok {
		return fmt.Errorf("value %d: another reply, its %s differ from the first: return one JSON value for a question", a.events, field)
	}
	if p, ok := a.m.paths[Delta]; ok {
		a.form = mappedForm
		if s, ok := pathText(p, o); ok {
			a.text.add(s)
		}
		a.merge(o)
		return nil
	}
	if known, err := a.known(name, o); known || err != nil {
		return err
	}
	if p, ok := a.m.paths[Answer]; ok {
		if s, ok := pathText(p, o); ok {
			if a.form != mappedForm { // what came before was not at the user's path
				a.form, a.text = mappedForm, answerTexts{}
			}
			a.text.grown(p, o)
			a.text.add(s)
			a.merge(o)
			return nil
		}
	}
	return a.other(name, o)
}

func pathText(p Path, o map[string]any) (string, bool) {
	v, ok := p.one(o)
	if !ok {
		return "", false
	}
	return TextOf(v)
}

// merge keeps the fields of an event except skip. Null and empty values do not replace
// earlier ones: servers repeat fields without filling them in.
func (a *assembly) merge(o map[string]any, skip ...string) {
	// Anthropic and Cohere say at the end of a stream, where texts have been, why it ends.
	delta, _ := o["delta"].(map[string]any)
	if why := textIn(delta, names().StopFields...); why != "" {
		a.rest["stop_reason"] = why
	}
	mergeInto(a.rest, o, skip...)
}

func mergeInto(into, o map[string]any, skip ...string) {
	for k, v := range o {
		if _, there := into[k]; v == nil || there && empty(v) || slices.Contains(skip, k) {
			continue
		}
		into[k] = v
	}
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// close ends a stream whose input ended with err. An interrupted stream is an error
// unless the stream had declared the answer complete.
func (a *assembly) close(err error) (any, error) {
	if errors.Is(err, io.EOF) && !a.finished {
		switch a.form { // whose servers say at the end that the answer is complete
		case chatForm:
			a.stop = StopCut
		case ollamaForm, ollamaChatForm:
			a.rest["done_reason"] = StopCut
		default:
			if a.declares || a.form == langserveForm || a.form == difyForm && a.rest["task_id"] != nil {
				a.rest["finish_reason"] = StopCut
			}
		}
	}
	if errors.Is(err, io.EOF) || a.finished {
		return a.value()
	}
	return nil, fmt.Errorf("the stream was interrupted after %d events: %w", a.events, err)
}

// value returns the joined events.
func (a *assembly) value() (any, error) {
	if a.events == 0 {
		return nil, errors.New("the stream has no events: expected the pieces of an answer")
	}
	v := a.assembled()
	// A path of the user's takes precedence over the form's own field.
	if p, ok := a.m.paths[Answer]; ok && a.text.n > 0 {
		if o, isObject := v.(map[string]any); isObject {
			if _, found := p.Find(v); !found || a.form == mappedForm {
				setAt(o, p, a.text.text())
			}
		}
	}
	return v, nil
}

func (a *assembly) assembled() any {
	shaped := a.shaped.text()
	if a.shaped.n > 0 && (a.text.n == 0 || a.text.key == "message") {
		if s, _ := pathText(a.path, a.rest); s != shaped {
			setAt(a.rest, a.path, shaped)
		}
		a.text = answerTexts{differs: a.shaped.differs}
	} else if a.sure && a.form != mappedForm && a.form <= typedForm && !alike(a.text.text(), shaped) {
		a.text.differs = true
	}
	if a.text.differs {
		a.rest[differs] = true
	}
	text := a.text.text()
	switch a.form {
	case chatForm:
		if a.text.n > 0 || a.stop != nil {
			a.message["content"] = text
		}
		choice := map[string]any{"message": a.message}
		if a.stop != nil {
			choice["finish_reason"] = a.stop
		}
		return with(a.rest, "choices", []any{choice})
	case completionForm:
		return with(a.rest, "choices", []any{map[string]any{"text": text}})
	case langserveForm:
		return with(a.rest, "output", a.sum.value())
	case difyForm:
		if a.text.n == 0 {
			return a.rest
		}
		return with(a.rest, Answer, text)
	case ragflowForm:
		return map[string]any{"data": with(a.rest, Answer, text)}
	case ollamaChatForm:
		a.message["content"] = text
		return with(a.rest, "message", a.message)
	case ollamaForm:
		return with(a.rest, "response", text)
	case anyForm:
		if a.events == 1 && a.text.key != "token" && a.text.key != "delta" && a.text.key != "chunk" {
			return a.only
		}
	}
	if m, _ := a.rest["message"].(map[string]any); a.form == typedForm && m["type"] == "message" && isList(m["content"]) { // Anthropic
		used, _ := m["usage"].(map[string]any)
		mergeInto(m, a.rest, "message", "usage", "type", "index", "delta", "content_block")
		last, _ := a.rest["usage"].(map[string]any)
		mergeInto(used, last)
		m["stop_reason"] = firstOf(m, "stop_reason", "finish_reason")
		return with(m, "content", []any{map[string]any{"type": "text", "text": text}})
	}
	if a.text.n == 0 {
		return a.rest
	}
	if !a.objects && len(a.rest) == 0 {
		return text
	}
	if a.text.key != "" {
		a.rest[a.text.key] = text
	}
	return with(a.rest, Answer, text)
}

func with(o map[string]any, key string, v any) map[string]any {
	o[key] = v
	return o
}

// setAt stores a text at a path if it can, and creates objects and one-element lists on
// the way.
func setAt(root map[string]any, p Path, text string) {
	if len(p.steps) > 0 {
		put(root, p.steps, text)
	}
}

// put returns v with the text at the path.
func put(v any, steps []step, text string) (any, bool) {
	if len(steps) == 0 && isList(v) { // the parts of a message
		return []any{map[string]any{"type": "text", "text": text}}, true
	} else if len(steps) == 0 {
		return text, true
	}
	s := steps[0]
	list, isList := v.([]any)
	if s.kind == byKey && !isList {
		o, _ := v.(map[string]any)
		if o == nil {
			o = map[string]any{}
		}
		inner, ok := put(o[s.key], steps[1:], text)
		if ok {
			o[s.key] = inner
		}
		return o, ok
	}
	i := max(s.index, 0) // "[]" means the only element
	if s.kind == byIndex && s.index < 0 {
		i = max(len(list)+s.index, 0)
	}
	if s.kind == byKey && s.index < 0 || s.kind == byValue || s.kind == every || i > len(list) || v != nil && !isList {
		return nil, false
	}
	if i == len(list) {
		list = append(list, nil)
	}
	inner, ok := put(list[i], steps[1:], text)
	if ok {
		list[i] = inner
	}
	return list, ok
}

// A sum adds the chunks of a LangChain runnable as LangChain does: texts and lists are
// concatenated, objects are added field by field, messages by their contents. Any other
// value replaces the previous one.
type sum struct {
	text   *strings.Builder
	list   []any
	fields map[string]*sum
	other  any
}

func (s *sum) add(v any) { s.addWithin(v, 0) }

func (s *sum) addWithin(v any, depth int) {
	switch v := v.(type) {
	case nil:
	case string:
		if s.text == nil {
			*s = sum{text: &strings.Builder{}}
		}
		s.text.WriteString(v)
	case []any:
		if s.list == nil {
			*s = sum{list: []any{}}
		}
		s.list = append(s.list, v...)
	case map[string]any:
		_, isMessage := v["content"].(string)
		if s, ok := TextOf(v["content"]); ok && isList(v["content"]) && v["type"] == "AIMessageChunk" {
			v, isMessage = maps.Clone(v), true
			v["content"] = s
		}
		if depth > 0 && !isMessage {
			*s = sum{other: v}
			return
		}
		if s.fields == nil {
			*s = sum{fields: map[string]*sum{}}
		}
		for k, e := range v {
			if s.fields[k] == nil {
				s.fields[k] = &sum{}
			}
			if isMessage && k != "content" {
				if !empty(e) {
					*s.fields[k] = sum{other: e}
				}
				continue
			}
			s.fields[k].addWithin(e, depth+1)
		}
	default:
		*s = sum{other: v}
	}
}

func (s *sum) value() any {
	switch {
	case s.text != nil:
		return s.text.String()
	case s.list != nil:
		return s.list
	case s.fields != nil:
		out := make(map[string]any, len(s.fields))
		for k, f := range s.fields {
			out[k] = f.value()
		}
		return out
	}
	return s.other
}
