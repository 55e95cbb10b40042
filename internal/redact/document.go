package redact

import (
	"encoding/json"
	"strconv"
	"strings"
)

// document redacts a text that is a JSON document: its strings are decoded, redacted and
// encoded again, numbers that are data become strings, and fields that are dropped are
// removed. All else stays as it is written. ok is false if the text is no document.
func (p *pass) document(path, s string) (_ string, ok bool) {
	begin := 0
	for begin < len(s) && isSpace(s[begin]) {
		begin++
	}
	if begin == len(s) || strings.IndexByte(`{["`, s[begin]) < 0 || !json.Valid([]byte(s)) {
		return s, false
	}
	d := document{pass: p, s: s, at: begin}
	d.value(path)
	return d.edited(), true
}

// A document is a JSON document that is walked once, with the changes to it in order.
type document struct {
	*pass
	s     string
	at    int
	edits []edit
}

// An edit replaces a part of a document.
type edit struct {
	start, end int
	text       string
}

func (d *document) edited() string {
	if len(d.edits) == 0 {
		return d.s
	}
	var b strings.Builder
	at := 0
	for _, e := range d.edits {
		b.WriteString(d.s[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.WriteString(d.s[at:])
	return b.String()
}

// value walks the value at the place, and moves to its end. How deep values are nested is
// bounded by [json.Valid].
func (d *document) value(path string) {
	begin := d.at
	switch d.s[begin] {
	case '{':
		d.object(path)
	case '[':
		d.skip(1)
		for i := 0; d.s[d.at] != ']'; i++ {
			d.value(join(path, strconv.Itoa(i)))
			d.next()
		}
		d.at++
	case '"':
		text := d.literal()
		if as := d.text(path, text); as != text {
			d.edits = append(d.edits, edit{begin, d.at, quoted(as)})
		}
	default: // a number, true, false or null
		for d.at < len(d.s) && strings.IndexByte(",]} \t\r\n", d.s[d.at]) < 0 {
			d.at++
		}
		if mark, ok := d.number(path, d.s[begin:d.at]); ok {
			d.edits = append(d.edits, edit{begin, d.at, quoted(mark)})
		}
	}
}

// object walks an object.
func (d *document) object(path string) {
	taken := names{}
	kept := false
	d.skip(1)
	for before := d.at; d.s[d.at] != '}'; {
		begin := d.at
		name := d.literal()
		at := join(path, name)
		drop := d.dropped(at)
		if drop {
			rest := document{pass: &pass{d.Rules, Counts{}}, s: d.s, at: d.at}
			rest.member(at)
			d.at = rest.at
		} else {
			if as := d.text("", name); as != name {
				d.edits = append(d.edits, edit{begin, d.at, quoted(taken.free(as))})
			}
			d.member(at)
		}
		end := d.at
		d.next()
		switch {
		case drop && kept: // with the comma before it
			d.edits = append(d.edits, edit{before, end, ""})
		case drop: // with the comma after it
			d.edits = append(d.edits, edit{begin, d.at, ""})
		default:
			kept = true
		}
		before = end
	}
	d.at++
}

// member walks the value of a field, from the end of its name.
func (d *document) member(path string) {
	d.skip(0)
	d.skip(1) // the colon
	d.value(path)
}

// next moves to the next entry of a list or an object, or to its end.
func (d *document) next() {
	d.skip(0)
	if d.s[d.at] == ',' {
		d.skip(1)
	}
}

// skip moves by n and over what is white space there.
func (d *document) skip(n int) {
	for d.at += n; isSpace(d.s[d.at]); {
		d.at++
	}
}

// literal returns the string at the place, decoded, and moves to its end.
func (d *document) literal() string {
	begin := d.at
	for d.at++; d.s[d.at] != '"'; d.at++ {
		if d.s[d.at] == '\\' {
			d.at++
		}
	}
	d.at++
	raw := d.s[begin:d.at]
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var text string
	_ = json.Unmarshal([]byte(raw), &text) // the document is valid
	return text
}

func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
