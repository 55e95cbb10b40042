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
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// A Template is a JSON value with placeholders. A text that consists of a single
// placeholder becomes the value itself, with its type: "{{top_k}}" becomes the number
// 5. Within a longer text, a text is inserted unchanged and any other value as JSON;
// "{{json question}}" inserts a quoted JSON string. Keys of objects may also have
// placeholders. It is safe for concurrent use.
type Template struct {
	root node
}

// A node is one value of a template: an object, a list, a text, or a constant.
type node struct {
	fields   []field
	items    []node
	text     *Pattern
	constant any
}

type field struct {
	key   Pattern
	value node
}

// Parse compiles a decoded JSON or YAML value. An unclosed or empty placeholder, or a
// value without a JSON form, is an error that says where it is. The template shares
// nothing with v.
func Parse(v any) (*Template, error) {
	root, err := parse("", v)
	if err != nil {
		return nil, err
	}
	return &Template{root}, nil
}

func parse(at string, v any) (node, error) {
	v, err := plain(v)
	if err != nil {
		return node{}, place(at, err)
	}
	switch v := v.(type) {
	case string:
		p, err := ParsePattern(v)
		if err != nil {
			return node{}, place(at, err)
		}
		return node{text: &p}, nil
	case []any:
		n := node{items: make([]node, len(v))}
		for i := range v {
			if n.items[i], err = parse(at+"["+strconv.Itoa(i)+"]", v[i]); err != nil {
				return node{}, err
			}
		}
		return n, nil
	case map[string]any:
		n := node{fields: make([]field, 0, len(v))}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			within := key
			if at != "" {
				within = at + "." + key
			}
			p, err := ParsePattern(key)
			if err != nil {
				return node{}, place(within, err)
			}
			value, err := parse(within, v[key])
			if err != nil {
				return node{}, err
			}
			n.fields = append(n.fields, field{p, value})
		}
		return n, nil
	}
	return node{constant: v}, nil
}

func place(at string, err error) error {
	if at == "" {
		return err
	}
	return fmt.Errorf("%s: %w", at, err)
}

// Names lists the placeholders without a default, sorted, each once.
func (t *Template) Names() []string {
	names := map[string]bool{}
	t.root.names(names)
	return slices.Sorted(maps.Keys(names))
}

func (n node) names(to map[string]bool) {
	if n.text != nil {
		n.text.names(to)
	}
	for _, one := range n.items {
		one.names(to)
	}
	for _, f := range n.fields {
		f.key.names(to)
		f.value.names(to)
	}
}

// Uses reports whether a placeholder, with a default or without, is one of the values or
// a path into it.
func (t *Template) Uses(values ...string) bool { return t.root.uses(values) }

func (n node) uses(values []string) bool {
	return n.text != nil && n.text.Uses(values...) ||
		slices.ContainsFunc(n.items, func(one node) bool { return one.uses(values) }) ||
		slices.ContainsFunc(n.fields, func(f field) bool { return f.key.Uses(values...) || f.value.uses(values) })
}

// Fill returns the value with all placeholders replaced. The result shares nothing with
// the template or with values. A placeholder without a value is an error that lists the
// known names.
func (t *Template) Fill(values map[string]any) (any, error) { return t.root.fill(values) }

func (n node) fill(values map[string]any) (any, error) {
	switch {
	case n.text != nil:
		return n.text.value(values)
	case n.items != nil:
		list := make([]any, len(n.items))
		for i, one := range n.items {
			var err error
			if list[i], err = one.fill(values); err != nil {
				return nil, err
			}
		}
		return list, nil
	case n.fields != nil:
		object := make(map[string]any, len(n.fields))
		for _, f := range n.fields {
			key, err := f.key.Fill(values, nil)
			if err != nil {
				return nil, err
			}
			if _, twice := object[key]; twice {
				return nil, fmt.Errorf("key %q: %q becomes a key that already exists", f.key, key)
			}
			if object[key], err = f.value.fill(values); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return n.constant, nil
}

// Text fills in one text, such as a header. escape, if it is not nil, is applied to
// each value, such as url.PathEscape for an address.
func Text(s string, values map[string]any, escape func(string) string) (string, error) {
	p, err := ParsePattern(s)
	if err != nil {
		return "", err
	}
	return p.Fill(values, escape)
}

// plain converts a decoded value to nil, bool, string, a number, []any or
// map[string]any, without sharing; of objects and lists only the outermost level is
// converted, except for those of other types.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, json.Number, int, int64, uint64, []any, map[string]any:
		return v, nil
	}
	raw, err := marshal(v)
	if err != nil {
		return nil, err
	}
	return decode(raw)
}
