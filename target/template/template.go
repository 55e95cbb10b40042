// Package template fills in what is sent to a target: a JSON value, an address
// or a header in whose texts {{question}} and the like stand for values.
//
//	{{question}}          the value of that name
//	{{metadata.lang}}     a value within an object, {{tags.0}} one of a list
//	{{lang|en}}           with a default, for a value that is missing or null
//	{{json question}}     the value as JSON: a text in quotation marks, escaped
//	{{{{                  two braces that open no placeholder
//
// White space inside the braces does not matter. A default that is JSON, such as
// 5, true or "05", is that value, any other is text; it cannot hold "}}". A name
// that holds dots is found whole before it is taken for a path.
package template

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// A Template is a JSON value with placeholders. A text that is one placeholder
// and nothing else becomes the value itself, with its type: "{{top_k}}" becomes
// the number 5. Within a longer text a text is put in as it is, any other value
// as JSON; "{{json question}}" puts in a quoted JSON string. Keys of objects may
// hold placeholders too. "{{metadata.lang}}" goes into objects, and
// "{{name|default}}" has a default. It is safe for concurrent use.
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

// Parse makes a template of a decoded JSON or YAML value. A placeholder that is
// not closed or has no name is an error that says where, and so is a value that
// JSON has no word for. Nothing of v is kept that a caller could change.
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

// Names lists the placeholders that have no default, sorted, each once.
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

// Fill returns the value with everything filled in; the template is not
// changed, and the result shares nothing with it or with the values that could
// be changed. A placeholder without a value is an error that names it and those
// that there are.
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
				return nil, fmt.Errorf("key %q: %q is filled in to a key that is there already", f.key, key)
			}
			if object[key], err = f.value.fill(values); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return n.constant, nil
}

// Text fills in one text, such as a header. escape, when it is not nil, is
// applied to each value, as url.PathEscape for an address.
func Text(s string, values map[string]any, escape func(string) string) (string, error) {
	p, err := ParsePattern(s)
	if err != nil {
		return "", err
	}
	return p.Fill(values, escape)
}

// plain makes a decoded value one of nil, bool, string, a number, []any and
// map[string]any, with nothing that is shared; only the outermost level of an
// object or a list is looked at, but for those of other types.
func plain(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, json.Number, int, int64, uint64, []any, map[string]any:
		return v, nil
	case map[any]any:
		object := make(map[string]any, len(v))
		for key, value := range v {
			name := fmt.Sprint(key)
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("key %q is there twice", name)
			}
			object[name] = value
		}
		return object, nil
	}
	raw, err := marshal(v)
	if err != nil {
		return nil, err
	}
	return decode(raw)
}
