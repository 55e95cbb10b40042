package dataset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// maxNodes bounds the expansion of aliases.
const maxNodes = 2_000_000

// parseYAML reads a document. It follows anchors and aliases; merge keys, tags
// other than !!str, and a second document are errors.
func parseYAML(data []byte, name string) (_ *node, err error) {
	// The parser is large and its input untrusted, so a panic is reported as a
	// problem of the text.
	defer func() {
		if r := recover(); r != nil {
			err = &Error{File: name, Index: -1, Problem: fmt.Sprintf("the YAML parser failed: %v", r), Want: "YAML"}
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if err := (&yamlGuard{name: name}).check(tokens); err != nil {
		return nil, err
	}
	f, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, yamlError(err, name)
	}
	y := &yamlReader{name: name, anchors: map[string]ast.Node{}, open: map[string]int{}}
	var root *node
	for _, doc := range f.Docs {
		if doc.Body == nil {
			continue
		}
		if root != nil {
			return nil, y.bad(doc.Body, "a second document", "one document per file")
		}
		if root, err = y.node(doc.Body, 0); err != nil {
			return nil, err
		}
	}
	if root == nil {
		return nil, &Error{File: name, Index: -1, Problem: "no content", Want: "test_cases"}
	}
	return root, nil
}

func yamlError(err error, name string) error {
	e := &Error{File: name, Index: -1, Problem: err.Error(), Want: "YAML"}
	var known yaml.Error
	if errors.As(err, &known) {
		e.Problem = known.GetMessage()
		if t := known.GetToken(); t != nil && t.Position != nil {
			e.Line = t.Position.Line
		}
	}
	e.Problem, _, _ = strings.Cut(e.Problem, "\n")
	return e
}

var jsonNumber = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

type yamlReader struct {
	name    string
	anchors map[string]ast.Node
	// open counts the anchors of each name that are being expanded.
	open  map[string]int
	nodes int
}

func (y *yamlReader) bad(n ast.Node, problem, want string) error {
	return &Error{File: y.name, Line: yamlLine(n), Index: -1, Problem: problem, Want: want}
}

func yamlLine(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

func (y *yamlReader) node(a ast.Node, depth int) (*node, error) {
	if y.nodes++; y.nodes > maxNodes {
		return nil, y.bad(a, fmt.Sprintf("more than %d values", maxNodes), "fewer aliases, or JSON Lines")
	}
	if depth > maxDepth {
		return nil, y.bad(a, fmt.Sprintf("values nested more than %d deep", maxDepth), "")
	}
	n := &node{line: yamlLine(a)}
	switch v := a.(type) {
	case nil, *ast.NullNode:
	case *ast.BoolNode:
		n.kind, n.yes = boolean, v.Value
	case *ast.IntegerNode:
		n.kind, n.text, n.source = number, fmt.Sprint(v.Value), v.Token.Value
	case *ast.FloatNode:
		n.kind, n.text, n.source = number, strconv.FormatFloat(v.Value, 'g', -1, 64), v.Token.Value
	case *ast.InfinityNode, *ast.NanNode:
		return nil, y.bad(a, fmt.Sprintf("number %s", a.GetToken().Value), "a finite number")
	case *ast.StringNode:
		n.kind, n.text = str, v.Value
		// The parser returns numbers that it cannot hold, and 1e9, as strings.
		if v.Token.Type == token.StringType && jsonNumber().MatchString(v.Value) {
			n.kind, n.source = number, v.Value
		}
	case *ast.LiteralNode:
		n.kind, n.text = str, v.Value.Value
	case *ast.SequenceNode:
		n.kind = list
		for _, item := range v.Values {
			one, err := y.node(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, one)
		}
	case *ast.MappingNode:
		return n, y.object(n, v.Values, depth)
	case *ast.MappingValueNode:
		return n, y.object(n, []*ast.MappingValueNode{v}, depth)
	case *ast.AnchorNode:
		name := v.Name.GetToken().Value
		y.anchors[name] = v.Value
		y.open[name]++
		defer func() { y.open[name]-- }()
		return y.node(v.Value, depth+1)
	case *ast.AliasNode:
		name := v.Value.GetToken().Value
		target, ok := y.anchors[name]
		if !ok {
			return nil, y.bad(a, fmt.Sprintf("alias %q", name), "an anchor above it")
		}
		if y.open[name] > 0 {
			return nil, y.bad(a, fmt.Sprintf("alias %q contains itself", name), "an anchor that ends above it")
		}
		return y.node(target, depth+1)
	case *ast.TagNode:
		return y.tagged(v, depth)
	default:
		return nil, y.bad(a, fmt.Sprintf("%v is not supported", a.Type()), "plain values, lists and maps")
	}
	return n, nil
}

func (y *yamlReader) object(n *node, values []*ast.MappingValueNode, depth int) error {
	n.kind = object
	for _, v := range values {
		switch v.Key.(type) {
		case *ast.MergeKeyNode, *ast.MappingKeyNode, *ast.AliasNode, *ast.AnchorNode, *ast.TagNode:
			return y.bad(v.Key, fmt.Sprintf("key %q", v.Key.String()), "a plain name")
		}
		name := v.Key.GetToken().Value
		if s, ok := v.Key.(*ast.StringNode); ok {
			name = s.Value
		}
		if n.get(name) != nil {
			return &Error{File: y.name, Line: yamlLine(v.Key), Index: -1, Field: name, Problem: "duplicate name in a map", Want: "one of them"}
		}
		value, err := y.node(v.Value, depth+1)
		if err != nil {
			return err
		}
		// A list or a map starts below its name; messages refer to the line of
		// the name.
		if value.kind == list || value.kind == object {
			value.line = yamlLine(v.Key)
		}
		n.fields = append(n.fields, field{name, value})
	}
	return nil
}

func (y *yamlReader) tagged(v *ast.TagNode, depth int) (*node, error) {
	if v.Start.Value != "!!str" {
		return nil, y.bad(v, fmt.Sprintf("tag %s", v.Start.Value), "plain values")
	}
	n, err := y.node(v.Value, depth+1)
	if err != nil {
		return nil, err
	}
	if n.kind == list || n.kind == object {
		return nil, y.bad(v, "tag !!str on "+n.what(), "plain values")
	}
	if n.kind != str {
		n.kind, n.text = str, v.Value.GetToken().Value
	}
	return n, nil
}
