package target

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// A ParseError is a problem in a file of responses, with its position.
type ParseError struct {
	Origin assay.Origin
	// Field is the path of the value, such as "contexts[2].score"; empty
	// means the whole line.
	Field   string
	Problem string
}

func (e *ParseError) Error() string {
	s := e.Origin.String() + ": "
	if e.Field != "" {
		s += e.Field + ": "
	}
	return s + e.Problem
}

const (
	// maxLine bounds a line: ten times a thousand passages of one page each. A file
	// without line ends fails before it fills the memory.
	maxLine = 64 << 20
	// maxProblems bounds how many problems of one file are listed.
	maxProblems = 20
)

// readResponses reads recorded responses, one JSON object a line:
//
//	{"id": "q1", "answer": "Paris.", "contexts": ["Paris is …"], "latency_ms": 812}
//
//	id (case_id)                         text or number; this or question is required
//	question (user_input, query)         text
//	answer (response)                    text
//	contexts (retrieved_contexts, passages)
//	                                     a list, best first, of texts or of objects with
//	                                     text (content), id (chunk_id), document
//	                                     (document_id, doc_id), source, title,
//	                                     index (chunk_index), score; null or absent means
//	                                     not reported, an empty list nothing retrieved
//	latency_ms                           a number, 0 or more
//	error                                text: the system failed, and this is why
//	usage                                tokens and cost as in assay's own reports, or under the
//	                                     names of providers (prompt_tokens, completion_tokens,
//	                                     cost or cost_usd in US dollars)
//	trace                                as in assay's own reports
//	stages                               what the stages did, as in a reply (package reply)
//
// A line may also be the result of a request of a provider's batch, or a result of accuracy testing as the API gives it; its case is
// that with the question of its input, unless it has an id.
//
// Names in parentheses mean the same. One of answer, contexts and error must be
// there. Other fields are ignored, with a warning. The text is UTF-8 or, with a
// byte order mark, UTF-16, plain or packed with gzip or zstd; empty lines are
// skipped. name is the file's name in messages. Every problem is a *[ParseError];
// several are joined.
func readResponses(file *recording, lines *bufio.Reader) (*Recorded, error) {
	p := &responseReader{out: newRecorded(), name: file.name, ignored: map[string]int{}}
	p.out.file, p.out.parse = file, parseResponse(file.name)
	fail := func(err error) (*Recorded, error) {
		p.problem("", "%v", err)
		return nil, errors.Join(p.problems...)
	}
	var offset int64
	for {
		p.line++
		line, err := boundedLine(lines, maxLine)
		if errors.Is(err, errLongLine) {
			err = fmt.Errorf("the line is longer than %d bytes: expected one JSON object a line", maxLine)
		}
		if part := bytes.TrimSpace(line); len(part) > 0 && (err == nil || errors.Is(err, io.EOF)) {
			if s := p.read(part); s != nil {
				p.out.has.add(&s.response)
				p.keep(s, len(part), offset+int64(len(line)-len(bytes.TrimLeftFunc(line, unicode.IsSpace))))
			}
		}
		offset += int64(len(line))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fail(err)
		}
		if len(p.problems) >= maxProblems {
			p.problem("", "reading ends here: too many problems")
			break
		}
	}
	if p.out.Len() == 0 && p.problems == nil {
		p.line = 0
		p.problem("", `no responses: expected one JSON object a line, as in {"id": "q1", "answer": "…"}`)
	}
	if p.problems != nil {
		return nil, errors.Join(p.problems...)
	}
	if err := file.end(); err != nil {
		p.line = 0
		return fail(err)
	}
	for _, field := range slices.Sorted(maps.Keys(p.ignored)) {
		hint := ""
		if field == "cost" || field == "cost_usd" {
			hint = ": expected usage.cost_usd"
		}
		p.out.warnings = append(p.out.warnings, fmt.Sprintf("%s: field %q is not known and was ignored (%d times)%s", file.name, field,
			p.ignored[field], hint))
	}
	return p.out, nil
}

// parseResponse returns the function that reads a line that was indexed.
func parseResponse(name string) func(raw []byte, line int) (said, error) {
	return func(raw []byte, line int) (said, error) {
		p := &responseReader{name: name, line: line, ignored: map[string]int{}}
		s := p.read(raw)
		if s == nil {
			return said{}, errors.Join(p.problems...)
		}
		return *s, nil
	}
}

type responseReader struct {
	out      *Recorded
	name     string
	line     int
	problems []error
	ignored  map[string]int
}

func (p *responseReader) problem(field, format string, args ...any) {
	p.problems = append(p.problems, &ParseError{Origin: assay.Origin{File: p.name, Line: p.line}, Field: field, Problem: fmt.Sprintf(format,
		args...)})
}

// read parses one line. It returns nil if there is a problem.
func (p *responseReader) read(raw []byte) *said {
	before := len(p.problems)
	if problem, _ := text.NotText(raw); problem != "" {
		p.problem("", "%s: must be %s", problem, text.Encoded)
		return nil
	}
	whole := p.object(raw)
	if whole == nil {
		return nil
	}
	whole, body := unbatched(whole)
	if s, ok := p.result(raw, whole); ok {
		return s
	}
	fields := p.fields("", whole, responseFields)
	e := &said{}
	e.id = strings.TrimSpace(p.text("id", fields["id"], true))
	e.question = text.Squeeze(p.text("question", fields["question"], false))
	_, e.failure = reply.Failed(whole)
	if len(body) > 0 && len(p.problems) == before {
		var err error
		if e.response, err = readReply(context.Background(), reply.Mapping{}, body, false); err != nil {
			e.failure = err.Error()
		}
		return e
	}
	answer, given := whole["answer"]
	strict := &responseReader{name: p.name, line: p.line, ignored: map[string]int{}}
	e.response = assay.Response{Answer: strict.text("answer", fields["answer"], false), NoAnswer: fields["answer"] == nil,
		Passages: strict.passages(fields["contexts"])}
	if e.failure == "" && (strict.problems != nil || len(strict.ignored) > 0 || fields["answer"] == nil || fields["contexts"] == nil ||
		slices.ContainsFunc(e.response.Passages, func(p assay.Passage) bool { return p.Text == "" && p.Document != "" }) ||
		fields["stop"] != nil || reply.Also(whole) != "") {
		p.detect(whole, e, strict)
	}
	if given && answer == nil && e.response.Passages != nil { // as over HTTP: the target answers, and had nothing to say
		e.response.NoAnswer = false
	}
	for name, n := range strict.ignored {
		p.ignored[name] += n
	}
	p.problems = append(p.problems, strict.problems...)
	e.response.Latency = p.latency(fields["latency_ms"])
	p.decode("usage", fields["usage"], &usage{&e.response.Usage}, "an object of counts")
	p.trace(raw, fields["trace"], e)
	reply.NameStages(&e.response)
	p.stages(fields["stages"], e)
	switch {
	case len(p.problems) > before:
	case e.id == "" && e.question == "":
		p.problem("", `no case is named: expected "id", the id of its case (rename a field such as query_id), or "question"`)
	case e.response.NoAnswer && e.response.Passages == nil && e.failure == "":
		p.problem("", `the record is empty: expected "answer", "contexts" or "error"`)
	default:
		return e
	}
	return nil
}

// detect reads a response in any form of replies, if there is one: null is as if absent. A passage
// that has a known field of the wrong type stays a problem.
func (p *responseReader) detect(whole map[string]any, e *said, strict *responseReader) {
	staged := whole["trace"] != nil || whole["stages"] != nil
	maps.DeleteFunc(whole, func(name string, v any) bool { return name == "trace" || name == "stages" || v == nil })
	m, _, ok := reply.Detect(whole)
	read, found, err := m.Read(whole)
	if errors.As(err, new(*reply.FailureError)) || errors.Is(err, reply.ErrNoAnswer) {
		e.failure = err.Error()
	}
	if !ok || err != nil || strings.Contains(fmt.Sprint(strict.problems), ": contexts[") {
		return
	}
	if staged && m.Cited() {
		read.Passages = nil // the stages say what was retrieved
	}
	e.response = assay.Response{Answer: read.Answer, NoAnswer: read.NoAnswer, Withheld: read.Withheld, Passages: read.Passages, Cites: read.Cites,
		Warnings: read.Warnings, Usage: read.Usage}
	strict.problems = nil
	for _, r := range found {
		was := func(name string, _ int) bool { return !r.Missing && within(r.Path, name) }
		maps.DeleteFunc(p.ignored, was)
		maps.DeleteFunc(strict.ignored, was)
	}
}

// trace reads the trace from the line itself, so that what stages have put out keeps its form.
func (p *responseReader) trace(line []byte, v any, e *said) {
	if v == nil {
		return
	}
	var parts map[string]json.RawMessage
	err := json.Unmarshal(line, &parts)
	if err == nil {
		err = json.Unmarshal(parts["trace"], &e.response.Trace)
	}
	if err != nil {
		p.problem("trace", `%s: expected an object with "stages"`, kindOf(v))
	}
}

// stages reads the stages into the trace.
func (p *responseReader) stages(v any, e *said) {
	if v == nil {
		return
	}
	if e.response.Trace != nil {
		p.problem("stages", "is given together with trace; give one of them")
		return
	}
	m, err := reply.NewMapping(map[string]string{reply.Stages: "$"})
	var read assay.Response
	if err == nil {
		read, _, err = m.Read(v, e.response.Passages...)
	}
	if err != nil {
		p.problem("stages", "%v", err)
		return
	}
	e.response.Trace = read.Trace
	for _, w := range read.Warnings {
		e.response.Warnings = append(e.response.Warnings, strings.Replace(w, "$", "stages", 1))
	}
	if e.response.Passages == nil {
		e.response.Passages = read.Passages
	}
}

// result reads a line that is an accuracy test result; ok is false if the line is
// something else. It returns nil if there is a problem.
func (p *responseReader) result(line []byte, v map[string]any) (e *said, ok bool) {
	if !bytes.Contains(line, resultMark) {
		return nil, false
	}
	m, shape, _ := reply.Detect(v)
	if shape != reply.ResultShape {
		return nil, false
	}
	textAt := func(name string) string { s, _ := v[name].(string); return strings.TrimSpace(s) }
	input, _ := v["input"].(map[string]any)
	timing, _ := v["timing"].(map[string]any)
	asked, _ := input["text"].(string)
	e = &said{id: cmp.Or(textAt("case_id"), textAt("id")), question: text.Squeeze(asked)}
	var err error
	if e.response, _, err = m.Read(v); err != nil {
		p.problem("", "%v", err)
		return nil, true
	}
	total, _ := timing["total_time_ms"].(json.Number)
	if ms, _ := total.Float64(); ms > 0 && ms < 1e12 {
		e.response.Latency = time.Duration(ms * float64(time.Millisecond))
	}
	if e.id == "" && e.question == "" {
		p.problem("", `no case is named: expected "id", or input.text`)
		return nil, true
	}
	return e, true
}

// resultMark is in every line that is an accuracy test result.
var resultMark = []byte(`"extracted_key_questions"`)

// keep adds a record, unless its id is there.
func (p *responseReader) keep(s *said, size int, offset int64) {
	r := p.out
	if first, twice := r.byID[text.KeyOf(s.id)]; s.id != "" && twice {
		p.problem("id", "%q occurs twice, first in line %d", s.id, r.entries[first].line)
		return
	}
	r.add(entry{offset: r.file.start + offset, size: int32(size), line: int32(p.line)}, s.id, s.question)
}
