package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// File sets what a YAML configuration file says. Every problem is reported
// with its line: a key that does not exist, a value of the wrong kind, a key
// given twice. name is the file's, for messages.
func (r *Resolved) File(name string, data []byte) error {
	f, err := parser.ParseBytes(data, 0)
	if err != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimSpace(err.Error()))
	}
	if len(f.Docs) > 1 {
		return fmt.Errorf("%s:%d: a second document: want one", name, f.Docs[1].Start.Position.Line)
	}
	if len(f.Docs) == 0 || f.Docs[0].Body == nil {
		return nil
	}
	return r.node(name, "", f.Docs[0].Body)
}

func (r *Resolved) node(name, prefix string, n ast.Node) error {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	case *ast.NullNode, *ast.CommentGroupNode:
		return nil
	default:
		return fmt.Errorf("%s:%d: want settings as \"key: value\"", name, n.GetToken().Position.Line)
	}
	var problems []error
	for _, v := range values {
		line := v.Key.GetToken().Position.Line
		key := prefix + v.Key.GetToken().Value
		where := fmt.Sprintf("%s:%d", name, line)
		if _, nested := v.Value.(ast.MapNode); nested && isSection(key) {
			if err := r.node(name, key+".", v.Value); err != nil {
				problems = append(problems, err)
			}
			continue
		}
		s, ok, err := valueOf(key, v.Value)
		if err == nil && ok {
			err = r.Set(key, s, FromFile, where)
		} else if err == nil {
			_, err = Find(key)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", where, err))
		}
	}
	return errors.Join(problems...)
}

func isSection(key string) bool {
	for _, s := range Settings {
		if strings.HasPrefix(s.Key, key+".") {
			return true
		}
	}
	return false
}

// valueOf gives a node's value as a flag would carry it: a nested setting's as
// JSON.
func valueOf(key string, n ast.Node) (s string, ok bool, err error) {
	if set, err := Find(key); err != nil || !set.Nested {
		return scalar(n)
	}
	if _, null := n.(*ast.NullNode); null {
		return "", false, nil
	}
	var v any
	if err := yaml.NodeToValue(n, &v); err != nil {
		return "", false, errors.New(strings.TrimSpace(err.Error()))
	}
	b, err := json.Marshal(v)
	return string(b), true, err
}

// scalar gives a node's value as a flag would carry it; ok is false when the
// node is empty.
func scalar(n ast.Node) (s string, ok bool, err error) {
	switch v := n.(type) {
	case *ast.NullNode:
		return "", false, nil
	case *ast.SequenceNode:
		var items []string
		for _, item := range v.Values {
			s, ok, err := scalar(item)
			if err != nil || !ok || strings.Contains(s, ",") {
				return "", false, errors.New("want a list of words")
			}
			items = append(items, s)
		}
		return strings.Join(items, ","), len(items) > 0, nil
	case *ast.StringNode:
		return v.Value, true, nil
	case *ast.LiteralNode:
		return v.Value.Value, true, nil
	case ast.ScalarNode:
		return v.GetToken().Value, true, nil
	}
	return "", false, errors.New("want a value or a list, not settings")
}
