package target

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// A glance is what indexing a line needs to know besides its id and question.
type glance struct {
	has
	// ignored are the names of unknown fields, as in warnings.
	ignored []string
}

// parseLine reads a line of recorded responses in the usual form, in one pass over its
// bytes. ok is false for anything else, which responseReader reads, or finds wrong: a
// line that parseLine accepts means the same to both. With a glance, texts are checked
// and not copied, so that of the record only id and question are returned.
func parseLine(line []byte, g *glance) (s said, ok bool) {
	p := &lineParser{b: line, g: g}
	if g == nil {
		p.text = string(line)
	}
	if bytes.Contains(line, resultMark) || !p.record(&s) {
		return said{}, false
	}
	return s, true
}

// lineParser reads JSON. Its methods return false if the value is not of the usual
// form, or not valid.
type lineParser struct {
	b []byte
	i int
	// text is b as a string, of which texts without escapes are parts; "" with a glance.
	text string
	g    *glance
}

func (p *lineParser) record(s *said) bool {
	r := &s.response
	r.NoAnswer = true
	var answered, listed, more bool
	var names fieldSet
	valid := p.object(func(name string) bool {
		means := responseFields[name]
		if means == "" {
			more = true
			return p.unknown(name)
		}
		if p.null() {
			return true
		}
		if !names.add(means) {
			return false
		}
		switch means {
		case "id":
			return p.name(&s.id)
		case "question":
			return p.always(&s.question)
		case "error":
			return p.always(&s.failure)
		case "answer":
			answered, r.NoAnswer = true, false
			from := p.i
			valid := p.string(&r.Answer)
			if p.g != nil && p.i-from > len(`""`) {
				p.g.answers = true
			}
			return valid
		case "contexts":
			listed = true
			return p.passages(r)
		case "latency_ms":
			var ms float64
			if !p.float(&ms) || ms < 0 || ms > float64(mostLatency.Milliseconds()) {
				return false
			}
			r.Latency = time.Duration(ms * float64(time.Millisecond))
			return true
		case "usage":
			return p.decode(&usage{&r.Usage})
		case "trace":
			if !p.decode(&r.Trace) {
				return false
			}
			reply.NameStages(r)
			if p.g != nil {
				p.g.trace = r.Trace != nil && len(r.Trace.Stages) > 0
			}
			return true
		}
		return false // stages
	})
	s.id, s.question, s.failure = strings.TrimSpace(s.id), text.Squeeze(s.question), strings.TrimSpace(s.failure)
	if p.g != nil {
		p.g.passages = listed || r.Passages != nil
	}
	p.space()
	return valid && p.i == len(p.b) && (s.id != "" || s.question != "") && (answered && listed || s.failure != "" || !more && (answered || listed))
}

// fieldSet holds the fields of an object.
type fieldSet []string

// add returns false if the field is there already.
func (f *fieldSet) add(name string) bool {
	if slices.Contains(*f, name) {
		return false
	}
	*f = append(*f, name)
	return true
}

// unknown skips the value of an unknown field.
func (p *lineParser) unknown(name string) bool {
	if p.g != nil {
		p.g.ignored = append(p.g.ignored, name)
	}
	return p.skip(0)
}

func (p *lineParser) passages(r *assay.Response) bool {
	list := []assay.Passage{}
	if p.g == nil {
		list = make([]assay.Passage, 0, 8)
	}
	bare := true
	valid := p.list(func() bool {
		var one assay.Passage
		valid := false
		switch p.next() {
		case '"':
			valid = p.string(&one.Text)
		case '{':
			bare, valid = false, p.passage(&one)
		}
		if p.g == nil {
			list = append(list, one)
		}
		return valid
	})
	if bare {
		reply.Named(list)
	}
	r.Passages = list
	return valid
}

func (p *lineParser) passage(one *assay.Passage) bool {
	var room [8]string
	names := fieldSet(room[:0])
	return p.object(func(name string) bool {
		means := passageFields[name]
		if means == "" {
			return false // replies have other names for what a passage has
		}
		if p.null() {
			return true
		}
		if !names.add(means) {
			return false
		}
		switch means {
		case "text":
			return p.string(&one.Text)
		case "source":
			return p.string(&one.Source)
		case "title":
			return p.string(&one.Title)
		case "id":
			return p.name(&one.ID)
		case "document":
			return p.name(&one.Document)
		case "index":
			from := p.i
			if !p.number() {
				return false
			}
			v, err := strconv.Atoi(string(p.b[from:p.i]))
			one.Index = v
			return err == nil
		case "score":
			return p.float(&one.Score)
		}
		return false
	})
}

// space skips white space.
func (p *lineParser) space() {
	for p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\t' || p.b[p.i] == '\n' || p.b[p.i] == '\r') {
		p.i++
	}
}

// next skips white space and returns the next byte, 0 at the end.
func (p *lineParser) next() byte {
	if p.space(); p.i < len(p.b) {
		return p.b[p.i]
	}
	return 0
}

// take skips white space and the byte c, if it is next.
func (p *lineParser) take(c byte) bool {
	if p.next() != c {
		return false
	}
	p.i++
	return true
}

// word skips a literal such as null.
func (p *lineParser) word(w string) bool {
	if p.space(); !bytes.HasPrefix(p.b[p.i:], []byte(w)) {
		return false
	}
	p.i += len(w)
	return true
}

func (p *lineParser) null() bool { return p.next() == 'n' && p.word("null") }

// object calls field with the name of each member; field reads its value. Names with
// escapes or beyond ASCII are not usual.
func (p *lineParser) object(field func(name string) bool) bool {
	if !p.take('{') {
		return false
	}
	if p.take('}') {
		return true
	}
	for {
		p.space()
		from := p.i
		plain, valid := p.quoted()
		if !valid || !plain {
			return false
		}
		name := p.b[from+1 : p.i-1]
		if !p.take(':') {
			return false
		}
		p.space()
		if !field(string(name)) {
			return false
		}
		if !p.take(',') {
			return p.take('}')
		}
	}
}

// list calls item for each element; item reads it.
func (p *lineParser) list(item func() bool) bool {
	if !p.take('[') {
		return false
	}
	if p.take(']') {
		return true
	}
	for {
		if !item() {
			return false
		}
		if !p.take(',') {
			return p.take(']')
		}
	}
}

// deepest bounds the nesting of values that are skipped.
const deepest = 100

// skip skips a value.
func (p *lineParser) skip(depth int) bool {
	if depth > deepest {
		return false
	}
	switch c := p.next(); {
	case c == '"':
		_, valid := p.quoted()
		return valid
	case c == '{':
		return p.object(func(string) bool { return p.skip(depth + 1) })
	case c == '[':
		return p.list(func() bool { return p.skip(depth + 1) })
	case c == 't':
		return p.word("true")
	case c == 'f':
		return p.word("false")
	case c == 'n':
		return p.word("null")
	}
	return p.number()
}

// decode reads a value of another form.
func (p *lineParser) decode(to any) bool {
	p.space()
	from := p.i
	return p.skip(0) && json.Unmarshal(p.b[from:p.i], to) == nil
}

// number skips a number.
func (p *lineParser) number() bool {
	at := func(set string) bool { return p.i < len(p.b) && strings.IndexByte(set, p.b[p.i]) >= 0 }
	digits := func() bool {
		from := p.i
		for p.i < len(p.b) && '0' <= p.b[p.i] && p.b[p.i] <= '9' {
			p.i++
		}
		return p.i > from
	}
	if at("-") {
		p.i++
	}
	if at("0") {
		p.i++
	} else if !digits() {
		return false
	}
	if at(".") {
		if p.i++; !digits() {
			return false
		}
	}
	if at("eE") {
		if p.i++; at("+-") {
			p.i++
		}
		return digits()
	}
	return true
}

func (p *lineParser) float(to *float64) bool {
	from := p.i
	if !p.number() {
		return false
	}
	v, err := strconv.ParseFloat(string(p.b[from:p.i]), 64)
	*to = v
	return err == nil
}

// name reads a string, or a number as it is written.
func (p *lineParser) name(to *string) bool {
	if p.next() == '"' {
		return p.always(to)
	}
	from := p.i
	if !p.number() {
		return false
	}
	*to = string(p.b[from:p.i])
	return true
}

// always reads a string, also with a glance.
func (p *lineParser) always(to *string) bool {
	from := p.i
	plain, valid := p.quoted()
	if valid {
		*to = unquote(string(p.b[from+1:p.i-1]), plain)
	}
	return valid
}

// string reads a string; with a glance, it only checks it.
func (p *lineParser) string(to *string) bool {
	p.space()
	from := p.i
	plain, valid := p.quoted()
	if valid && p.g == nil {
		*to = unquote(p.text[from+1:p.i-1], plain)
	}
	return valid
}

// ordinary are the bytes that stand for themselves in a string.
var ordinary = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf
	}
	return t
}()

// quoted skips a string. plain is set if it has no escapes. It is not valid if it is
// not UTF-8.
func (p *lineParser) quoted() (plain, valid bool) {
	if !p.take('"') {
		return false, false
	}
	b, i, from := p.b, p.i, p.i
	plain = true
	ascii := true
	for {
		for i < len(b) && ordinary[b[i]] {
			i++
		}
		if i >= len(b) || b[i] < ' ' {
			return false, false
		}
		switch c := b[i]; {
		case c == '"':
			p.i = i + 1
			return plain, ascii || utf8.Valid(b[from:i])
		case c >= utf8.RuneSelf:
			ascii = false
			i++
		case i+1 < len(b) && strings.IndexByte(escapes, b[i+1]) >= 0:
			plain = false
			i += 2
		case i+5 < len(b) && b[i+1] == 'u' && isHex(b[i+2:i+6]):
			plain = false
			i += 6
		default:
			return false, false
		}
	}
}

// escapes are the bytes that a backslash stands before, and meanings what they mean.
const (
	escapes  = "\"\\/bfnrt"
	meanings = "\"\\/\b\f\n\r\t"
)

func isHex(b []byte) bool {
	for _, c := range b {
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// unquote replaces the escapes of a valid string. Half a surrogate pair becomes U+FFFD.
func unquote(s string, plain bool) string {
	if plain {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	unit := func(at int) rune {
		if at+6 > len(s) || s[at:at+2] != `\u` {
			return -1
		}
		v, err := strconv.ParseUint(s[at+2:at+6], 16, 32)
		if err != nil {
			return -1
		}
		return rune(v)
	}
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(s[:i])
		s = s[i:]
		r := unit(0)
		if r < 0 {
			out.WriteByte(meanings[strings.IndexByte(escapes, s[1])])
			s = s[2:]
			continue
		}
		s = s[6:]
		if utf16.IsSurrogate(r) {
			both := utf16.DecodeRune(r, unit(0))
			if both != utf8.RuneError {
				s = s[6:]
			}
			r = both
		}
		out.WriteRune(r)
	}
}
