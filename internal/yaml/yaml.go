// Package yaml reads the small YAML files that people write for this program:
// strictly, with the line of every mistake, and whatever is in them.
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

// maxSize bounds a file in bytes: the parser's time grows faster than its
// input.
const maxSize = 1 << 20

// A File is one that was read.
type File struct {
	name string
	// file is nil when it is empty.
	file *ast.File
}

// Read decodes a file into what into points to. Unknown keys, values of the
// wrong kind, aliases, a second document, text that is not UTF-8 and more than
// 1 MiB are errors that begin with the name, and the line where it is known. A
// file without content is no error: [File.Empty] tells.
func Read(name string, data []byte, into any) (_ *File, err error) {
	// The parser panics on some texts ("a: ! "). What it does not survive is a
	// mistake in the text, as far as a user is concerned.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: the YAML parser gave up: %v", name, r)
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch {
	case len(data) > maxSize:
		return nil, fmt.Errorf("%s: %d bytes: want at most %d", name, len(data), maxSize)
	case !utf8.Valid(data):
		return nil, fmt.Errorf("%s: want UTF-8", name)
	}
	tokens := lexer.Tokenize(string(data))
	for _, t := range tokens {
		if t.Type == token.AliasType {
			return nil, fmt.Errorf("%s:%d: an alias: want the value itself", name, t.Position.Line)
		}
	}
	parsed, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, placed(name, err)
	}
	docs := slices.DeleteFunc(slices.Clone(parsed.Docs), func(d *ast.DocumentNode) bool { return d.Body == nil || d.Body.Type() == ast.CommentType })
	switch {
	case len(docs) == 0:
		return &File{name: name}, nil
	case len(docs) > 1:
		return nil, fmt.Errorf("%s:%d: a second document: want one", name, docs[1].Body.GetToken().Position.Line)
	}
	if err := yaml.NodeToValue(docs[0].Body, into, yaml.Strict()); err != nil {
		return nil, placed(name, err)
	}
	return &File{name: name, file: parsed}, nil
}

// Empty reports whether there was nothing in the file.
func (f *File) Empty() bool { return f.file == nil }

// placed gives an error of the parser in one line, with its place.
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

// At gives "name:7" when the field stands in line 7, and the name alone when
// nobody knows. A field is written as in "rules[2].text"; one that is missing is
// looked for where its parent stands.
func (f *File) At(field string) string {
	for f.file != nil {
		if p, err := yaml.PathString("$." + field); err == nil {
			if n, err := p.FilterFile(f.file); err == nil && n.GetToken() != nil && n.GetToken().Position != nil {
				return fmt.Sprintf("%s:%d", f.name, n.GetToken().Position.Line)
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
