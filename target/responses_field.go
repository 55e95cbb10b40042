package target

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// responseFields maps the field names of a line to their canonical names.
var responseFields = map[string]string{
	"id": "id", "case_id": "id",
	"question": "question", "user_input": "question", "query": "question",
	"answer": "answer", "response": "answer", "prediction_text": "answer",
	"contexts": "contexts", "retrieved_contexts": "contexts", "passages": "contexts",
	"latency_ms": "latency_ms", "error": "error", "usage": "usage", "trace": "trace", "stages": "stages",
	"finish_reason": "stop", "finishReason": "stop", "stop_reason": "stop", "done_reason": "stop",
	"ok": "ok", "success": "success", "status": "status", "status_code": "status_code", "statusCode": "statusCode",
}

// passageFields maps the field names of a passage.
var passageFields = map[string]string{
	"text": "text", "content": "text", "id": "id", "chunk_id": "id",
	"document": "document", "document_id": "document", "doc_id": "document",
	"source": "source", "title": "title", "index": "index", "chunk_index": "index", "score": "score",
}

// object reads a line as an object, with numbers as they are written. It returns nil if the
// line is something else.
func (p *responseReader) object(line []byte) map[string]any {
	from := json.NewDecoder(bytes.NewReader(line))
	from.UseNumber()
	var v any
	if err := from.Decode(&v); err != nil || from.InputOffset() < int64(len(line)) {
		var syntax *json.SyntaxError
		errors.As(json.Unmarshal(line, &v), &syntax) // says where the line is wrong
		p.problem("", "column %d: %v: expected one JSON object a line", syntax.Offset, syntax)
		return nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		p.problem("", "%s: expected an object", kindOf(v))
	}
	return object
}

// fields selects the known fields of an object; null counts as absent.
func (p *responseReader) fields(at string, object map[string]any, known map[string]string) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		means, ok := known[name]
		switch {
		case !ok && at == "":
			p.ignored[name]++
		case !ok:
			p.ignored["contexts[]."+name]++
		case object[name] == nil:
		case out[means] != nil:
			p.problem(strings.TrimPrefix(at+"."+name, "."), "is given twice, under two names; give one of them")
		default:
			out[means] = object[name]
		}
	}
	return out
}

// text reads a string, or a number where numbers are accepted.
func (p *responseReader) text(field string, v any, number bool) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		if number {
			return v.String()
		}
	}
	p.problem(field, "%s: expected text", kindOf(v))
	return ""
}

// mostLatency is a month, well within a Duration.
const mostLatency = 30 * 24 * time.Hour

func (p *responseReader) latency(v any) time.Duration {
	var ms float64
	if !p.decode("latency_ms", v, &ms, "a number of milliseconds") {
		return 0
	}
	if ms < 0 || ms > float64(mostLatency.Milliseconds()) {
		p.problem("latency_ms", "%v: expected 0 or more, and at most %d", ms, mostLatency.Milliseconds())
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// passages reads the list of passages; nil stays nil and empty stays empty.
func (p *responseReader) passages(v any) []assay.Passage {
	list, ok := v.([]any)
	if !ok {
		if v != nil {
			p.problem("contexts", "%s: expected a list", kindOf(v))
		}
		return nil
	}
	out, bare := make([]assay.Passage, 0, len(list)), true
	for i, item := range list {
		if said, ok := item.(string); ok {
			out = append(out, assay.Passage{Text: said})
			continue
		}
		bare = false
		out = append(out, p.passage(fmt.Sprintf("contexts[%d]", i), item))
	}
	if bare {
		reply.Named(out)
	}
	return out
}

func (p *responseReader) passage(at string, v any) (one assay.Passage) {
	object, ok := v.(map[string]any)
	if !ok {
		p.problem(at, "%s: expected an object", kindOf(v))
		return one
	}
	f := p.fields(at, object, passageFields)
	one.Text = p.text(at+".text", f["text"], false)
	one.ID = p.text(at+".id", f["id"], true)
	one.Document = p.text(at+".document", f["document"], true)
	one.Source = p.text(at+".source", f["source"], false)
	one.Title = p.text(at+".title", f["title"], false)
	p.decode(at+".index", f["index"], &one.Index, "a whole number")
	p.decode(at+".score", f["score"], &one.Score, "a number")
	return one
}

// decode reads a value if it is present; it reports whether it was present and valid.
func (p *responseReader) decode(field string, v, to any, want string) bool {
	if v == nil {
		return false
	}
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, to)
	}
	if err != nil {
		p.problem(field, "%s: expected %s", kindOf(v), want)
	}
	return err == nil
}

// kindOf describes the type of a JSON value.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "text"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case bool:
		return "true or false"
	}
	return "a number"
}

// usage reads tokens and cost under assay's own names, or under those of providers.
type usage struct{ to *assay.Usage }

// UnmarshalJSON implements [json.Unmarshaler].
func (u *usage) UnmarshalJSON(b []byte) error {
	var given struct {
		assay.Usage
		Read       any `json:"cache_read_input_tokens"`
		Wrote      any `json:"cache_creation_input_tokens"`
		Prompt     any `json:"prompt_tokens"`
		Completion any `json:"completion_tokens"`
		Total      any `json:"total_tokens"`
		Price      any `json:"cost"`
		Dollars    any `json:"cost_usd"`
	}
	if err := json.Unmarshal(b, &given); err != nil {
		return err
	}
	number := func(v any) float64 {
		f, _ := v.(float64) // what is no number is not reported
		return min(max(0, f), 1e9)
	}
	if given.InputTokens > 0 { // of Anthropic, which leaves out what is cached
		given.InputTokens += int(number(given.Read) + number(given.Wrote))
	}
	*u.to = assay.Usage{
		InputTokens:  cmp.Or(given.InputTokens, int(number(given.Prompt))),
		OutputTokens: cmp.Or(given.OutputTokens, int(number(given.Completion))),
		Cost:         cmp.Or(given.Cost, int64(math.Round(1e6*cmp.Or(number(given.Dollars), number(given.Price))))),
	}
	u.to.OutputTokens = reply.Output(u.to.InputTokens, u.to.OutputTokens, given.Total)
	return nil
}
