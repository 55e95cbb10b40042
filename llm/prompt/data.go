package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// A node is a JSON value whose objects preserve the order of their members, because
// models follow the order of fields.
type node struct {
	// kind is '{', '[', 's' for a string, or 'r' for any other value, which
	// raw holds.
	kind  byte
	keys  []string
	items []*node
	text  string
	raw   string
}

// parse parses one JSON value. Whole numbers are converted to integers: 2.0 becomes 2.
// A duplicate key is an error, because it is ambiguous.
func parse(b []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return parseValue(d, 0)
}

// errTwice reports a duplicate field of an object.
type errTwice struct{ field string }

func (e errTwice) Error() string {
	return fmt.Sprintf("the field %q stands twice in one object", text.Shorten(e.field, 40))
}

// deepest is the maximum nesting depth, far beyond that of any task.
const deepest = 100

func parseValue(d *json.Decoder, depth int) (*node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth > deepest {
		return nil, fmt.Errorf("nested more than %d deep", deepest)
	}
	switch v := t.(type) {
	case json.Delim:
		n := &node{kind: byte(v)}
		seen := map[string]bool{}
		for d.More() {
			if v == '{' {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				name, _ := key.(string)
				// encoding/json matches "ID" to "id".
				if seen[strings.ToLower(name)] {
					return nil, errTwice{name}
				}
				seen[strings.ToLower(name)] = true
				n.keys = append(n.keys, name)
			}
			item, err := parseValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
		_, err := d.Token()
		return n, err
	case string:
		return &node{kind: 's', text: v}, nil
	case json.Number:
		return &node{kind: 'r', raw: whole(v.String())}, nil
	default:
		raw, err := json.Marshal(v)
		return &node{kind: 'r', raw: string(raw)}, err
	}
}

var wholeNumber = lazyregexp.New(`^(-?(?:0|[1-9][0-9]*))\.0+$`)

func whole(number string) string {
	if m := wholeNumber().FindStringSubmatch(number); m != nil {
		return m[1]
	}
	return number
}

// at returns a member of an object, or nil.
func (n *node) at(key string) *node {
	if n == nil {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

// string encodes the value on one line, with strings encoded by [quote].
func (n *node) string() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case 's':
		quote(b, n.text)
	case 'r':
		b.WriteString(n.raw)
	default:
		b.WriteByte(n.kind)
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			if n.kind == '{' {
				quote(b, n.keys[i])
				b.WriteByte(':')
			}
			item.write(b)
		}
		b.WriteByte(n.kind + 2) // '{' and '}', '[' and ']' are two apart in ASCII
	}
}

// lookAlike matches text that resembles the delimiters around the data, or the control
// tokens that separate the turns of a conversation: a server that tokenizes these
// anywhere would let the data impersonate another speaker.
var lookAlike = lazyregexp.New(`(?i)<[\s/]*data\b|<\s*/?\s*(?:[|｜]|(?:s|bos|eos|think|thinking|tool_call|start_of_turn|end_of_turn|system|user|assistant|human)>)|\[/?INST\]|<<\s*/?SYS\s*>>`)

// quote writes s as a JSON string. Beyond what JSON requires, it escapes everything
// that is invisible when displayed (control characters, bidirectional and zero-width
// characters, tags and other invisible marks) and the first character of every
// look-alike. The string decodes to s.
func quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	var alike [][]int
	if strings.ContainsAny(s, "<[") { // each begins with one of them
		alike = lookAlike().FindAllStringIndex(s, -1)
	}
	for at := 0; at < len(s); {
		// Most of a text is written as it is.
		end := at
		for end < len(s) && isPlain(s[end]) && (len(alike) == 0 || end < alike[0][0]) {
			end++
		}
		if end > at {
			b.WriteString(s[at:end])
			at = end
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case len(alike) > 0 && alike[0][0] == at:
			alike = alike[1:]
			fmt.Fprintf(b, `\u%04x`, r)
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case !unseen(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
		at += size
	}
	b.WriteByte('"')
}

// isPlain reports whether a byte is a character that is written as it is.
func isPlain(c byte) bool { return ' ' <= c && c <= '~' && c != '"' && c != '\\' }

// unseen reports whether a character is invisible. The two variation selectors of emoji
// hide nothing and are excluded.
func unseen(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7f
	}
	if r == 0xfe0e || r == 0xfe0f {
		return false
	}
	return unicode.In(
		r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point,
	)
}

// object converts data to an object whose first field is the task.
func object(task string, data any) (*node, error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return nil, fmt.Errorf("prompt %s: data: %w", task, err)
	}
	n, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("prompt %s: data: %w", task, err)
	}
	if n.kind != '{' {
		return nil, fmt.Errorf("prompt %s: data: %T: want what JSON writes as an object", task, data)
	}
	if t := n.at("task"); t != nil {
		if t.text != task {
			return nil, fmt.Errorf("prompt %s: data: task %q: want %q or none", task, t.text, task)
		}
		return n, nil
	}
	n.keys = append([]string{"task"}, n.keys...)
	n.items = append([]*node{{kind: 's', text: task}}, n.items...)
	return n, nil
}
