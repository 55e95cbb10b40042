package reply

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Path selects values in a JSON value: "choices[0].message.content" selects one
// value, "hits.hits[]._source.text" one for each element of a list. A key that contains
// dots or brackets is written ["a.b"], "[*]" is the same as "[]", and a leading "$." is
// allowed; "$" alone is the whole value. "[-1]" is the last element, a number after a
// dot is also an element ("choices.0.text"), and "*" selects every value of an object,
// in the order of its keys, or of a list. "output[type=message]" is the list of the
// elements of output whose type is message, so that "output[type=message][].content" are
// their contents; "[type=a|b]" takes either, and "[type=*]" any text.
type Path struct {
	text  string
	steps []step
}

// A step leads from a value to one or several values inside it.
type step struct {
	kind  stepKind
	key   string
	index int
	// value is what a key has in the elements of byValue.
	value string
}

type stepKind uint8

const (
	byKey stepKind = iota
	byIndex
	byValue
	// each selects every element of a list; any also every value of an object.
	each
	every
)

// ParsePath parses a path. The error says what is wrong and where.
func ParsePath(s string) (Path, error) {
	p := &pathParser{in: strings.TrimSpace(s)}
	if p.in == "" {
		return Path{}, fmt.Errorf(`path %q: is empty: expected one such as "answer" or "$" for the whole reply`, s)
	}
	if strings.HasPrefix(p.in, "$.") || strings.HasPrefix(p.in, "$[") || p.in == "$" {
		p.at = 1
	}
	for p.at < len(p.in) {
		if err := p.next(); err != nil {
			return Path{}, fmt.Errorf("path %q: position %d: %w", s, p.at+1, err)
		}
	}
	return Path{text: p.in, steps: p.steps}, nil
}

// keys returns a path of keys.
func keys(names ...string) Path {
	var p Path
	for _, n := range names {
		p.steps = append(p.steps, step{kind: byKey, key: n, index: -1})
	}
	p.text = write(p.steps, true)
	return p
}

type pathParser struct {
	in    string
	at    int
	steps []step
}

// next reads one step: ".key", "key" at the start, or a bracket.
func (p *pathParser) next() error {
	if p.in[p.at] == '[' {
		return p.bracket()
	}
	start := p.at
	switch {
	case p.in[p.at] == '.' && p.at == 0:
		return fmt.Errorf("a dot at the start: expected a key")
	case p.in[p.at] == '.':
		start++
	case p.at > 0:
		return fmt.Errorf("%q after a bracket: expected a dot, a bracket or the end", p.in[p.at])
	}
	n := strings.IndexAny(p.in[start:], ".[")
	if n < 0 {
		n = len(p.in) - start
	}
	key := p.in[start : start+n]
	if key == "" {
		return fmt.Errorf(`a dot without a key: expected one, or ["…"] for a key that holds dots`)
	}
	if i := strings.IndexAny(key, "]"); i >= 0 {
		p.at = start + i
		return fmt.Errorf(`"]" without "[": expected a key that holds brackets as ["…"]`)
	}
	p.at = start + n
	if key == "*" {
		p.steps = append(p.steps, step{kind: every})
	} else {
		p.steps = append(p.steps, step{kind: byKey, key: key, index: digits(key)})
	}
	return nil
}

// bracket reads "[]", "[*]", "[3]", "[-1]", "[key=value]" or ["key"].
func (p *pathParser) bracket() error {
	rest := p.in[p.at+1:]
	if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, `'`) {
		quoted, key, err := quotedKey(rest)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(rest[quoted:], "]") {
			return fmt.Errorf("a quoted key without \"]\": expected one after it")
		}
		p.at += 1 + quoted + 1
		p.steps = append(p.steps, step{kind: byKey, key: key, index: -1})
		return nil
	}
	inside, _, closed := strings.Cut(rest, "]")
	if !closed {
		return fmt.Errorf(`"[" without "]"`)
	}
	word := strings.TrimSpace(inside)
	s := step{kind: each}
	if key, value, ok := strings.Cut(word, "="); ok && key != "" && value != "" {
		s = step{kind: byValue, key: key, value: value}
	} else if word != "" && word != "*" {
		i, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf(`%q in brackets: expected a number, nothing, key=value, or a key in quotes`, word)
		}
		s = step{kind: byIndex, index: i}
	}
	p.at += 1 + len(inside) + 1
	p.steps = append(p.steps, s)
	return nil
}

// quotedKey reads a quoted key with backslash escapes; length includes the quotes.
func quotedKey(s string) (length int, key string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return i + 1, b.String(), nil
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return 0, "", fmt.Errorf("a key in quotes that does not end: expected %q", s[0])
}

// digits returns the number that a key represents, -1 if it is not a number.
func digits(key string) int {
	n, err := strconv.ParseUint(key, 10, 32)
	if err != nil {
		return -1
	}
	return int(n)
}

// String returns the path as it was written.
func (p Path) String() string { return p.text }

// Find returns the values that the path selects, in order. found is false if there is
// nothing: a missing key or element, or a null. An empty list is found. With "[]",
// elements without the rest of the path are omitted.
func (p Path) Find(v any) (values []any, found bool) {
	values, found = p.column(v)
	values = slices.DeleteFunc(values, func(v any) bool { return v == nil })
	return values, found
}

// Value returns the value of a path that selects one, or the list of those of a path that
// selects several.
func (p Path) Value(v any) (any, bool) {
	if values, found := p.Find(v); found && p.plural() {
		return values, true
	}
	return p.one(v)
}

// column is Find with a nil for each element without the rest of the path, so that
// columns of one list stay aligned. A list within the elements has none where it is absent.
func (p Path) column(v any) (values []any, found bool) {
	found = walk(v, p.steps, &values)
	if !found {
		return nil, false
	}
	return values, true
}

// one returns the value of a path that selects one; ok is false if it is missing or
// null. Of several values it returns the first that is present.
func (p Path) one(v any) (any, bool) {
	if !p.plural() {
		for _, s := range p.steps {
			var ok bool
			if v, ok = inside(v, s); !ok {
				return nil, false
			}
		}
		return v, v != nil
	}
	values, _ := p.Find(v)
	if len(values) == 0 {
		return nil, false
	}
	return values[0], true
}

// plural reports whether the path may select several values.
func (p Path) plural() bool {
	for _, s := range p.steps {
		if s.kind >= each {
			return true
		}
	}
	return false
}

// commentary is the phase of a message in which a model says what it does, in a response of OpenAI.
const commentary = "commentary"

// walk appends the values at the end of the steps. It reports whether anything is
// there: a value other than null, or an empty list.
func walk(v any, steps []step, out *[]any) bool {
	for i, s := range steps {
		if s.kind >= each {
			inside, ok := elements(v, s.kind)
			if !ok {
				return false
			}
			some := len(inside) == 0
			rest := steps[i+1:]
			list := slices.IndexFunc(rest, func(s step) bool { return s.kind >= each })
			for _, e := range inside {
				if o, ok := e.(map[string]any); ok && o["phase"] == commentary {
					continue
				}
				before := len(*out)
				if walk(e, rest, out) {
					some = true
				} else if _, there := (Path{steps: rest[:max(list, 0)]}).one(e); len(*out) == before && (list < 0 || there) {
					*out = append(*out, nil)
				}
			}
			return some
		}
		var ok bool
		if v, ok = inside(v, s); !ok {
			return false
		}
	}
	if v == nil {
		return false
	}
	*out = append(*out, v)
	return true
}

// inside takes a step to a single value.
func inside(v any, s step) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if s.kind != byKey {
			return nil, false
		}
		e, ok := v[s.key]
		return e, ok
	case []any:
		if s.kind == byValue {
			kept := slices.DeleteFunc(slices.Clone(v), func(e any) bool { return !s.matches(e) })
			return kept, len(kept) > 0
		}
		i := s.index
		if s.kind == byIndex && i < 0 {
			i += len(v)
		}
		if i < 0 || i >= len(v) {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}

// matches reports whether an element has the value of the step.
func (s step) matches(v any) bool {
	for key := range strings.SplitSeq(s.key, ".") {
		o, _ := v.(map[string]any)
		v = o[key]
	}
	is, ok := scalar(v)
	return ok && is != "" && (s.value == "*" || slices.Contains(strings.Split(s.value, "|"), is))
}

// elements returns the values of "[]" or "*".
func elements(v any, kind stepKind) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case map[string]any:
		if kind != every {
			return nil, false
		}
		out := make([]any, 0, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, v[k])
		}
		return out, true
	}
	return nil, false
}

// stops explains why a path finds nothing: how far it leads, what is there, and what to
// use instead. whole is the name of the value.
func (p Path) stops(v any, whole string) string {
	at := ""
	for i, s := range p.steps {
		next, ok := any(nil), false
		switch list, isList := v.([]any); {
		case s.kind >= each:
			inside, can := elements(v, s.kind)
			if !can {
				return fmt.Sprintf("nothing: %s is %s: expected a list", cmp.Or(at, whole), kindOf(v))
			}
			for _, e := range inside { // the first that has any
				if next == nil {
					next = e
				}
			}
			ok = next != nil
		case isList && s.kind == byValue:
			if next, ok = inside(v, s); !ok {
				return fmt.Sprintf("nothing: no element of %s has %s", cmp.Or(at, whole), s.text(false))
			}
		case isList && s.kind == byKey && s.index < 0:
			return fmt.Sprintf("nothing: %s is a list: expected %s", cmp.Or(at, whole), at+"[]"+write(p.steps[i:], false))
		case isList && s.index >= len(list):
			return fmt.Sprintf("nothing: %s has %d elements", cmp.Or(at, whole), len(list))
		default:
			next, ok = inside(v, s)
		}
		if !ok {
			return "nothing: " + missing(v, cmp.Or(at, whole))
		}
		at, v = at+s.text(at == ""), next
		if v == nil {
			return fmt.Sprintf("nothing: %s is null", at)
		}
	}
	return "nothing"
}

// missing describes a value in which a step leads nowhere; name is the name of the
// value.
func missing(v any, name string) string {
	o, ok := v.(map[string]any)
	if !ok {
		return name + " is " + kindOf(v)
	}
	if len(o) == 0 {
		return name + " is an empty object"
	}
	return name + " has " + keysOf(o)
}

// maxKeys bounds how many keys a message lists.
const maxKeys = 8

// keysOf lists the keys of an object.
func keysOf(o map[string]any) string {
	names, more := slices.Sorted(maps.Keys(o)), ""
	if len(names) > maxKeys {
		names, more = names[:maxKeys], ", …"
	}
	return strings.Join(names, ", ") + more
}

// write formats steps as a path; first says that nothing precedes them.
func write(steps []step, first bool) string {
	var b strings.Builder
	for i, s := range steps {
		b.WriteString(s.text(first && i == 0))
	}
	return b.String()
}

// text formats a step.
func (s step) text(first bool) string {
	switch {
	case s.kind == each:
		return "[]"
	case s.kind == byValue:
		return "[" + s.key + "=" + s.value + "]"
	case s.kind == byIndex:
		return "[" + strconv.Itoa(s.index) + "]"
	}
	key := s.key
	if s.kind == every {
		key = "*"
	} else if key == "" || key == "*" || key == "$" || strings.ContainsAny(key, `.[]"'`) || strings.TrimSpace(key) != key {
		return `["` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"]`
	}
	if first {
		return key
	}
	return "." + key
}
