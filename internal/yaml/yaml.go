// Package yaml reads the small YAML files that people write for this program: strictly,
// with the line of every mistake, and safely for any input.
package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	// maxSize bounds a file in bytes, since the parser's time grows faster than its
	// input.
	maxSize = 1 << 20
	// MaxDepth bounds the nesting of values.
	MaxDepth = 100
)

// A File is a parsed file.
type File struct {
	name string
	// body is nil if the file is empty.
	body ast.Node
}

// Read decodes a file into the value that into points to. Unknown keys, values of the
// wrong type and errors of [Parse] are reported with the name, and the line if known.
// An empty file is not an error: see [File.Empty].
func Read(name string, data []byte, into any) (_ *File, err error) {
	body, err := Parse(name, data)
	if err != nil || body == nil {
		return &File{name: name}, err
	}
	defer survive(name, &err)
	if err := yaml.NodeToValue(body, into, yaml.Strict()); err != nil {
		return nil, placed(name, err)
	}
	return &File{name: name, body: body}, nil
}

// Parse returns the tree of a file; nil if it is empty. Aliases, anchors and tags,
// values nested more than [MaxDepth] deep, a second document, invalid UTF-8 and more
// than 1 MiB are errors that begin with the name, and the line if known.
func Parse(name string, data []byte) (_ ast.Node, err error) {
	defer survive(name, &err)
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > maxSize:
		return nil, fmt.Errorf("%s: %d bytes: expected at most %d", name, len(data), maxSize)
	case !utf8.Valid(data):
		return nil, fmt.Errorf("%s: expected UTF-8", name)
	}
	tokens := lexer.Tokenize(string(data))
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.AliasType, token.AnchorType, token.TagType, token.MergeKeyType:
			return nil, fmt.Errorf("%s:%d: %q: expected the value itself", name, t.Position.Line, t.Value)
		case token.MappingStartType, token.SequenceStartType:
			// the parser recurses for each
			if depth++; depth > MaxDepth {
				return nil, fmt.Errorf("%s:%d: values are nested more than %d deep", name, t.Position.Line, MaxDepth)
			}
		case token.MappingEndType, token.SequenceEndType:
			depth--
		}
	}
	f, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, placed(name, err)
	}
	docs := slices.DeleteFunc(slices.Clone(f.Docs), func(d *ast.DocumentNode) bool {
		return d.Body == nil || d.Body.Type() == ast.CommentType
	})
	switch {
	case len(docs) == 0:
		return nil, nil
	case len(docs) > 1:
		return nil, fmt.Errorf("%s:%d: a second document: expected one", name, Line(docs[1].Body))
	}
	return docs[0].Body, nil
}

// survive converts a panic of the parser to an error. The parser panics on some texts
// ("a: ! "), which for a user are mistakes in the text.
func survive(name string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: the YAML parser failed: %v", name, r)
	}
}

// Line returns the line of a node, counted from 1; 0 if unknown.
func Line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

// Empty reports whether the file has no content.
func (f *File) Empty() bool { return f.body == nil }

// placed formats an error of the parser on one line, with its position.
func placed(name string, err error) error {
	message, place := err.Error(), ""
	var known yaml.Error
	if errors.As(err, &known) {
		message = known.GetMessage()
		if t := known.GetToken(); t != nil && t.Position != nil {
			place = fmt.Sprintf(":%d", t.Position.Line)
		}
	}
	message, _, _ = strings.Cut(message, "\n")
	return fmt.Errorf("%s%s: %s", name, place, message)
}

// At returns "name:7" if the field is in line 7, or just the name if the line is
// unknown. A field is written as in "rules[2].text"; for a missing field the line of
// its parent is used.
func (f *File) At(field string) string {
	for f.body != nil {
		if p, err := yaml.PathString("$." + field); err == nil {
			if n, err := p.FilterNode(f.body); err == nil && Line(n) > 0 {
				return fmt.Sprintf("%s:%d", f.name, Line(n))
			}
		}
		i := strings.LastIndexAny(field, ".[")
		if i < 0 {
			break
		}
		field = field[:i]
	}
	return f.name
}
