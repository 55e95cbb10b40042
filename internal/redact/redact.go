// Package redact replaces personal data and keys in spans by marks such as [email], before
// anything is stored. Rules are read from a file: built-in recognisers, regular expressions,
// and names of attributes that are dropped.
//
// A recogniser knows data by its form alone. What it replaces is unknown until it is found;
// internal/secret, in contrast, removes keys that this program was given, in any form.
package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/spans"
)

// Rules say what is replaced and dropped; nil changes nothing. They are safe for concurrent
// use.
type Rules struct {
	rules []rule
	drops []drop
	// marks has the names between the brackets of marks.
	marks map[string]bool
	// key makes pseudonyms; nil if there are none. ids is the key for ids of spans in which
	// something was found, which have to stay different.
	key, ids []byte
}

// A rule finds one kind of data.
type rule struct {
	name string
	// find returns where the first match at or after from begins and ends; start is below 0
	// if there is none. The ends of the text are ends of words.
	find func(text string, from int) (start, end int)
	// Texts with fewer digits, or with none of the texts of has if it has any, have no match.
	digits int
	has    []string
	// field reports whether the whole value of a field is a match because of the field's
	// name; may be nil.
	field func(name, value string) bool
	// plain returns the form of a match by which equal data are known; may be nil.
	plain func(match string) string
}

// A drop names attributes that are removed.
type drop struct{ name, glob string }

// Counts says how often each rule replaced or dropped something.
type Counts map[string]int

// Names returns the names of the rules, those of drops as "drop user.*", in the order in
// which they apply.
func (r *Rules) Names() []string {
	if r == nil {
		return nil
	}
	var out []string
	for _, d := range r.drops {
		out = append(out, d.name)
	}
	for _, one := range r.rules {
		out = append(out, one.name)
	}
	return out
}

// Span redacts all texts of a span, at any depth, and adds to the counts. Lists and objects
// of the span are changed in place.
func (r *Rules) Span(s *spans.Span, counts Counts) {
	if r == nil {
		return
	}
	p := pass{r, counts}
	for _, id := range []*string{&s.Trace, &s.ID, &s.Parent} {
		*id = p.id(*id)
	}
	s.Name = p.text("name", s.Name)
	s.Failure = p.text("status", s.Failure)
	s.Attributes = p.object("", s.Attributes)
	for i := range s.Events {
		e := &s.Events[i]
		e.Name = p.text("name", e.Name)
		e.Attributes = p.object("", e.Attributes)
	}
}

// A pass applies rules and counts.
type pass struct {
	*Rules
	counts Counts
}

// id returns an id. Ids connect spans: if something is found in one, all of it is replaced,
// by the same digits each time.
func (p *pass) id(id string) string {
	if isHex(id) || p.text("id", id) == id {
		return id
	}
	return digest(p.ids, "id", id)[:16]
}

// isHex reports whether an id is one of OpenTelemetry: random, not data.
func isHex(id string) bool {
	if len(id) != 16 && len(id) != 32 {
		return false
	}
	return strings.Trim(id, "0123456789abcdef") == ""
}

func digest(key []byte, kind, text string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(h.Sum(nil))
}

// mark returns what replaces a match.
func (p *pass) mark(r *rule, match string) string {
	p.counts[r.name]++
	if p.key == nil {
		return "[" + r.name + "]"
	}
	if r.plain != nil {
		match = r.plain(match)
	}
	return "[" + r.name + ":" + digest(p.key, r.name, match)[:pseudonymDigits] + "]"
}

// value redacts a value; path is its dotted name.
func (p *pass) value(path string, v any) any {
	switch v := v.(type) {
	case string:
		return p.text(path, v)
	case json.Number:
		if mark, ok := p.number(path, v.String()); ok {
			return mark
		}
	case map[string]any:
		return p.object(path, v)
	case []any:
		for i := range v {
			v[i] = p.value(join(path, strconv.Itoa(i)), v[i])
		}
	}
	return v
}

// object redacts the names and the values of attributes or fields.
func (p *pass) object(path string, o map[string]any) map[string]any {
	renamed := map[string]string{}
	for name, v := range o {
		at := join(path, name)
		if p.dropped(at) {
			delete(o, name)
			continue
		}
		o[name] = p.value(at, v)
		if as := p.text("", name); as != name {
			renamed[name] = as
		}
	}
	taken := names{}
	for _, name := range slices.Sorted(maps.Keys(renamed)) {
		as := taken.free(renamed[name])
		for o[as] != nil {
			as = taken.free(renamed[name])
		}
		o[as] = o[name]
		delete(o, name)
	}
	return o
}

// names counts the names of an object that were replaced, since different names may become
// one.
type names map[string]int

// free returns a name that no other has.
func (n names) free(name string) string {
	n[name]++
	if n[name] > 1 {
		return name + " " + strconv.Itoa(n[name])
	}
	return name
}

// dropped reports whether a name is one of those that are dropped, and counts it.
func (p *pass) dropped(path string) bool {
	for _, d := range p.drops {
		if globs(d.glob, path) {
			p.counts[d.name]++
			return true
		}
	}
	return false
}

// globs reports whether a name is of the form of a pattern: "*" stands for any text, "?" for
// one byte.
func globs(pattern, name string) bool {
	star, again := -1, 0
	i, j := 0, 0
	for j < len(name) {
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, again = i, j
			i++
		case i < len(pattern) && (pattern[i] == '?' || pattern[i] == name[j]):
			i++
			j++
		case star >= 0:
			again++
			i, j = star+1, again
		default:
			return false
		}
	}
	return strings.Trim(pattern[i:], "*") == ""
}

// number returns the mark of a number that is data as a whole, such as that of a card.
func (p *pass) number(path, text string) (string, bool) {
	digits := integer(text)
	for i := range p.rules {
		r := &p.rules[i]
		start, end := r.find(digits, 0)
		if start == 0 && end == len(digits) || r.field != nil && r.field(path, digits) {
			return p.mark(r, digits), true
		}
	}
	return "", false
}

// integer returns a number without sign, fraction and exponent if it is whole.
func integer(number string) string {
	const exact = 1 << 53
	number = strings.TrimPrefix(number, "-")
	if f, err := strconv.ParseFloat(number, 64); err == nil && f < exact && f == float64(int64(f)) && strings.ContainsAny(number, ".eE") {
		return strconv.FormatInt(int64(f), 10)
	}
	return number
}

// longestPath bounds dotted names in bytes: deep lists in lists have long ones.
const longestPath = 512

// join adds a name to a dotted name, whose last part alone is kept if it is long.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path[max(0, len(path)-longestPath):] + "." + name
}
