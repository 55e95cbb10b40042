// Package template fills in requests to a target: a JSON value, an address or a header
// in which {{question}} and other placeholders stand for values.
//
//	{{question}}          the value of that name
//	{{metadata.lang}}     a value within an object, {{tags.0}} one of a list
//	{{lang|en}}           with a default, for a value that is missing or null
//	{{json question}}     the value as JSON: a quoted, escaped string
//	{{{{                  two literal braces
//
// White space inside the braces is ignored. A default that is JSON, such as 5, true or
// "05", is that value, any other is text; it cannot contain "}}". A name with dots is
// looked up as a whole before it is read as a path.
package template

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Template is a JSON value with placeholders. A text that consists of a single
// placeholder becomes the value itself, with its type: "{{top_k}}" becomes the number
// 5. Within a longer text, a text is inserted unchanged and any other value as JSON;
// "{{json question}}" inserts a quoted JSON string. Keys of objects may also have
// placeholders. It is safe for concurrent use.
type Template struct {
	value any
	// patterns are the parsed texts and keys of value.
	patterns map[string]Pattern
}

// Parse compiles a decoded JSON or YAML value. An unclosed or empty placeholder is an error
// that says where it is, and so is a value without a JSON form. The template shares nothing
// with v.
func Parse(v any) (*Template, error) {
	raw, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	t := &Template{patterns: map[string]Pattern{}}
	if t.value, err = decode(raw); err != nil {
		return nil, err
	}
	return t, t.parse("", t.value)
}

func (t *Template) parse(at string, v any) error {
	switch v := v.(type) {
	case string:
		return t.parseText(at, v)
	case []any:
		for i, one := range v {
			if err := t.parse(fmt.Sprintf("%s[%d]", at, i), one); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			within := strings.TrimPrefix(at+"."+key, ".")
			if err := t.parseText(within, key); err != nil {
				return err
			}
			if err := t.parse(within, v[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *Template) parseText(at, s string) error {
	p, err := ParsePattern(s)
	if err != nil && at != "" {
		err = fmt.Errorf("%s: %w", at, err)
	}
	t.patterns[s] = p
	return err
}

// Names lists the placeholders without a default, sorted, each once.
func (t *Template) Names() []string {
	var names []string
	for _, p := range t.patterns {
		names = append(names, p.Names()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Uses reports whether a placeholder, with a default or without, is one of the values or
// a path into it.
func (t *Template) Uses(values ...string) bool {
	for _, p := range t.patterns {
		if p.Uses(values...) {
			return true
		}
	}
	return false
}

// Fill returns the value with all placeholders replaced. The result may share parts with
// values and must not be changed. A placeholder without a value is an error that lists the
// known names.
func (t *Template) Fill(values map[string]any) (any, error) { return t.fill(t.value, values) }

func (t *Template) fill(v any, values map[string]any) (any, error) {
	switch v := v.(type) {
	case string:
		return t.patterns[v].value(values)
	case []any:
		list := make([]any, len(v))
		for i, one := range v {
			var err error
			if list[i], err = t.fill(one, values); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		object := make(map[string]any, len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			key, err := t.patterns[name].Fill(values, nil)
			if err != nil {
				return nil, err
			}
			if _, twice := object[key]; twice {
				return nil, fmt.Errorf("key %q: %q becomes a key that already exists", name, key)
			}
			if object[key], err = t.fill(v[name], values); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return v, nil
}

// Text fills in one text, such as a title.
func Text(s string, values map[string]any) (string, error) {
	p, err := ParsePattern(s)
	if err != nil {
		return "", err
	}
	return p.Fill(values, nil)
}
