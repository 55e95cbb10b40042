package dataset

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// kind is the type of a value.
type kind uint8

const (
	null kind = iota
	boolean
	number
	str
	list
	object
)

// A node is a value of a file with its line. JSON, YAML and CSV are all read into
// nodes.
type node struct {
	kind kind
	line int
	// text is the value of a string, or the digits of a number in JSON syntax.
	text string
	// source is the number as written, where that differs from its digits.
	source string
	yes    bool
	items  []*node
	fields []field
}

// A field is a member of an object.
type field struct {
	name  string
	value *node
}

// get returns the value of a member, or nil.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for i := range n.fields {
		if n.fields[i].name == name {
			return n.fields[i].value
		}
	}
	return nil
}

// absent reports whether the value is missing or null.
func (n *node) absent() bool { return n == nil || n.kind == null }

// isEmpty reports whether the value holds nothing.
func (n *node) isEmpty() bool {
	return n.absent() || n.kind == str && strings.TrimSpace(n.text) == "" ||
		n.kind == list && len(n.items) == 0 || n.kind == object && len(n.fields) == 0
}

// what describes the value in a message.
func (n *node) what() string {
	switch n.kind {
	case boolean:
		return strconv.FormatBool(n.yes)
	case number:
		return "number " + clip(n.text)
	case str:
		if strings.TrimSpace(n.text) == "" {
			return "empty string"
		}
		return fmt.Sprintf("string %q", clip(n.text))
	case list:
		return "a list"
	case object:
		return "an object"
	}
	return "null"
}

// value returns the node as encoding/json would, except that a whole number that
// a float64 cannot hold is a json.Number. A node that is missing is nil, as null is.
func (n *node) value() any {
	if n.absent() {
		return nil
	}
	switch n.kind {
	case boolean:
		return n.yes
	case number:
		v, err := strconv.ParseFloat(n.text, 64)
		isWhole := !strings.ContainsAny(n.text, ".eE")
		if err != nil || isWhole && strconv.FormatFloat(v, 'f', -1, 64) != n.text {
			return json.Number(n.text)
		}
		return v
	case str:
		return n.text
	case list:
		out := make([]any, len(n.items))
		for i, item := range n.items {
			out[i] = item.value()
		}
		return out
	case object:
		return n.values()
	}
	return nil
}

// values returns the members of an object; nil if it has none.
func (n *node) values() map[string]any {
	if len(n.fields) == 0 {
		return nil
	}
	out := make(map[string]any, len(n.fields))
	for _, f := range n.fields {
		out[f.name] = f.value.value()
	}
	return out
}

// float returns the value of a number.
func (n *node) float() (float64, bool) {
	if n.kind != number {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.text, 64)
	return v, err == nil
}

// whole returns the value of a number without a fraction.
func (n *node) whole() (int, bool) {
	if n.kind != number {
		return 0, false
	}
	if v, err := strconv.Atoi(n.text); err == nil {
		return v, true
	}
	v, err := strconv.ParseFloat(n.text, 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) >= 1<<31 {
		return 0, false
	}
	return int(v), true
}

// digits returns a number as text: as a person wrote it in YAML, else 7.0 is 7, which
// programs may write for it.
func (n *node) digits() string {
	if v, ok := n.whole(); ok && n.source == "" {
		return strconv.Itoa(v)
	}
	return cmp.Or(n.source, n.text)
}
