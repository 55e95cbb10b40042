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
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/reply"
)

// responseFields maps the field names of a line to their canonical names.
var responseFields = map[string]string{
	"id": "id", "case_id": "id",
	"question": "question", "user_input": "question", "query": "question",
	"answer": "answer", "response": "answer",
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

// object splits an object into its known fields; null counts as absent. It returns nil
// if the value is not an object.
func (p *responseReader) object(at string, raw []byte, known map[string]string) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil || all == nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			p.problem(at, "column %d: %v: want one JSON object a line", syntax.Offset, err)
		} else {
			p.problem(at, "%s: want an object", kindOf(raw))
		}
		return nil
	}
	out := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		means, ok := known[name]
		switch {
		case !ok && at == "":
			p.ignored[name]++
		case !ok:
			p.ignored["contexts[]."+name]++
		case string(all[name]) == "null":
		case out[means] != nil:
			p.problem(join(at, name), "is given twice, under two names: want one of them")
		default:
			out[means] = all[name]
		}
	}
	return out
}

// text reads a string, or a number where numbers are accepted.
func (p *responseReader) text(field string, raw json.RawMessage, number bool) string {
	if raw == nil {
		return ""
	}
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		return s
	}
	if number && kindOf(raw) == "a number" {
		return string(raw)
	}
	p.problem(field, "%s: want text", kindOf(raw))
	return ""
}

// mostLatency is a month, well within a Duration.
const mostLatency = 30 * 24 * time.Hour

func (p *responseReader) latency(raw json.RawMessage) time.Duration {
	var ms float64
	if !p.decode("latency_ms", raw, &ms, "a number of milliseconds") {
		return 0
	}
	if ms < 0 || ms > float64(mostLatency.Milliseconds()) {
		p.problem("latency_ms", "%v: want 0 or more, and at most %d", ms, mostLatency.Milliseconds())
		return 0
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// passages reads the list of passages; nil stays nil and empty stays empty.
func (p *responseReader) passages(raw json.RawMessage) []assay.Passage {
	var list []json.RawMessage
	if !p.decode("contexts", raw, &list, "a list") {
		return nil
	}
	out, bare := make([]assay.Passage, 0, len(list)), true
	for i, item := range list {
		at := fmt.Sprintf("contexts[%d]", i)
		if kindOf(item) == "text" {
			out = append(out, assay.Passage{Text: p.text(at, item, false)})
			continue
		}
		bare = false
		f := p.object(at, item, passageFields)
		var one assay.Passage
		one.Text, one.ID, one.Document = p.text(at+".text", f["text"], false), p.text(at+".id", f["id"], true), p.text(at+".document",
			f["document"], true)
		one.Source, one.Title = p.text(at+".source", f["source"], false), p.text(at+".title", f["title"], false)
		p.decode(at+".index", f["index"], &one.Index, "a whole number")
		p.decode(at+".score", f["score"], &one.Score, "a number")
		out = append(out, one)
	}
	if bare {
		reply.Named(out)
	}
	return out
}

// decode reads a value if it is present; it reports whether it was present and valid.
func (p *responseReader) decode(field string, raw json.RawMessage, to any, want string) bool {
	if raw == nil {
		return false
	}
	if err := json.Unmarshal(raw, to); err != nil {
		p.problem(field, "%s: want %s", kindOf(raw), want)
		return false
	}
	return true
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// kindOf describes the type of a JSON value.
func kindOf(raw []byte) string {
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) == 0:
		return "nothing"
	case raw[0] == '"':
		return "text"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "a list"
	case raw[0] == 't' || raw[0] == 'f':
		return "true or false"
	case raw[0] == 'n':
		return "null"
	}
	return "a number"
}

// usage reads tokens and cost under assay's own names, or under those of providers.
type usage struct{ to *assay.Usage }

// UnmarshalJSON implements [json.Unmarshaler].
func (u *usage) UnmarshalJSON(b []byte) error {
	var given struct {
		assay.Usage
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
	*u.to = assay.Usage{
		InputTokens:  cmp.Or(given.InputTokens, int(number(given.Prompt))),
		OutputTokens: cmp.Or(given.OutputTokens, int(number(given.Completion))),
		Cost:         cmp.Or(given.Cost, int64(math.Round(1e6*cmp.Or(number(given.Dollars), number(given.Price))))),
	}
	u.to.OutputTokens = reply.Output(u.to.InputTokens, u.to.OutputTokens, given.Total)
	return nil
}
