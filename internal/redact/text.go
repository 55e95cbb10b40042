package redact

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

const (
	// rounds bounds how often a text is searched. Each round replaces all that is found, and
	// another looks whether the marks made room for more, as they end words. Only an
	// expression with an anchor, such as ^a in "aaaa", could go on.
	rounds = 16
	// deepest bounds how often escapes are decoded: JSON in JSON in an address of the web.
	deepest = 4
)

// text redacts the text of a field.
func (p *pass) text(path, s string) string {
	if out, ok := p.document(path, s); ok {
		return out
	}
	for i := range p.rules {
		if r := &p.rules[i]; r.isField(path, s) {
			return p.mark(r, s)
		}
	}
	all := readings(s)
	for range rounds {
		before := s
		for i := range p.rules {
			if out := p.apply(&p.rules[i], s, all); out != s {
				s, all = out, readings(out)
			}
		}
		if s == before {
			break
		}
	}
	return s
}

// document redacts a text that is a JSON document: its strings, its numbers that are data, and
// its fields that are dropped. If there are any, it is written anew, with its names in order.
// ok is false if the text is no document.
func (p *pass) document(path, s string) (_ string, ok bool) {
	trimmed := strings.TrimLeft(s, " \t\r\n")
	if trimmed == "" || strings.IndexByte(`{["`, trimmed[0]) < 0 || !json.Valid([]byte(s)) {
		return s, false
	}
	in := json.NewDecoder(strings.NewReader(s))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil { // a document is valid
		return s, false
	}
	inner := pass{p.Rules, Counts{}}
	if v = inner.value(path, v); len(inner.counts) == 0 {
		return s, true
	}
	for name, n := range inner.counts {
		p.counts[name] += n
	}
	var b strings.Builder
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	_ = out.Encode(v) // what was decoded can be encoded
	return strings.TrimSuffix(b.String(), "\n"), true
}

// A reading is a text with its escapes decoded. Data are sought in it, and replaced in the
// text from which it was decoded.
type reading struct {
	text   string
	digits int
	// at has, for each byte of text and its end, the place in the raw text; nil if they are
	// the same.
	at []int
}

// raw returns the place in the raw text of a place in the reading.
func (v reading) raw(i int) int {
	if v.at == nil {
		return i
	}
	return v.at[i]
}

// readings returns the readings of a text, the most decoded first, the text itself last.
func readings(s string) []reading {
	out := []reading{{text: s}}
	for len(out) <= deepest {
		next, ok := out[len(out)-1].decoded()
		if !ok {
			break
		}
		out = append(out, next)
	}
	for i := range out {
		for _, c := range []byte(out[i].text) {
			if isDigit(c) {
				out[i].digits++
			}
		}
	}
	slices.Reverse(out)
	return out
}

// code matches escapes of JSON and of URLs, characters of full width, spaces and hyphens that
// are not of ASCII, and characters without width.
var code = lazyregexp.New(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]|%[0-9a-fA-F]{2}|` +
	`[！-～\x{a0}\x{2000}-\x{200f}\x{202f}\x{3000}\x{2010}-\x{2015}\x{2212}\x{ad}\x{2060}\x{feff}]`)

// decoded decodes all codes once; ok is false if there are none.
func (v reading) decoded() (_ reading, ok bool) {
	if strings.IndexFunc(v.text, func(r rune) bool { return r == '\\' || r == '%' || r >= utf8.RuneSelf }) < 0 {
		return v, false
	}
	codes := code().FindAllStringIndex(v.text, -1)
	if codes == nil {
		return v, false
	}
	var b strings.Builder
	var at []int
	last := 0
	keep := func(to int) {
		b.WriteString(v.text[last:to])
		for ; last < to; last++ {
			at = append(at, v.raw(last))
		}
	}
	for _, c := range codes {
		keep(c[0])
		text := plain(v.text[c[0]:c[1]])
		b.WriteString(text)
		at = append(at, slices.Repeat([]int{v.raw(c[0])}, len(text))...)
		last = c[1]
	}
	keep(len(v.text))
	return reading{text: b.String(), at: append(at, v.raw(len(v.text)))}, true
}

// plain returns what a code stands for.
func plain(code string) (out string) {
	switch code[0] {
	case '\\':
		_ = json.Unmarshal([]byte(`"`+code+`"`), &out) // it is valid
		return out
	case '%':
		out, _ = url.PathUnescape(code) // it is valid
		return out
	}
	switch r, _ := utf8.DecodeRuneInString(code); {
	case r >= '！' && r <= '～': // the full width forms of ASCII
		return string(r - '！' + '!')
	case r >= '\u2010' && r <= '\u2015', r == '\u2212':
		return "-"
	case r == '\u00a0', r == '\u3000', r >= '\u2000' && r <= '\u200a', r == '\u202f':
		return " "
	}
	return ""
}

// apply replaces what a rule finds in the most decoded reading of a text in which it finds
// something.
func (p *pass) apply(r *Recogniser, s string, all []reading) string {
	for _, v := range all {
		if !r.mayFind(v.text, v.digits) {
			continue
		}
		var b strings.Builder
		done, from := 0, 0
		// Nothing is searched for in a mark.
		for _, mark := range append(p.marks.FindAllStringIndex(v.text, -1), []int{len(v.text), len(v.text)}) {
			part := v.text[from:mark[0]]
			for at := 0; at < len(part); {
				start, end := r.find(part, at)
				if start < 0 {
					break
				}
				b.WriteString(s[done:v.raw(from+start)] + p.mark(r, part[start:end]))
				done, at = v.raw(from+end), end
			}
			from = mark[1]
		}
		if b.Len() > 0 {
			return b.String() + s[done:]
		}
	}
	return s
}
