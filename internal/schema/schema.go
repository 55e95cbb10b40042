// Package schema checks the head of the JSON files that this program writes and reads:
// the format, the version, and the line of a mistake.
package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A Format is a kind of file.
type Format struct {
	// Noun is its name in messages, such as "report".
	Noun string
	// Schema is the value of its member "schema": the format and its version, such as
	// "assay.report/1".
	Schema string
}

// Of returns the schema of a JSON file; "" if it has none or is not JSON.
func Of(data []byte) string {
	var head struct {
		Schema string `json:"schema"`
	}
	if json.Unmarshal(bytes.TrimPrefix(data, bom), &head) != nil {
		return ""
	}
	return head.Schema
}

var bom = []byte("\ufeff")

// Check returns the data without a byte-order mark. It is an error if the data are not
// of the format, or of a later version.
func (f Format) Check(data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(data, bom)
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("not a %s: the file is empty", f.Noun)
	}
	var head struct {
		Schema *string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, f.Located(data, err)
	}
	switch {
	case head.Schema == nil:
		return nil, fmt.Errorf("not a %s: it has no \"schema\": expected %q", f.Noun, f.Schema)
	case f.newer(*head.Schema):
		return nil, fmt.Errorf("schema %q is newer than this version of assay, which reads up to %q; use a newer version", *head.Schema,
			f.Schema)
	case *head.Schema != f.Schema:
		return nil, fmt.Errorf("schema %q: expected %q", *head.Schema, f.Schema)
	}
	return data, nil
}

// newer reports whether the schema is a later version of the format.
func (f Format) newer(schema string) bool {
	name, version, _ := strings.Cut(f.Schema, "/")
	is, rest, _ := strings.Cut(schema, "/")
	have, err1 := strconv.Atoi(version)
	got, err2 := strconv.Atoi(rest)
	return name == is && err1 == nil && err2 == nil && got > have
}

// Located adds the line to an error of encoding/json with an offset, and says what
// would be right.
func (f Format) Located(data []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a %s: line %d: %w", f.Noun, Line(data, syntax.Offset), err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("not a %s: line %d: a JSON %s: expected an object", f.Noun, Line(data, kind.Offset), kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: line %d: %s: %s: expected %s", f.Noun, Line(data, kind.Offset), kind.Field, article(kind.Value),
			wanted(kind.Type.Kind()))
	}
	return fmt.Errorf("%s: %w", f.Noun, err)
}

// article adds an article to the name of a JSON type.
func article(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

// wanted names the JSON type for a kind of Go value.
func wanted(kind reflect.Kind) string {
	switch name := kind.String(); {
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"), strings.HasPrefix(name, "float"):
		return "a number"
	case name == "slice", name == "array":
		return "a list"
	case name == "map", name == "struct":
		return "an object"
	case name == "bool":
		return "true or false"
	default:
		return "a " + name
	}
}

// Line returns the line of a byte offset, from 1. An offset outside the data is moved
// to the nearer end.
func Line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), int64(len(data)))], []byte("\n"))
}
