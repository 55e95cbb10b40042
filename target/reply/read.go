package reply

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
)

// Read takes the parts of a response out of a decoded JSON value (as
// encoding/json gives it, numbers as float64 or json.Number). What a path does
// not find is not reported: no answer, passages nil. A list that is there and
// empty means that nothing was retrieved. The error tells what cannot be read,
// or is the system's own failure, as a *FailureError.
//
// The answer may be a text, a number, true or false, the list of the parts of a
// message, or an object with one obvious text. A mapping that says nothing of an
// answer is that of a system that gives none (NoAnswer). Passages may be a list of texts or
// of objects, one of either, or "[]" in a path; the parts of an object for which
// there is no path are looked for under their usual names. Without a path for
// passages, those of their parts are columns, which must be equally long; without
// these too, the passages are what the filter kept, else what was retrieved, when
// the stages tell.
func (m Mapping) Read(v any) (assay.Response, []Reading, error) {
	r := &reader{m: m, root: v}
	if failed := r.failure(); failed != nil {
		return assay.Response{}, r.readings, failed
	}
	r.answer()
	if _, ok := m.paths[Passages]; ok {
		r.passages()
	} else {
		r.columns()
	}
	r.stages()
	r.usage()
	if r.problems != nil {
		return assay.Response{}, r.readings, errors.Join(r.problems...)
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
	// fromZero is set when the stages number sub-questions from 0.
	fromZero bool
}

// found notes what is at a path, missing what is not.
func (r *reader) found(part, path, format string, args ...any) {
	r.readings = append(r.readings, Reading{Part: part, Path: path, Found: fmt.Sprintf(format, args...)})
}

func (r *reader) missing(part, path, why string) {
	r.readings = append(r.readings, Reading{Part: part, Path: path, Found: why, Missing: true})
}

// problem notes a value that cannot be read.
func (r *reader) problem(part, path, is, want string) {
	r.missing(part, path, is+": want "+want)
	r.problems = append(r.problems, fmt.Errorf("%s at %q: %s: want %s", part, path, is, want))
}

func (r *reader) failure() error {
	p, ok := r.m.paths[Failure]
	if !ok {
		return nil
	}
	values, _ := p.Find(r.root)
	message := failureText(values)
	if message == "" {
		return nil
	}
	r.found("failure", p.text, "%s", characters(message))
	return &FailureError{Message: message}
}

// joinedAnswer is where the answer of a stream is when no path says so.
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
	values, found := p.Find(r.root)
	if !found {
		r.missing(Answer, p.text, p.stops(r.root, "the reply"))
		return
	}
	var b strings.Builder
	for _, v := range values {
		s, ok := textOf(v)
		if !ok {
			r.problem(Answer, p.text, noText(v), "a text, or the path of one inside it")
			return
		}
		joinPart(&b, s)
	}
	r.out.Answer = b.String()
	r.found(Answer, p.text, "%s", characters(r.out.Answer))
}

// noText says why a value is no text.
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
		switch v := values[0].(type) {
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
	r.found(Passages, p.text, "%d", len(values))
	r.out.Passages = make([]assay.Passage, len(values))
	tally := &tally{m: r.m, base: base, paths: map[string]string{}, found: map[string]int{}, wrong: map[string]bool{}}
	for i, v := range values {
		tally.read(r, i, v)
	}
	tally.report(r, values)
	r.warnEmpty()
}

// warnEmpty says how many passages hold nothing that tells one from another.
// They keep their place, so that the ranks of the others are right.
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

// columns reads passages whose parts lie side by side.
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
			if list, ok := values[0].([]any); ok {
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

// at puts a number into the last "[]" of a path, for a message.
func at(base string, i int) string {
	if n := strings.LastIndex(base, "[]"); n >= 0 {
		return fmt.Sprintf("%s[%d]%s", base[:n], i, base[n+2:])
	}
	return base
}

// wants says what a field of a passage has to be.
var wants = map[string]string{
	Text: "a text", ID: "a text or a number", Document: "a text or a number", Source: "a text", Title: "a text",
	Index: "a whole number, 0 or more", Score: "a number",
}

// set puts a value into a field of a passage, if it can be that.
func set(p *assay.Passage, field string, v any) (ok bool) {
	switch field {
	case Text:
		p.Text, ok = textOf(v)
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

// usage reads tokens and cost; of several values it takes the sum.
func (r *reader) usage() {
	if v, ok := r.sum(InputTokens, "input tokens", true); ok {
		r.out.Usage.InputTokens = int(v)
	}
	if v, ok := r.sum(OutputTokens, "output tokens", true); ok {
		r.out.Usage.OutputTokens = int(v)
	}
	if v, ok := r.sum(Cost, Cost, false); ok {
		r.out.Usage.Cost = int64(math.Round(v * 1e6))
	}
}

// maxCost bounds a cost, in US dollars; what is above is no cost of a call.
const maxCost = 1e9

func (r *reader) sum(field, part string, whole bool) (sum float64, ok bool) {
	p, given := r.m.paths[field]
	if !given {
		return 0, false
	}
	values, found := p.Find(r.root)
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
