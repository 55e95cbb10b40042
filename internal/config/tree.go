package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/assay-eval/assay/internal/yaml"
)

// fields returns the fields of a mapping; ok is false if the node is not a
// mapping.
func fields(n ast.Node) (_ []*ast.MappingValueNode, ok bool) {
	switch m := n.(type) {
	case *ast.MappingNode:
		return m.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{m}, true
	}
	return nil, false
}

// keyOf returns the name of a field.
func keyOf(v *ast.MappingValueNode) string {
	if v.Key == nil || v.Key.GetToken() == nil {
		return ""
	}
	return v.Key.GetToken().Value
}

// empty reports whether a node has no value.
func empty(n ast.Node) bool {
	switch n.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
		return true
	}
	return false
}

// plain returns a node's value as encoding/json would: objects, lists, strings,
// numbers, booleans, nil.
func plain(n ast.Node, depth int) (any, error) {
	if empty(n) {
		return nil, nil
	}
	if depth > yaml.MaxDepth {
		return nil, fmt.Errorf("values are nested more than %d deep", yaml.MaxDepth)
	}
	if m, ok := fields(n); ok {
		out := make(map[string]any, len(m))
		for _, v := range m {
			is, err := plain(v.Value, depth+1)
			if err != nil {
				return nil, err
			}
			if _, twice := out[keyOf(v)]; twice {
				return nil, fmt.Errorf("line %d: duplicate key %q", yaml.Line(v.Key), keyOf(v))
			}
			out[keyOf(v)] = is
		}
		return out, nil
	}
	switch v := n.(type) {
	case *ast.SequenceNode:
		out := make([]any, len(v.Values))
		for i, item := range v.Values {
			var err error
			if out[i], err = plain(item, depth+1); err != nil {
				return nil, err
			}
		}
		return out, nil
	case *ast.StringNode:
		return v.Value, nil
	case *ast.LiteralNode:
		return v.Value.Value, nil
	case *ast.IntegerNode:
		return v.Value, nil
	case *ast.FloatNode:
		if math.IsInf(v.Value, 0) || math.IsNaN(v.Value) {
			break
		}
		return v.Value, nil
	case *ast.BoolNode:
		return v.Value, nil
	}
	return nil, fmt.Errorf("line %d: %q: expected a text, a number, true, false, a list or a mapping", yaml.Line(n), n.GetToken().Value)
}

// expandAll expands every text within a value; keys stay as they are.
func expandAll(v any, in func(string) (string, error)) (_ any, err error) {
	switch v := v.(type) {
	case string:
		return in(v)
	case []any:
		for i := range v {
			if v[i], err = expandAll(v[i], in); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if v[key], err = expandAll(v[key], in); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// parseTree parses a typed value as JSON or YAML. A placeholder may replace a
// JSON value, as in {"k": {{top_k}}}; it is treated as if it were quoted. A
// text that begins with a placeholder is a plain string.
func parseTree(s string) (any, error) {
	if json.Valid([]byte(s)) {
		var v any
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		err := d.Decode(&v)
		return v, err
	}
	switch trimmed := strings.TrimSpace(s); {
	case strings.HasPrefix(trimmed, "{{"):
		return s, nil
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["):
		if quoted := quotePlaceholders(s); quoted != s {
			return parseTree(quoted)
		}
	}
	n, err := yaml.Parse("YAML", []byte(s))
	if err != nil {
		return nil, err
	}
	return plain(n, 0)
}

// quotePlaceholders quotes the placeholders outside of quotes.
func quotePlaceholders(s string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == '"' && c == '\\' && i+1 < len(s):
			b.WriteByte(c)
			i++
			c = s[i]
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && strings.HasPrefix(s[i:], "{{"):
			if end := strings.Index(s[i:], "}}"); end > 0 {
				is, err := json.Marshal(s[i : i+end+2])
				if err == nil {
					b.Write(is)
					i += end + 1
					continue
				}
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// compact writes a value as JSON in one line, leaving < and > as they are.
func compact(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// tree is the value of a template: any JSON value, stored as JSON.
type tree struct{ p *string }

// Set reads JSON or YAML.
func (v tree) Set(s string) error {
	is, err := parseTree(s)
	if err != nil {
		return err
	}
	if is == nil {
		*v.p = ""
		return nil
	}
	*v.p, err = compact(is)
	return err
}
func (v tree) String() string { return *v.p }
func (v tree) Type() string   { return "JSON" }
