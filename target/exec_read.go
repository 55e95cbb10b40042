package target

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// read extracts the response from a reply.
func (e *Exec) read(ctx context.Context, v map[string]any) (assay.Response, error) {
	if field, failure := reply.Failed(v); failure != "" && (field == "error" || e.python != nil || e.cfg.Read.Empty()) {
		if again, said := v["again"].(bool); said && !again {
			return assay.Response{}, Errorf(Raised, "%s", failure)
		}
		return assay.Response{}, unread(&reply.FailureError{Message: failure, Status: reply.StatusOf(v)})
	}
	warnings := execTexts(v["warnings"])
	from, warning, fails := e.unpack(v)
	if fails != nil {
		return assay.Response{}, fails
	}
	if warning != "" {
		warnings = append(warnings, warning)
	}
	m := e.cfg.Read
	shape := ""
	switch {
	case e.python != nil:
		if !m.Empty() {
			from = v["result"]
			break
		}
		var err error
		if m, from, err = e.python.mapping(v); err != nil {
			return assay.Response{}, Errorf(Raised, "%w", err)
		}
		shape = "assay's own shim for " + e.python.kind
	case m.Empty():
		var ok bool
		if m, shape, ok = reply.Detect(from); !ok {
			show(ctx, func(x *Exchange) { x.Hints = append(x.Hints, reply.Suggest(from)...) })
			return assay.Response{}, Errorf(Reply, "the reply has no known shape: %s, or paths to their equivalents%s", unknownShape(from), suggested(from))
		}
	}
	var resp assay.Response
	var err error
	inner, whole := v["whole"]
	if e.python == nil || whole || !e.cfg.Read.Empty() {
		resp, err = readParts(ctx, m, shape, from, v["passages"] != nil)
	} else { // a part that the shim omitted is absent
		var readings []reply.Reading
		resp, readings, err = m.Read(from)
		show(ctx, func(x *Exchange) { x.Shape, x.Readings = shape, readings })
	}
	if kind, ok := v["kind"].(string); ok && err != nil && e.python != nil {
		err = fmt.Errorf("%w (the answer is %s)", err, kind)
	}
	if again, said := v["again"].(bool); said && !again && errors.As(err, new(*reply.FailureError)) {
		return resp, Errorf(Raised, "%w", err)
	}
	if err != nil {
		return resp, unread(err)
	}
	if whole && e.python != nil {
		// Of what the object lacks, callbacks may have heard.
		delete(v, "whole")
		hm, _, err := e.python.mapping(v)
		if err != nil {
			return assay.Response{}, Errorf(Raised, "%w", err)
		}
		heard, _, err := hm.Read(v)
		if err != nil {
			return assay.Response{}, unread(err)
		}
		v["whole"] = inner
		if resp.Passages == nil || heard.Passages != nil && (m.Weak() || m.Joined(from)) {
			resp.Passages = heard.Passages
		} else if m.Joined(from) {
			warnings = append(warnings, "the context is one text and was read as one passage: return the list of documents for metrics of retrieval")
		}
		if resp.Usage == (assay.Usage{}) {
			resp.Usage = heard.Usage
		}
		if resp.Trace == nil {
			resp.Trace = heard.Trace
			if e.cfg.Read.Empty() {
				reply.Unread(&resp)
			}
		}
	}
	resp.Warnings = append(resp.Warnings, warnings...)
	return resp, nil
}

// unpack reads the text of a reply: a body as over HTTP, what a function returned, and server-sent events in an
// answer. It returns the value that is read. What else the reply has, such as passages that callbacks heard, stays.
func (e *Exec) unpack(v map[string]any) (from any, warning string, _ *Error) {
	name, read := "returned_text", reply.Returned
	_, isBody := v["body"].(string)
	switch {
	case e.python != nil && !e.cfg.Read.Empty():
		name = "result"
	case isBody:
		name, read = "body", reply.Body
	case v[name] == nil:
		name = "answer"
	}
	text, ok := v[name].(string)
	kind := reply.KindOf("", []byte(text))
	// A message has no kind: what a model wrote by a schema is a reply.
	_, schema, _ := reply.Structured(text)
	schema = schema && name == "answer" && e.python != nil && v["kind"] == nil
	if !ok || name == "answer" && kind != reply.Events && !schema {
		return v, "", nil
	}
	if schema {
		text, _ = reply.Written(text)
	}
	if page := reply.Page([]byte(text)); isBody && page != "" {
		return nil, "", Errorf(Reply, "the reply is %s, not JSON", page)
	}
	inner, err := read(text, e.cfg.Read)
	if errors.As(err, new(*reply.FailureError)) {
		return nil, "", unread(err)
	} else if err != nil {
		return nil, "", malformed("the reply cannot be read: %w", err)
	}
	delete(v, name)
	o, isObject := inner.(map[string]any)
	_, isList := inner.([]any)
	switch {
	case schema:
		warning = reply.StructuredNote
	case name != "returned_text" || kind == reply.Events:
	case isObject || isList:
		warning = `the text that the target returned is JSON and was read as a reply: return {"answer": TEXT} if the JSON is the answer`
	case kind == reply.Value && strings.TrimSpace(text) != "":
		warning = `a text that the target returned is JSON of no known shape, and was read as the answer: return {"answer": …} if it is one`
	}
	switch {
	case name == "result":
		v[name] = inner
	case isList && e.python == nil:
		return inner, warning, nil
	case isList:
		v["whole"] = inner
	case !isObject:
		v["answer"] = inner
	case e.python != nil:
		whole := maps.Clone(v)
		delete(whole, "warnings") // those of the shim
		maps.Copy(whole, o)
		v["whole"] = whole
	default:
		maps.Copy(v, o)
	}
	return v, warning, nil
}

func execTexts(v any) []string {
	var out []string
	list, _ := v.([]any)
	for _, one := range list {
		if text, ok := one.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// unknownShape says what a reply of no known shape has, and what it must have.
func unknownShape(v any) string {
	o, ok := v.(map[string]any)
	list, _ := v.([]any)
	if inner, is := o["passages"].([]any); is {
		ok, list = false, inner // of a list that a function of Node returned
	}
	if !ok {
		for _, first := range list {
			if p, is := first.(map[string]any); is {
				return fmt.Sprintf("its list has objects with %s, which are no passages: expected \"text\", or \"source\" or \"id\", or an object "+
					"with \"answer\" and \"passages\"", execKeys(p))
			}
		}
		return `its list has values that are no passages: expected texts or objects, or an object with "answer" and "passages"`
	}
	return fmt.Sprintf(`it has %s: expected "answer" or "passages"`, execKeys(o))
}

func execKeys(v map[string]any) string {
	if len(v) == 0 {
		return "nothing"
	}
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if keys = append(keys, fmt.Sprintf("%q", key)); v[key] == nil {
			keys[len(keys)-1] += " (null)"
		}
	}
	if len(keys) > 12 {
		keys = append(keys[:12], "…")
	}
	return strings.Join(keys, ", ")
}
