package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	library "github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/jsonschema"
)

// schemas use every keyword that is checked.
var schemas = []string{
	`{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "integer", "minimum": 1, "maximum": 3}, "b": {"type": ["string", "null"]}},
	  "additionalProperties": false}`,
	`{"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string", "minLength": 2, "maxLength": 3, "pattern": "^x"}}`,
	`{"exclusiveMinimum": 0, "exclusiveMaximum": 2.5}`, `{"additionalProperties": {"minimum": 1, "maximum": 2}}`,
	`{"anyOf": [{"type": "string"}, {"$ref": "#/$defs/list"}], "$defs": {"list": {"type": "array", "items": {"$ref": "#"}}}}`,
	`{"oneOf": [{"type": "integer"}, {"minimum": 2}]}`,
	`{"allOf": [{"required": ["a"]}, {"not": {"required": ["b"]}}], "title": "T", "description": "D", "default": {}}`,
	`{"enum": ["x", 1, null, [1], {"a": 1}]}`,
	`{"const": {"a": [1]}}`,
	`{"properties": {"a": false, "b": true}}`,
}

var value *rapid.Generator[any]

func values(depth int) *rapid.Generator[any] {
	leaf := rapid.SampledFrom([]any{nil, true, "", "x", "xy", "xyzz", "é", json.Number("0"), json.Number("1.0"), json.Number("2"), json.Number("2.5")})
	if depth == 0 {
		return leaf
	}
	below := values(depth - 1)
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(below, 0, 3), func(all []any) any { return append([]any{}, all...) }),
		rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), below, 0, 3), func(m map[string]any) any { return m }))
}

// A value follows a schema exactly if a library for all of JSON Schema says so.
func TestAsTheLibrary(t *testing.T) {
	t.Parallel()
	value = values(2)
	for _, raw := range schemas {
		s, err := jsonschema.Parse([]byte(raw))
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		doc, err := library.UnmarshalJSON(strings.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		c := library.NewCompiler()
		if err := c.AddResource("schema", doc); err != nil {
			t.Fatal(err)
		}
		oracle, err := c.Compile("schema")
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			v := value.Draw(t, "value")
			got := s.Violations(v)
			if err := oracle.Validate(v); (err == nil) != (got == nil) {
				t.Fatalf("%s: %s: %q, and the library says %v", raw, jsonschema.Shown(v), got, err)
			}
		})
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	s, err := jsonschema.Parse([]byte(schemas[0]))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.Decode([]byte(`{"a": 4, "c": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Violations(v), "; "); got != `/: want the field "b"; /a: 4: want at most 3; /c: no value is allowed` {
		t.Error(got)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"format": "date"}`:                     `unknown field "format"`,
		`{"type": "text"}`:                       `type "text": want one of`,
		`{"type": 1}`:                            `type 1: want a type or a list of types`,
		`{"pattern": "("}`:                       `pattern: `,
		`{"items": {"properties": {"a": null}}}`: `items.a: null: want a schema`,
		`{"$ref": "#/$defs/a"}`:                  `$ref "#/$defs/a": want "#", or`,
		`{"$ref": "#"}`:                          `refers to itself`,
		`{} {}`:                                  `invalid character after top-level value`,
	} {
		if _, err := jsonschema.Parse([]byte(raw)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", raw, err, want)
		}
	}
}

// Schemas that refer to each other twice would take 2 to the power of 40 steps.
func TestManySteps(t *testing.T) {
	t.Parallel()
	defs := []string{`"d40": {"type": "string"}`}
	for i := range 40 {
		defs = append(defs, fmt.Sprintf(`"d%d": {"oneOf": [{"$ref": "#/$defs/d%d"}, {"$ref": "#/$defs/d%d"}]}`, i, i+1, i+1))
	}
	s, err := jsonschema.Parse([]byte(`{"$ref": "#/$defs/d0", "$defs": {` + strings.Join(defs, ",") + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	if s.Violations("x") == nil {
		t.Error("the value follows the schema: want the limit")
	}
}

func FuzzParse(f *testing.F) {
	for _, raw := range schemas {
		f.Add(raw, `{"a": [1, "x"]}`)
	}
	f.Add(`{"anyOf": [{"$ref": "#"}]}`, `1`)
	f.Fuzz(func(t *testing.T, raw, said string) {
		s, err := jsonschema.Parse([]byte(raw))
		if err != nil {
			return
		}
		if v, err := jsonschema.Decode([]byte(said)); err == nil {
			s.Violations(v)
		}
	})
}
