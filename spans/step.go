package spans

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/target/reply"
)

// A Kind is what a span did.
type Kind string

// The kinds of steps.
const (
	// Chain is a pipeline, a part of one, or an agent.
	Chain Kind = "chain"
	// Retrieve finds passages, Rerank orders or selects them.
	Retrieve Kind = "retrieve"
	Rerank   Kind = "rerank"
	// Model is a call of a language model.
	Model Kind = "model"
	Embed Kind = "embed"
	Tool  Kind = "tool"
	// Check is an evaluator or a guardrail: what is below it is not the system's.
	Check Kind = "check"
	// Other is recorded by a convention, and is none of these: a prompt, a parser.
	Other Kind = "other"
)

// A Step is what a span did. Texts are empty, and lists nil, if they were not recorded.
type Step struct {
	Kind Kind
	// Question is what was asked: the input of a chain, the query of a retriever or a
	// reranker, the last message of the user to a model.
	Question string
	// Prompt is all that a model was given.
	Prompt string
	// Answer is the output as text.
	Answer string
	// printed is set if the output is an object that a program printed: its text is not
	// the answer. said is set if the answer is the text of a message.
	printed, said bool
	// Passages are those that a retriever found, that a reranker kept, or that a chain
	// returned beside its answer.
	Passages []assay.Passage
	// empty is set if the output of a chain has an empty list, which may be one of passages;
	// texts is the list of texts that it is or has: passages that were printed, or anything.
	empty bool
	texts []string
	// Unread says in what form a retriever or a reranker put out what is not read as
	// passages, or not in their order; "" if all is.
	Unread string
	// Model is the name of the model.
	Model string
	Usage assay.Usage
	// Tool is the name of a tool, Input what it was given, as JSON or text.
	Tool, Input string
	// Session names the conversation.
	Session string
	Tags    []string
}

// A Convention reads the attributes of spans of one origin.
type Convention struct {
	Name string
	// Doc says in a line what records spans by it, and in what version.
	Doc string
	// read returns what a span did; ok is false if the span is not of this convention.
	read func(s *Span) (step Step, ok bool)
}

// Conventions lists the conventions, the most telling first: a span may follow several.
var Conventions = []Convention{
	{"OpenInference", "the instrumentations of Arize Phoenix, by the semantic conventions of 2026", openInference},
	{"MLflow", "the autologging of MLflow 3", mlflow},
	{"LangSmith", "runs of LangSmith, as its SDK and its API have them", langSmith},
	{"Langfuse", "observations of Langfuse 3, of its SDK (over OTLP) and its API", langfuse},
	{"TruLens", "the instrumentation of TruLens 2", trulens},
	{"AI SDK", "experimental_telemetry of the AI SDK for JavaScript, versions 4 to 6", aiSDK},
	{"OpenLLMetry", "the instrumentations of Traceloop, with content", openLLMetry},
	{"OpenTelemetry GenAI", "the semantic conventions of OpenTelemetry 1.27 to 1.40, with content in spans or their events", genAI},
}

// read returns what a span did, and by which convention it says so; "" if by none.
func read(s *Span) (Step, string) {
	for _, c := range Conventions {
		if step, ok := c.read(s); ok {
			if step.Kind != Tool && !step.said && isPrinted(step.Answer) {
				step.Answer, step.printed = "", true
			}
			return step, c.Name
		}
	}
	return Step{}, ""
}

// printed matches how programs print objects: Class(field=…), <Class object at 0x…>, fields
// side by side as pydantic writes them, and [object Object]; and lists of these. OpenInference cuts a long print with "...".
var printed = lazyregexp.New(`(?s)^(?:` + onePrinted + `|\[['"]?` + onePrinted + `['"]?(?:,.*)?(?:\]|\.\.\.))$`)

const onePrinted = `(?:(?:\w+\.)*_?[A-Z]\w*\([A-Za-z_]\w*=.*(?:\)|\.\.\.)|<.* object at 0x[0-9a-fA-F]+>|` +
	`<\w+\(\w+=.*\)>|[a-z_]\w*=(?:'.*'|".*"|None|\[.*\]) [a-z_]\w*=.*|\[object \w+\])`

func isPrinted(s string) bool { return printed().MatchString(strings.TrimSpace(s)) }

// questionNames are the names of the question in the input of a chain, the likeliest first.
var questionNames = []string{
	"question", "query", "user_input", "user_query", "query_str", "query_text", "str_or_query_bundle", "query_bundle", "input",
	"inputs", "prompt",
	"message", "text", "content", "messages", "task", "user_prompt", "user_message", "data", "args", "kwargs", "state",
}

// deepest bounds how deep a question is looked for.
const deepest = 6

// questionOf finds the question in the input of a chain: a text, or the likeliest field of an
// object, the outermost first; of messages, the last of the user.
func questionOf(v any) string {
	level, only := []any{v}, true
	for depth := 0; depth < deepest && len(level) > 0; depth++ {
		for _, v := range level {
			if s, ok := v.(string); ok && strings.TrimSpace(s) != "" && !isPrinted(s) {
				return strings.TrimSpace(s)
			}
		}
		var next []any
		for _, v := range level {
			switch v := v.(type) {
			case map[string]any:
				more, known := named(v, only)
				next, only = append(next, more...), only && known
			case []any:
				if said := reply.LastOf(v, "user", "human"); said != "" {
					return said
				}
				if len(v) > 0 {
					next = append(next, v[0])
				}
			}
		}
		level = next
	}
	return ""
}

// named returns the values of an object that may hold the question, the likeliest first, or
// its only value, if that may be a text, or else those that are objects, of which not all can hold it.
func named(o map[string]any, only bool) (out []any, known bool) {
	for _, name := range questionNames {
		if v := decoded(o[name]); v != nil && v != "" {
			out = append(out, v)
		}
	}
	if out != nil {
		return out[:1], true
	}
	for _, v := range o {
		if _, isObject := v.(map[string]any); isObject || len(o) == 1 && only {
			out = append(out, decoded(v))
		}
	}
	return out, len(o) == 1
}

// merged returns an object with the fields of both; those of second count.
func merged(first, second map[string]any) map[string]any {
	out := map[string]any{}
	for _, o := range []map[string]any{first, second} {
		for k, v := range o {
			if k != "data" {
				out[k] = v
			}
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

// promptOf joins the texts of messages.
func promptOf(list []any) string {
	var all []string
	for _, m := range reply.Messages(list) {
		for _, said := range []string{m.Text, m.Result} {
			if said != "" {
				all = append(all, said)
			}
		}
	}
	return strings.Join(all, "\n\n")
}

// answerOf finds the answer in an output: a text, the last message of a model, or the answer
// of a known form of reply.
func answerOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if said, ok := lastSaid(v); ok {
			return said
		}
		// An answer such as "[2, 3]" is no list but a text.
		if len(v) > 0 && !slices.ContainsFunc(v, isStructured) {
			return jsonText(v)
		}
	case map[string]any:
		if list, ok := decoded(v["messages"]).([]any); ok {
			if said, ok := lastSaid(list); ok {
				return said
			}
		}
		if kwargs, ok := v["kwargs"].(map[string]any); ok {
			if s, ok := reply.ContentOf(kwargs["content"]); ok {
				return s
			}
		}
		if r, ok := replyOf(v); ok && !r.NoAnswer {
			return r.Answer
		}
		// An output such as {"generate": {"answer": …}} is the answer of its only part.
		if len(v) == 1 {
			for _, inner := range v {
				if _, ok := inner.(string); ok || isStructured(inner) { // {"count": 3} is no answer
					return answerOf(decoded(inner))
				}
			}
		}
	default:
		s, _ := reply.TextOf(v)
		return s
	}
	return ""
}

// lastSaid returns the text of the last message of a model, which may be empty.
func lastSaid(list []any) (string, bool) {
	for _, m := range slices.Backward(reply.Messages(list)) {
		if slices.Contains([]string{"assistant", "ai", "model"}, m.Role) {
			return strings.TrimSpace(m.Text), true
		}
	}
	return "", false
}

func isStructured(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// replyOf reads a value in one of the known forms of replies.
func replyOf(v any) (assay.Response, bool) {
	m, _, ok := reply.Detect(v)
	if !ok {
		return assay.Response{}, false
	}
	r, _, err := m.Read(v)
	return r, err == nil
}

// passagesOf reads a list of passages, or the passages of a known form of replies. It is nil
// if there are none, or only printed objects, and empty for an empty list.
func passagesOf(v any) []assay.Passage {
	if list, ok := v.([]any); ok {
		if len(list) == 0 {
			return []assay.Passage{}
		}
		for i, entry := range list {
			list[i] = withMetadata(entry)
		}
	}
	r, ok := replyOf(v)
	read := func(p assay.Passage) bool {
		return p.ID != "" || p.Document != "" || p.Source != "" || !isPrinted(p.Text)
	}
	if !ok || len(r.Passages) > 0 && !slices.ContainsFunc(r.Passages, read) {
		return nil
	}
	return r.Passages
}

// retrieves reads the passages that a retriever or a reranker put out: also those of
// Qdrant, and texts by id.
func (s *Step) retrieves(out any) {
	o, _ := out.(map[string]any)
	if points, ok := o["points"].([]any); ok {
		out = points
	}
	s.texts = textsOf(out)
	if s.Passages = passagesOf(out); s.Passages != nil {
		return
	}
	s.Unread = shapeOf(out)
	var list []any
	for _, id := range slices.Sorted(maps.Keys(o)) {
		text, ok := o[id].(string)
		if !ok || !strings.ContainsAny(id, "0123456789#/:") {
			return
		}
		list = append(list, map[string]any{"id": id, "text": text})
	}
	if len(list) > 0 {
		s.Passages = passagesOf(list)
		s.Unread = "texts by id, read in the order of the ids because JSON has no other"
	}
}

// picks reads the passages that a reranker names by their places among the documents of its input, best first, unless it
// says which passages they are. Places count from 0 if one is 0, or beside a relevance_score (Cohere, Jina, Voyage). It
// reports whether it read them.
func (s *Step) picks(in, out any) bool {
	given, picked, from0 := listIn(in), []any{}, false
	for _, v := range listIn(out) {
		o, _ := v.(map[string]any)
		n, ok := cmp.Or(o["index"], o["corpus_id"]).(json.Number)
		at, err := n.Int64()
		if s.Unread == "" || !ok || err != nil || at < 0 || at >= int64(len(given)) {
			return false
		}
		from0 = from0 || at == 0 || o["relevance_score"] != nil || o["corpus_id"] != nil
		one := map[string]any{"text": given[at]}
		if document, isObject := given[at].(map[string]any); isObject {
			one = maps.Clone(document)
		}
		one["score"] = cmp.Or(o["relevance_score"], o["score"])
		picked = append(picked, one)
	}
	passages := passagesOf(picked)
	if !from0 || len(passages) == 0 {
		return false
	}
	s.Kind, s.Passages, s.Unread = Rerank, passages, ""
	return true
}

// listIn returns a list of texts or objects: a value, or the first in an object.
func listIn(v any) []any {
	list, _ := v.([]any)
	o, _ := v.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if inner, ok := decoded(o[name]).([]any); ok && list == nil && len(inner) > 0 && (textsOf(inner) != nil || isStructured(inner[0])) {
			list = inner
		}
	}
	return list
}

// printedDict matches what Python prints of a dict or a list of them, as of the cells of a data frame.
var printedDict = lazyregexp.New(`^\s*(?:array\()?[\[(]*\{'`)

// shapeOf describes the form of a value.
func shapeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing was recorded"
	case map[string]any:
		return "an object with " + strings.Join(slices.Sorted(maps.Keys(v)), ", ")
	case []any:
		if len(v) > 0 {
			return "a list, the first entry " + shapeOf(v[0])
		}
		return "an empty list"
	case string:
		if printedDict().MatchString(v) {
			return "text that Python printed, not JSON: write data frames with to_json, not with to_csv"
		}
		return "text"
	}
	return "a number or a truth"
}

// returns reads the passages that a chain or a tool returns: those of a known form of replies,
// a list of documents, or the first field that is one. A list of texts is no list of passages:
// it may be anything.
func (s *Step) returns(out any) {
	switch out := out.(type) {
	case map[string]any:
		if s.Passages = passagesOf(out); s.Passages != nil {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(out)) {
			list, ok := decoded(out[name]).([]any)
			switch {
			case !ok || name == "messages":
			case len(list) == 0:
				s.empty = true
			case s.Passages == nil:
				s.Passages = documentsOf(list)
				if s.texts == nil {
					s.texts = textsOf(list)
				}
			}
		}
	case []any:
		if s.empty = len(out) == 0; !s.empty {
			s.Passages, s.texts = documentsOf(out), textsOf(out)
		}
	}
}

// textsOf returns the entries of a list of texts; nil if it is none.
func textsOf(v any) (out []string) {
	list, _ := v.([]any)
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// documentsOf reads a list of documents: objects, of which each has a text or an id, and may have its score beside it in a
// pair. It is nil if the list is something else.
func documentsOf(list []any) []assay.Passage {
	for _, v := range list {
		if pair, ok := v.([]any); ok && len(pair) == 2 {
			v = pair[0]
		}
		if _, ok := v.(map[string]any); !ok {
			return nil
		}
	}
	found := passagesOf(list)
	for _, p := range found {
		if p.Text == "" && p.ID == "" {
			return nil
		}
	}
	return found
}

// withMetadata decodes the metadata of a document that is JSON as text. It reads a pair of a
// document and its score, and the names of OpenInference such as document.content.
func withMetadata(v any) any {
	if pair, ok := v.([]any); ok && len(pair) == 2 {
		o, isObject := pair[0].(map[string]any)
		if text, isText := pair[0].(string); isText {
			o, isObject = map[string]any{"text": text}, true
		}
		_, isFloat := pair[1].(float64)
		if _, isNumber := pair[1].(json.Number); isObject && (isNumber || isFloat) {
			o["score"] = pair[1]
			v = o
		}
	}
	o, ok := v.(map[string]any)
	for name, inner := range maps.Clone(o) {
		if rest, ok := strings.CutPrefix(name, "document."); ok {
			delete(o, name)
			o[rest] = inner
		}
	}
	if !ok {
		return v
	}
	for _, name := range []string{"metadata", "document"} {
		if _, isText := o[name].(string); isText && name == "metadata" {
			o[name] = decoded(o[name])
		} else if inner, ok := o[name].(map[string]any); ok {
			o[name] = withMetadata(inner)
		}
	}
	return o
}
