// Package jsonschema checks JSON values by the keywords of JSON Schema that describe
// replies and answers. A library for all of JSON Schema takes several milliseconds of
// every start of the program, because it compiles the schemas of schemas.
package jsonschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// A Schema is a JSON schema. Its fields are the keywords that are checked; those that
// describe without a rule, such as "title", are read and ignored. Every other keyword
// is an error of [Parse], because a value would pass that the schema forbids.
type Schema struct {
	Type                 Types              `json:"type"`
	Enum                 []any              `json:"enum"`
	Const                json.RawMessage    `json:"const"`
	Properties           map[string]*Schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties *Schema            `json:"additionalProperties"`
	Items                *Schema            `json:"items"`
	MinItems             *int               `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	MinLength            *int               `json:"minLength"`
	MaxLength            *int               `json:"maxLength"`
	Pattern              string             `json:"pattern"`
	Minimum              *float64           `json:"minimum"`
	Maximum              *float64           `json:"maximum"`
	ExclusiveMinimum     *float64           `json:"exclusiveMinimum"`
	ExclusiveMaximum     *float64           `json:"exclusiveMaximum"`
	AllOf                []*Schema          `json:"allOf"`
	AnyOf                []*Schema          `json:"anyOf"`
	OneOf                []*Schema          `json:"oneOf"`
	Not                  *Schema            `json:"not"`
	Ref                  string             `json:"$ref"`
	Defs                 map[string]*Schema `json:"$defs"`
	Definitions          map[string]*Schema `json:"definitions"`

	Title       any `json:"title"`
	Description any `json:"description"`
	Default     any `json:"default"`
	Examples    any `json:"examples"`
	Comment     any `json:"$comment"`
	Dialect     any `json:"$schema"`
	ID          any `json:"$id"`

	// never is the schema false, which no value follows.
	never   bool
	pattern *regexp.Regexp
	// instructions is the number of those of the pattern, fixed the length of what values are
	// compared with.
	instructions, fixed int
}

// Types are the types that a value may have; none means any.
type Types []string

// TypeNames lists the types of JSON Schema.
var TypeNames = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// UnmarshalJSON reads one type or a list.
func (t *Types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = Types{one}
		return nil
	}
	var all []string
	if err := json.Unmarshal(b, &all); err != nil {
		return fmt.Errorf("type %s: want a type or a list of types", b)
	}
	*t = all
	return nil
}

// UnmarshalJSON reads an object with known keywords, or true or false.
func (s *Schema) UnmarshalJSON(b []byte) error {
	switch string(bytes.TrimSpace(b)) {
	case "true":
		*s = Schema{}
		return nil
	case "false":
		*s = Schema{never: true}
		return nil
	}
	type plain Schema
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	d.DisallowUnknownFields()
	return d.Decode((*plain)(s))
}

// Parse reads a schema. It is an error if a keyword is unknown or a value is not one
// that the keyword may have.
func Parse(raw []byte) (*Schema, error) {
	if _, err := Decode(raw); err != nil {
		return nil, err
	}
	var s *Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	if err := s.valid(s, ""); err != nil {
		return nil, err
	}
	return s, nil
}

// Decode parses one JSON value, with numbers as they are written.
func Decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("invalid character after top-level value")
	}
	return v, nil
}

// maxDepth bounds the nesting of schemas and of references without a value between.
const maxDepth = 64

// valid checks a schema at a place and everything below it, and compiles its pattern.
func (s *Schema) valid(root *Schema, at string) error {
	prefix := ""
	if at != "" {
		prefix = at + ": "
	}
	if s == nil {
		return fmt.Errorf("%snull: want a schema", prefix)
	}
	if strings.Count(at, ".") > maxDepth {
		return fmt.Errorf("%s: nested more than %d deep", at, maxDepth)
	}
	for _, t := range s.Type {
		if !slices.Contains(TypeNames, t) {
			return fmt.Errorf("%stype %q: want one of %q", prefix, t, TypeNames)
		}
	}
	if s.Ref != "" {
		if to, err := s.refers(root); err != nil {
			return fmt.Errorf("%s%w", prefix, err)
		} else if to == s {
			return fmt.Errorf("%s$ref %q: refers to itself", prefix, s.Ref)
		}
	}
	if s.Pattern != "" {
		var err error
		if s.pattern, err = regexp.Compile(s.Pattern); err != nil {
			return fmt.Errorf("%spattern: %w", prefix, err)
		}
		// What the package regexp has compiled.
		if tree, err := syntax.Parse(s.Pattern, syntax.Perl); err == nil {
			if code, err := syntax.Compile(tree.Simplify()); err == nil {
				s.instructions = len(code.Inst)
			}
		}
	}
	s.fixed = len(s.Const) + len(s.Required)
	for _, one := range s.Enum {
		s.fixed += len(fmt.Sprint(one))
	}
	for _, below := range s.below() {
		name := below.name
		if at != "" {
			name = at + "." + name
		}
		if err := below.schema.valid(root, name); err != nil {
			return err
		}
	}
	return nil
}

type named struct {
	name   string
	schema *Schema
}

// below lists the schemas in a schema.
func (s *Schema) below() []named {
	var out []named
	for _, one := range []named{{"items", s.Items}, {"additionalProperties", s.AdditionalProperties}, {"not", s.Not}} {
		if one.schema != nil {
			out = append(out, one)
		}
	}
	for _, group := range []struct {
		prefix string
		of     map[string]*Schema
	}{{"", s.Properties}, {"$defs.", s.Defs}, {"definitions.", s.Definitions}} {
		for _, name := range sortedNames(group.of) {
			out = append(out, named{group.prefix + name, group.of[name]})
		}
	}
	for _, group := range []struct {
		name string
		of   []*Schema
	}{{"allOf", s.AllOf}, {"anyOf", s.AnyOf}, {"oneOf", s.OneOf}} {
		for _, one := range group.of {
			out = append(out, named{group.name, one})
		}
	}
	return out
}

// refers returns the schema that a reference names.
func (s *Schema) refers(root *Schema) (*Schema, error) {
	if s.Ref == "#" {
		return root, nil
	}
	for prefix, of := range map[string]map[string]*Schema{"#/$defs/": root.Defs, "#/definitions/": root.Definitions} {
		if name, ok := strings.CutPrefix(s.Ref, prefix); ok && of[name] != nil {
			return of[name], nil
		}
	}
	return nil, fmt.Errorf("$ref %q: want \"#\", or \"#/$defs/NAME\" with a name that the schema defines", s.Ref)
}
