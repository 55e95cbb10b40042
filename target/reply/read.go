package reply

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-eval/assay"
)

// Read extracts the parts of a response from a decoded JSON value (as encoding/json
// returns it, with numbers as float64 or json.Number). A part that its path does not
// find is not reported: no answer, nil passages. An empty list means that nothing was
// retrieved. The error lists values that cannot be read, or is the system's own
// failure, a *FailureError. With an error the response has the usage alone.
//
// The answer may be a text, a number, a boolean, the list of the parts of a message, or
// an object with one obvious text. A mapping without an answer path means that the
// system gives none (NoAnswer). Passages may be a list of texts or of objects, a single
// one, or "[]" in a path; fields of an object without a path are searched under common
// names. Without a path for passages, the paths of their fields are columns, which must
// be equally long. Without those too, the passages are the output of the filter stage,
// else of the retrieve stage, if there are stages. Stages may name known passages by
// their ids alone.
func (m Mapping) Read(v any, known ...assay.Passage) (resp assay.Response, _ []Reading, err error) {
	v = inOrder(v)
	r := &reader{m: m, root: v}
	for _, p := range known {
		r.remember(nil).ids[p.ID] = p
	}
	defer func() {
		if err != nil {
			if r.out.Usage == (assay.Usage{}) {
				r.usage()
			}
			resp.Usage = r.out.Usage
		}
	}()
	if broken := Broken(v); broken != nil {
		return assay.Response{}, nil, broken
	}
	if failed := r.failure(); failed != nil {
		return assay.Response{}, r.readings, failed
	}
	if m.warning != "" {
		r.out.Warnings = append(r.out.Warnings, m.warning)
	}
	r.answer()
	if _, ok := m.paths[Passages]; ok {
		r.passages()
	} else {
		r.columns()
	}
	r.stages()
	r.unread()
	r.usage()
	if r.problems != nil {
		return assay.Response{}, r.readings, errors.Join(r.problems...)
	}
	if r.out.Passages == nil {
		r.out.Passages = r.inner.Passages
	}
	r.out.Warnings, r.out.Withheld = append(r.out.Warnings, r.inner.Warnings...), r.inner.Withheld
	if asks(v, m.paths[Answer]) {
		warn(&r.out, "the message that was read as the answer is the user's: it may be the question")
	}
	if r.out.Answer == "" && !r.out.NoAnswer { // a refusal with text is what the model answers
		r.out.Answer = refusalIn(wayTo(v, m.paths[Answer]))
	}
	stop, err := stopOf(v, m.paths[Answer]), Clean(&r.out)
	if Stop(stop) == StopTool {
		err = called(&r.out)
	}
	if err != nil {
		return assay.Response{}, r.readings, err
	}
	Ended(&r.out, stop)
	o, _ := v.(map[string]any)
	if _, own := m.paths[Failure]; !own {
		says := Also(o)
		if says != "" && r.out.Withheld == "" && strings.TrimSpace(r.out.Answer) == "" && (!r.out.NoAnswer || len(r.out.Passages) == 0) {
			return assay.Response{}, r.readings, &FailureError{Message: says, Status: StatusOf(o)}
		}
		warn(&r.out, prefixed("the reply also reports a failure: ", says))
	}
	if o["truncated"] == true { // llama.cpp
		r.out.Warnings = append(r.out.Warnings, `the reply has "truncated": true: the server cut the prompt, or the answer`)
	}
	if o["timed_out"] == true { // Elasticsearch, OpenSearch
		r.out.Warnings = append(r.out.Warnings, `the reply has "timed_out": true: the server stopped before it had searched everything, so passages may be missing`)
	}
	if o[differs] == true {
		r.out.Warnings = append(r.out.Warnings, "the texts of the stream may not be one answer: one is in its last event or in "+
			"another field, or follows another without a space. If the answer is wrong, set read.delta to the path of its pieces")
	}
	if why := NoText(v); why != "" && r.out.Answer == "" && r.out.Warnings == nil {
		r.out.Warnings = []string{"the answer is empty: " + why}
	}
	if strings.ContainsRune(r.out.Answer, utf8.RuneError) {
		r.out.Warnings = append(r.out.Warnings, "the answer has characters that cannot be decoded (\ufffd): the target must write UTF-8")
	}
	return r.out, r.readings, nil
}

type reader struct {
	m        Mapping
	root     any
	out      assay.Response
	readings []Reading
	problems []error
	memory   memory
	// inner is what a reply within the answer says, such as a chat completion.
	inner assay.Response
	// fromZero is set if the stages number sub-questions from 0.
	fromZero bool
	// retrievers are the system's own names of its retrieve stages.
	retrievers map[string]bool
	// total is the reported time for the whole question.
	total time.Duration
}

// found records a part that was found, missing one that was not.
func (r *reader) found(part, path, format string, args ...any) {
	r.readings = append(r.readings, Reading{Part: part, Path: path, Found: fmt.Sprintf(format, args...)})
}

func (r *reader) missing(part, path, why string) {
	r.readings = append(r.readings, Reading{Part: part, Path: path, Found: why, Missing: true})
}

// problem records a value that cannot be read.
func (r *reader) problem(part, path, is, want string) {
	r.missing(part, path, is+": expected "+want)
	r.problems = append(r.problems, fmt.Errorf("%s at %q: %s: expected %s", part, path, is, want))
}

func (r *reader) failure() error {
	p, ok := r.m.paths[Failure]
	if !ok {
		return nil
	}
	values, _ := p.Find(r.root)
	message := cmp.Or(r.m.says, failureText(values))
	if message == "" {
		return nil
	}
	r.found("failure", p.text, "%s", characters(message))
	return &FailureError{Message: message, Status: cmp.Or(r.m.status, StatusOf(r.root))}
}

// joinedAnswer is the default path of a stream's answer.
var joinedAnswer = keys(Answer)

func (r *reader) answer() {
	p, ok := r.m.paths[Answer]
	if !ok {
		if _, ok := r.m.paths[Delta]; !ok {
			r.out.NoAnswer = true
			return
		}
		p = joinedAnswer
	}
	values, _ := p.Find(r.root)
	if len(values) == 0 { // also of an empty list
		r.missing(Answer, p.text, p.stops(r.root, "the reply"))
		return
	}
	if m, inner, ok := replyIn(values[0]); ok && len(values) == 1 {
		var err error
		if r.inner, _, err = m.Read(inner); err != nil {
			r.problems = append(r.problems, err)
			return
		}
		values[0] = r.inner.Answer
	}
	var b strings.Builder
	for _, v := range values {
		s, ok := TextOf(v)
		if !ok && (v != nil || len(values) == 1) {
			r.problem(Answer, p.text, noText(v), "a text, or the path of one inside it")
			return
		}
		joinPart(&b, s)
	}
	r.out.Answer = b.String()
	if inner, exact, ok := Structured(r.out.Answer); ok && len(p.steps) > 0 {
		r.structured(p, inner, exact)
	}
	r.found(Answer, p.text, "%s", characters(r.out.Answer))
}

// Written returns the JSON of an object that a model wrote after reasoning, in a code fence or among words; whole is set if
// no words are around it.
func Written(text string) (object string, whole bool) {
	text, _ = Split(text)
	text = frames[0]().ReplaceAllString(strings.TrimSpace(text), "$1")
	begin, end := strings.Index(text, "{"), strings.LastIndex(text, "}")+1
	if begin < 0 || end <= begin {
		return "", false
	}
	return text[begin:end], end-begin == len(text)
}

// Structured reads a text that is a reply as JSON, with an answer of its own, as models write them by a schema. exact is
// set if all in it is fields of replies.
func Structured(text string) (inner assay.Response, exact, ok bool) {
	object, exact := Written(text)
	o, _ := Decoded(object).(map[string]any)
	m, _, _ := plain(o)
	if !slices.Contains(names().Answer, m.paths[Answer].text) {
		return inner, false, false
	}
	for k := range o {
		exact = exact && (k == m.paths[Answer].text || slices.Contains(names().Passages, k))
	}
	inner, _, err := m.Read(o)
	return inner, exact, err == nil
}

// structured takes the reply that a model wrote as its text for the answer at a path, unless a person or a field says that
// the text is the answer.
func (r *reader) structured(p Path, inner assay.Response, exact bool) {
	switch {
	case r.m.given || slices.Contains(names().Answer, p.steps[len(p.steps)-1].key):
		warn(&r.out, "the answer is scored as JSON text, which has an answer of its own: return its fields instead of the text if that is meant")
	case !exact:
		warn(&r.out, "the answer is scored as JSON text, which has an answer of its own beside other fields or words: return that")
	default:
		warn(&r.out, StructuredNote+fmt.Sprintf(": read.answer: %s scores the JSON", p.text))
		r.out.Answer, r.inner = inner.Answer, inner
	}
}

// StructuredNote says that part of a text is the answer.
const StructuredNote = "the answer is that in the JSON which the model wrote"

// replyIn returns the reply of a known shape that is the value of an answer, such as a chat
// completion, or the items of an OpenAI response.
func replyIn(v any) (m Mapping, inner any, ok bool) {
	if isList(v) {
		v = map[string]any{"output": v}
	}
	if isObject(v) {
		m, _, _ = shaped(v)
	}
	_, ok = m.paths[Answer]
	return m, v, ok
}

// noText describes a value that is not a text.
func noText(v any) string {
	if o, ok := v.(map[string]any); ok && len(o) > 0 {
		return "an object with " + keysOf(o)
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		return "a list without a text"
	}
	return kindOf(v)
}

func (r *reader) passages() {
	p := r.m.paths[Passages]
	values, found := p.column(r.root)
	if !found && r.m.none {
		r.out.Passages = []assay.Passage{}
		r.found(Passages, p.text, "0")
		return
	}
	if !found {
		r.missing(Passages, p.text, p.stops(r.root, "the reply"))
		return
	}
	base := p.text
	if !p.plural() {
		const want = "a list of texts or of objects"
		switch v := listed(values[0]).(type) {
		case []any:
			values, base = v, base+"[]"
		case map[string]any:
			if len(v) == 0 {
				values = nil
			}
		case string:
			if strings.TrimSpace(v) == "" {
				values = nil
			}
		default:
			r.problem(Passages, p.text, kindOf(v), want)
			return
		}
	}
	values = apiece(values)
	r.found(Passages, p.text, "%d", len(values))
	r.out.Passages, r.out.Cites = make([]assay.Passage, len(values)), r.m.sources && len(values) == 0
	_, textGiven := r.m.paths[Text]
	tally := &tally{m: r.m, base: base, named: textGiven || documentIsName(values), paths: map[string]string{}, found: map[string]int{}, wrong: map[string]bool{}}
	for i, v := range values {
		tally.read(r, i, v)
	}
	tally.report(r, values)
	if !textGiven && areTexts(values) {
		Named(r.out.Passages)
	}
	r.warnOrder(values)
	r.warnEmpty()
}

// warnEmpty counts the passages without any identifying field. They keep their place,
// so that the ranks of the others are right.
func (r *reader) warnEmpty() {
	empty := 0
	for _, p := range r.out.Passages {
		if nothingOf(p) {
			empty++
		}
	}
	if empty > 0 {
		r.out.Warnings = append(r.out.Warnings, fmt.Sprintf("%d of %d passages have no text, id, document or source", empty, len(r.out.Passages)))
	}
}

// columns reads passages whose fields are parallel lists.
func (r *reader) columns() {
	first, length := "", 0
	for _, field := range columnFields {
		p, ok := r.m.paths[field]
		if !ok {
			continue
		}
		part := field + " of passages"
		values, found := p.column(r.root)
		if !found {
			r.missing(part, p.text, p.stops(r.root, "the reply"))
			continue
		}
		base := p.text
		if !p.plural() {
			if list, ok := listed(values[0]).([]any); ok {
				values, base = list, base+"[]"
			}
		}
		if first == "" {
			first, length = fmt.Sprintf("%s at %q", field, p.text), len(values)
			r.out.Passages = make([]assay.Passage, length)
			r.found(Passages, p.text, "%d", length)
		}
		if len(values) != length {
			r.problem(part, p.text, fmt.Sprintf("%d values", len(values)), fmt.Sprintf("%d, as many as %s", length, first))
			continue
		}
		n, wrong := 0, false
		for i, v := range values {
			if v == nil || wrong {
				continue
			}
			if !set(&r.out.Passages[i], field, v) {
				r.problem(part, at(base, i), noText(v), wants[field])
				wrong = true
			}
			n++
		}
		if !wrong {
			r.found(part, p.text, "%d of %d", n, length)
		}
	}
	if first != "" {
		r.warnEmpty()
	}
}

// at puts an index into the last "[]" of a path, for a message.
func at(base string, i int) string {
	if n := strings.LastIndex(base, "[]"); n >= 0 {
		return fmt.Sprintf("%s[%d]%s", base[:n], i, base[n+2:])
	}
	return base
}

// wants describes the type of each field of a passage.
var wants = map[string]string{
	Text: "a text", ID: "a text or a number", Document: "a text or a number", Source: "a text", Title: "a text",
	Index: "a whole number, 0 or more", Score: "a number",
}

// set stores a value in a field of a passage if the type fits.
func set(p *assay.Passage, field string, v any) (ok bool) {
	switch field {
	case Text:
		p.Text, ok = TextOf(v)
	case ID:
		p.ID, ok = scalar(v)
	case Document:
		p.Document, ok = scalar(v)
	case Source:
		p.Source, ok = scalar(v)
	case Title:
		p.Title, ok = scalar(v)
	case Index:
		p.Index, ok = count(v)
	case Score:
		p.Score, ok = number(v)
	}
	return ok
}

// usage reads tokens and cost; several values are added.
func (r *reader) usage() {
	r.out.Usage = r.inner.Usage
	if v, ok := r.sum(InputTokens, "input tokens", true); ok {
		r.out.Usage.InputTokens = int(v)
	}
	if v, ok := r.sum(OutputTokens, "output tokens", true); ok {
		total, _ := builtIn("usage.total_tokens").one(r.root)
		r.out.Usage.OutputTokens = Output(r.out.Usage.InputTokens, int(v), total)
	}
	if v, ok := r.sum(Cost, Cost, false); ok {
		r.out.Usage.Cost = int64(math.Round(v * 1e6))
	}
}

// Output returns the tokens of the output: Gemini and xAI count reasoning in the total alone.
func Output(in, out int, total any) int {
	if n, _ := count(total); in > 0 {
		return max(out, n-in)
	}
	return out
}

// maxCost bounds the cost of a call, in US dollars.
const maxCost = 1e9

func (r *reader) sum(field, part string, whole bool) (sum float64, ok bool) {
	p, given := r.m.paths[field]
	if !given {
		return 0, false
	}
	values, found := p.Find(r.root)
	if n := len(p.steps) - 1; found && n >= 0 {
		parent, _ := Path{steps: p.steps[:n]}.one(r.root)
		o, _ := parent.(map[string]any)
		if money, named := o["currency"].(string); field == Cost && named && !strings.EqualFold(money, "USD") {
			return 0, false // Dify reports the price in the currency of the model's provider
		}
		for _, name := range known().Beside[p.steps[n].key] {
			if more, ok := count(o[name]); ok {
				values = append(values, more)
			}
		}
	}
	if !found {
		r.missing(part, p.text, p.stops(r.root, "the reply"))
		return 0, false
	}
	for _, v := range values {
		f, ok := number(v)
		want := "a number, 0 or more"
		limit := float64(maxCost)
		if whole {
			want, limit = "a whole number, 0 or more", maxCount
			ok = ok && f == math.Trunc(f)
		}
		if sum += f; !ok || f < 0 || sum > limit {
			is := kindOf(v)
			if s, isScalar := scalar(v); isScalar {
				is = fmt.Sprintf("%q", s)
			}
			r.problem(part, p.text, is, want)
			return 0, false
		}
	}
	r.found(part, p.text, "%v", sum)
	return sum, true
}
