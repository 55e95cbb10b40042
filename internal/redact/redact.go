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
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/spans"
)

// Rules say what is replaced and dropped; nil changes nothing. They are safe for concurrent
// use.
type Rules struct {
	rules []Recogniser
	drops []drop
	// marks matches what rules leave.
	marks *regexp.Regexp
	// key makes pseudonyms; nil if there are none. ids is the key for ids of spans in which
	// something was found, which have to stay different.
	key, ids []byte
}

// A drop names attributes that are removed: "*" stands for any text, "?" for one character.
type drop struct {
	name string
	glob *regexp.Regexp
}

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
		out = append(out, one.Name)
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
	p.object("", s.Attributes)
	for i := range s.Events {
		e := &s.Events[i]
		e.Name = p.text("name", e.Name)
		p.object("", e.Attributes)
	}
}

// A pass applies rules and counts.
type pass struct {
	*Rules
	counts Counts
}

// id returns an id. Ids connect spans: if something is found in one, all of it is replaced,
// by the same digits each time. Those of OpenTelemetry are random, not data.
func (p *pass) id(id string) string {
	isRandom := (len(id) == 16 || len(id) == 32) && strings.Trim(id, "0123456789abcdef") == ""
	if isRandom || p.text("id", id) == id {
		return id
	}
	return digest(p.ids, "id", id)[:16]
}

func digest(key []byte, kind, text string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(kind + "\x00" + text))
	return hex.EncodeToString(h.Sum(nil))
}

// mark returns what replaces data.
func (p *pass) mark(r *Recogniser, data string) string {
	p.counts[r.Name]++
	if p.key == nil {
		return "[" + r.Name + "]"
	}
	return "[" + r.Name + ":" + digest(p.key, r.Name, r.plain(data))[:pseudonymDigits] + "]"
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
		p.object(path, v)
	case []any:
		for i := range v {
			v[i] = p.value(join(path, strconv.Itoa(i)), v[i])
		}
	}
	return v
}

// object redacts the names and the values of attributes or fields. Of names that become the
// same, the later ones get a number.
func (p *pass) object(path string, o map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		at, value := join(path, name), o[name]
		delete(o, name)
		if p.dropped(at) {
			continue
		}
		redacted := p.text("", name)
		as, taken := redacted, false
		for n := 2; ; n++ {
			if _, taken = o[as]; !taken {
				break
			}
			as = redacted + " " + strconv.Itoa(n)
		}
		o[as] = p.value(at, value)
	}
}

// dropped reports whether a name is one of those that are dropped, and counts it.
func (p *pass) dropped(path string) bool {
	for _, d := range p.drops {
		if d.glob.MatchString(path) {
			p.counts[d.name]++
			return true
		}
	}
	return false
}

// number returns the mark of a number that is data as a whole, such as that of a card.
func (p *pass) number(path, text string) (string, bool) {
	digits := integer(text)
	for i := range p.rules {
		r := &p.rules[i]
		start, end := r.find(digits, 0)
		if start == 0 && end == len(digits) || r.isField(path, digits) {
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
