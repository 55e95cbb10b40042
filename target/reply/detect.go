package reply

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/lazyregexp"
)

// Detect finds the known shape of a value. ok is false if there is none. The mapping
// has paths only for parts that are present, so that reading with it never reports as
// missing what the system does not return; a null answer counts as an answer that is
// missing.
func Detect(v any) (m Mapping, shape string, ok bool) {
	switch v := inOrder(v).(type) {
	case string:
		return at1(Answer, "$"), "text", true
	case []any:
		if m, name, ok := shaped(v); ok {
			return m, name, true
		}
		return bareList(v)
	case map[string]any:
		v = withoutRequest(v)
		for _, c := range names().Containers {
			o, prefix := v, strings.TrimPrefix(c+".", ".")
			if c != "" {
				o, _ = v[c].(map[string]any)
			}
			if field, says := Failed(o); field != "" {
				return Mapping{paths: at1(Failure, prefix+field).paths, says: says, status: StatusOf(o)}, "a failure", true
			}
			if isText(v[Answer]) {
				break // what is in others is not about the answer
			}
		}
		if m, ok := result(v); ok {
			return m, ResultShape, true
		}
		if m, name, ok := shaped(v); ok {
			return m, name, true
		}
		if m, name, ok := plain(v); ok {
			return m, name, true
		}
		if v["__interrupt__"] != nil {
			return Mapping{}, "a graph at an interrupt", true // which is the error of its reading
		}
		if p, says := fault(v); says != "" {
			return Mapping{paths: map[string]Path{Failure: p}}, "a failure", true
		}
		if failureText(v["detail"]) != "" { // FastAPI
			return at1(Failure, "detail"), "a failure", true
		}
		s := &suggester{}
		if s.look(v, nil, 0); s.failure != "" && s.answers == nil && s.passages == nil {
			return at1(Failure, s.failure), "a failure", true
		}
		if stopOf(v, Path{}) != "" {
			return at1(Answer, "choices[0].message.content"), "a reply without a text", true
		}
	}
	return Mapping{}, "", false
}

// withoutRequest removes the messages of a request, which end with the user's, from beside its reply:
// logs, as those of LiteLLM, have both.
func withoutRequest(o map[string]any) map[string]any {
	list, _ := o["messages"].([]any)
	if len(list) == 0 || firstOf(o, "answer", "response") == nil {
		return o
	}
	if last := Messages(list[len(list)-1:]); len(last) == 1 && (last[0].Role == "user" || last[0].Role == "human") {
		o = maps.Clone(o)
		delete(o, "messages")
	}
	return o
}

func at1(field, path string) Mapping {
	return Mapping{paths: map[string]Path{field: builtIn(path)}}
}

// shaped tries the known shapes.
func shaped(v any) (Mapping, string, bool) {
	for _, s := range known().Shapes {
		lacks := func(a alternatives) bool {
			return !slices.ContainsFunc(a, func(p Path) bool { _, found := p.Find(v); return found })
		}
		if slices.ContainsFunc(s.Needs, lacks) {
			continue
		}
		if m, ok := s.mapping(v); ok {
			m.none = s.None
			return m, s.Name, true
		}
	}
	return Mapping{}, "", false
}

// mapping takes the first suitable path for each field. ok is false if there is neither
// an answer nor a passage.
func (s shape) mapping(v any) (m Mapping, ok bool) {
	m.paths = map[string]Path{}
	var passages []any // the passages of a list; nil for columns
	for _, field := range fields {
		for _, p := range s.Read[field] {
			if wants[field] != "" {
				if s.Read[Passages] != nil && partIn(field, p, passages) || s.Read[Passages] == nil && column(field, p, v) {
					m.paths[field] = p
					break
				}
				continue
			}
			if before, ok := strings.CutSuffix(p.text, "*.documents"); ok {
				if p, m.warning, ok = lastDocuments(v, before); !ok {
					break
				}
			}
			values, found := p.Find(v)
			if field == Answer && !found && nullAt(v, p) {
				m.paths[Answer] = p
				break
			}
			if !found || !suits(field, values, p.plural()) || field == Failure && m.paths[Answer].text != "" {
				continue
			}
			if field != Passages {
				m.paths[field] = p
				break
			}
			if p.text == cites && empty(values[0]) {
				continue
			}
			m.paths[Passages], m.cited = p, strings.HasSuffix(p.text, cites)
			if passages = values; !p.plural() {
				if list, ok := listed(values[0]).([]any); ok {
					passages = list
				}
			}
			break
		}
	}
	if s.None && m.paths[Passages].text == "" {
		m.paths[Passages] = s.Read[Passages][0]
	}
	o, _ := v.(map[string]any)
	for _, k := range names().Answer {
		if s.Read[Answer] == nil && m.paths[Answer].text == "" && o[k] != nil && isAnswer(k, o[k]) {
			m.paths[Answer] = builtIn(k) // beside the results of a search
		}
	}
	if s.Read[Answer] != nil && m.paths[Answer].text == "" && stopOf(v, Path{}) != "" {
		m.paths[Answer] = s.Read[Answer][0] // an answer was due
	}
	extras(m, v)
	for field := range m.paths {
		if field == Answer || field == Passages || field == Failure && s.Read[Failure] != nil || wants[field] != "" {
			return m, true
		}
	}
	return m, false
}

// nullAt reports whether a path leads to a null.
func nullAt(v any, p Path) bool {
	for _, s := range p.steps {
		var ok bool
		if v, ok = inside(v, s); !ok {
			return false
		}
	}
	return v == nil
}

// suits reports whether the values at a path can be the field.
func suits(field string, values []any, plural bool) bool {
	switch field {
	case Answer:
		for _, v := range values {
			if _, ok := TextOf(v); !ok && (v != nil || len(values) == 1) {
				return false
			}
		}
		return len(values) > 0
	case Passages:
		return plural && readable(values) || areTexts(values) || !plural && isObject(values[0]) ||
			!plural && isList(values[0]) && readable(values[0].([]any))
	case InputTokens, OutputTokens:
		_, ok := count(values[0])
		return ok
	case Cost:
		f, ok := number(values[0])
		return ok && f >= 0 && f < maxCost
	case Failure:
		return failureText(values) != ""
	case Stages:
		return areStages(values[0])
	case Retrieved, Filtered, Prompted:
		return isList(values[0])
	case Transcript:
		return isText(values[0])
	case SubQuestions:
		_, ok := questionsOf(values[0])
		return ok
	}
	return true
}

// readable reports whether every element of a list can be a passage.
func readable(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { return v != nil && !isText(v) && !isObject(v) })
}

func areTexts(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool { return !isText(v) })
}

// partIn reports whether a path leads to the field in at least one passage, and to
// nothing unsuitable in the others.
func partIn(field string, p Path, passages []any) bool {
	some := false
	for _, v := range passages {
		value, found := p.one(v)
		if found && !set(&assay.Passage{}, field, value) {
			return false
		}
		some = some || found
	}
	return some
}

// column reports whether a path leads to a column of passages. Read checks that columns
// are equally long.
func column(field string, p Path, v any) bool {
	values, found := p.column(v)
	if !found {
		return false
	}
	for _, value := range values {
		if value != nil && !set(&assay.Passage{}, field, value) {
			return false
		}
	}
	return true
}

// pathPart matches a part of a path in a script that puts spaces between words: in others, a slash may just mean "or".
const pathPart = `[^\s\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]*`

// name matches an address, a file name by its extension, or a path without white space.
var name = lazyregexp.New(`^([a-z][a-z0-9+.-]*://\S{1,300}|[^\n]{1,200}\.[A-Za-z][A-Za-z0-9]{1,4}|` + pathPart + "/" + pathPart + ")$")

// sentence matches the end of a sentence or a clause within a text.
var sentence = lazyregexp.New(`\pL{3}\.\s|[:;!?]\s|[。！？；：，｡．؟؛،।။។]`)

// isName reports whether a text looks like a file name or an address, and does not merely end in one.
func isName(s string) bool {
	s = strings.TrimSpace(s)
	return name().MatchString(s) && !sentence().MatchString(s)
}

// Named makes sources of texts that a list has without the name of a field, if all look like file names or addresses.
func Named(list []assay.Passage) {
	if slices.ContainsFunc(list, func(p assay.Passage) bool { return p != (assay.Passage{Text: p.Text}) || !isName(p.Text) }) {
		return
	}
	for i, p := range list {
		list[i] = assay.Passage{Source: strings.TrimSpace(p.Text)}
	}
}

// cites is the name of what an answer cites, which is not all that was retrieved.
const cites = "citations"

// Cited reports whether the passages of a reply are what its answer cites.
func (m Mapping) Cited() bool { return m.cited }

// Weak reports whether more may have been retrieved than the passages of a reply.
func (m Mapping) Weak() bool { return m.weak || m.cited }

// Joined reports whether the passages of a reply are one text, in which they cannot be told apart.
func (m Mapping) Joined(v any) bool {
	found, _ := m.paths[Passages].one(v)
	text, ok := listed(found).(string)
	return ok && strings.TrimSpace(text) != ""
}

// plain finds an answer and passages under common names, in the reply or in an object
// in it. A container with both wins, then the outermost one with either.
func plain(root map[string]any) (best Mapping, shape string, ok bool) {
	parts := 0
	for _, c := range names().Containers {
		o, prefix := root, ""
		if c != "" {
			prefix = c + "."
			if o, _ = root[c].(map[string]any); o == nil {
				continue
			}
		}
		m, n := plainIn(o, prefix)
		if n <= parts {
			continue
		}
		best, parts, shape = m, n, "plain reply"
		if c == "output" || c == "" && isLangServe(root) {
			shape = "LangServe"
		} else if c != "" {
			shape += " in " + c
		}
	}
	if parts == 0 {
		return Mapping{}, "", false
	}
	extras(best, root)
	return best, shape, true
}

// isLangServe reports whether a reply has the fields that /invoke adds to the output.
func isLangServe(root map[string]any) bool {
	meta, _ := root["metadata"].(map[string]any)
	return root["output"] != nil && meta["run_id"] != nil
}

// plainIn looks in one container and counts the parts that it finds.
func plainIn(o map[string]any, prefix string) (m Mapping, parts int) {
	m.paths = map[string]Path{}
	taken := ""
	for _, k := range slices.Concat(names().Answer, names().AnswerText) {
		v, there := o[k]
		if !there || !isAnswer(k, v) {
			continue
		}
		// A null counts as the answer only if there are passages and no other answer.
		if m.paths[Answer].text == "" || taken == "" {
			m.paths[Answer] = builtIn(prefix + k)
		}
		if v != nil {
			taken = k
			parts++
			break
		}
	}
	if taken == "" {
		// An answer that cannot be read is a problem of the reply, not one without an answer.
		for _, k := range names().Answer {
			if v := o[k]; m.paths[Answer].text == "" && !empty(v) {
				m.paths[Answer] = builtIn(prefix + k)
				parts++
			}
		}
	}
	chosen := ""
	for _, k := range names().Passages {
		v, there := o[k]
		// Where a model cites nothing, something may have been retrieved. What it cites are the sources of the AI SDK and Mastra.
		cited := k == cites || k == "sources" && o["toolResults"] != nil
		if !there || k == taken || cited && empty(v) || !isPassages(k, v, taken != "") {
			continue
		}
		// An empty list counts unless another that can only be passages is not.
		if chosen == "" || !empty(v) && !slices.Contains(slices.Concat(names().Beside, names().Anything), k) {
			chosen = k
		}
		if !empty(o[chosen]) {
			break
		}
	}
	if chosen == "" {
		return m, parts
	}
	m.paths[Passages], m.cited, m.sources = builtIn(prefix+chosen), chosen == cites, chosen == "sources" || chosen == "references"
	m.weak = slices.Contains(names().Beside, chosen)
	if taken == "" && slices.Contains(names().Anything, chosen) {
		m.warning = alone(o[chosen], prefix+chosen)
	}
	return m, parts + 1
}

// isAnswer reports whether a value can be the answer: a text, the parts of a message,
// or a message; under the name of an answer also a number, a boolean, texts, or an object
// with a text. A text called "message" is a status message.
func isAnswer(name string, v any) bool {
	named := strings.HasSuffix(name, "answer")
	switch v := v.(type) {
	case nil:
		return name == "answer" || name == "response"
	case string:
		return name != "message"
	case []any:
		_, ok := TextOf(v)
		if _, _, isReply := replyIn(v); isReply && named {
			return true
		}
		return ok && len(v) > 0 && (isObject(v[0]) && v[0].(map[string]any)["type"] != nil || named && areTexts(v))
	case map[string]any:
		_, ok := v["content"]
		ok = ok || named
		if !ok {
			kwargs, _ := v["kwargs"].(map[string]any)
			_, ok = kwargs["content"]
		}
		_, isText := TextOf(v)
		_, _, isReply := replyIn(v)
		return ok && isText || isReply
	}
	return named
}

// isPassages reports whether a value can be the passages: a list of texts, or of
// objects of which the first has the parts of a passage. Beside an answer, a list of
// other objects and a text called context count too.
func isPassages(name string, v any, answered bool) bool {
	list, isList := listed(v).([]any)
	if !isList {
		return isText(v) && answered && (name == "context" || name == "contexts")
	}
	if !readable(list) {
		return false
	}
	if name != "results" && slices.Contains(names().Anything, name) {
		return len(list) > 0 && isPassage(list[0])
	}
	return len(list) == 0 || isText(list[0]) || isPassage(list[0]) || answered
}

// extras adds the fields that replies of any shape may have.
func extras(m Mapping, v any) {
	for field, list := range known().Any {
		if _, given := m.paths[field]; given {
			continue
		}
		for _, p := range list {
			if values, found := p.Find(v); found && suits(field, values, false) {
				m.paths[field] = p
				break
			}
		}
	}
}

// areStages reports whether a value lists stages: a list of objects with a name, or an
// object whose keys are all names of stages, at least one of them of a stage that every
// pipeline has.
func areStages(v any) bool {
	list, _ := v.([]any)
	if o, ok := v.(map[string]any); ok {
		some := false
		for name := range o {
			if placeOf(name) == len(pipeline) {
				return false
			}
			some = some || stageName(name) == assay.StageRetrieve || stageName(name) == assay.StageGenerate
		}
		return some
	}
	for _, e := range list {
		o, _ := e.(map[string]any)
		if s, _ := o["name"].(string); strings.TrimSpace(s) == "" {
			return false
		}
	}
	return len(list) > 0
}

// areBlocks reports whether a list is the content of a message: blocks of types such as text
// and thinking, that are no passages.
func areBlocks(list []any) bool {
	some := false
	for _, v := range list {
		o, _ := v.(map[string]any)
		if isText(v) {
			continue
		}
		if _, other := find(Source, places(o), true); !isText(o["type"]) || other != nil || o["metadata"] != nil || o["score"] != nil {
			return false
		}
		some = some || isTextPart(o) || isReasoningPart(o)
	}
	return some
}

// turn matches the type of a message or an event of AutoGen.
var turn = lazyregexp.New("(?:Message|Event)$")

// bareList reads a list as messages, as the blocks of an answer, or as passages.
func bareList(list []any) (Mapping, string, bool) {
	if len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool {
		o, _ := v.(map[string]any)
		return !turn().MatchString(textIn(o, "type")) || o["content"] == nil
	}) {
		return at1(Answer, "[-1].content"), "messages", true
	}
	if areBlocks(list) {
		return at1(Answer, "$"), "blocks of a message", true
	}
	if !areTexts(list) && !arePassages(list) {
		return Mapping{}, "", false
	}
	m := at1(Passages, "$")
	m.warning = alone(list, "")
	return m, "list of passages", true
}

// alone is the warning about a list of one text, which may be an answer; "" for another list.
func alone(v any, path string) string {
	list, _ := listed(v).([]any)
	if len(list) != 1 {
		return ""
	}
	o, _ := list[0].(map[string]any)
	for k := range o {
		if len(o) == 1 && isText(o[k]) {
			return fmt.Sprintf("nothing says whether the only text of the reply is an answer or a passage: it was read as a passage; set read.answer: "+
				"'%s[0].%s' or read.passages: '%s'", path, k, cmp.Or(path, "$"))
		}
	}
	return ""
}
