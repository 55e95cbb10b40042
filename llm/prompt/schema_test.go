package prompt

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	library "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/jsonschema"
)

// TestViolationsAreThoseOfTheLibrary compares the check of replies with a library for all of JSON Schema,
// by the schemas of every prompt and replies that break them in all ways.
func TestViolationsAreThoseOfTheLibrary(t *testing.T) {
	t.Parallel()
	var files []string
	for _, folder := range []string{"../../judge/question/prompts", "../../dataset/generate/prompts"} {
		found, err := filepath.Glob(folder + "/*.schema.json")
		if err != nil || len(found) == 0 {
			t.Fatalf("no schema in %s: %v", folder, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := compile(file, string(raw))
		if err != nil {
			t.Fatal(err)
		}
		c := library.NewCompiler()
		if err := c.AddResource("schema", s.doc); err != nil {
			t.Fatal(err)
		}
		oracle, err := c.Compile("schema")
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			reply := drawReply(t, s.check)
			v, err := jsonschema.Decode([]byte(reply))
			if err != nil {
				t.Fatalf("%s: %v", reply, err)
			}
			got := s.check.Violations(v)
			want := leaves(oracle.Validate(v))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %s:\n%q, and the library says\n%q", filepath.Base(file), reply, got, want)
			}
		})
	}
}

// drawReply draws the JSON of a value that follows the schema, but for a mistake here and
// there.
func drawReply(t *rapid.T, s *jsonschema.Schema) string {
	if s == nil || rapid.IntRange(0, 7).Draw(t, "mistake") == 0 {
		return rapid.SampledFrom([]string{
			`null`, `true`, `0`, `-0`, `2.0`, `-2.50`, `20e-1`, `2e-1`, `0.05E+2`, `0e-9`, `1e400`, `"x"`, `"supported"`, `""`, `[]`, `[1]`, `{}`, `{"id":1}`,
		}).Draw(t, "value")
	}
	switch s.Type[0] {
	case "object":
		var b bytes.Buffer
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			if rapid.IntRange(0, 7).Draw(t, "missing") > 0 {
				fmt.Fprintf(&b, ",%q:%s", name, drawReply(t, s.Properties[name]))
			}
		}
		if rapid.Bool().Draw(t, "further") {
			b.WriteString(`,"further":[1]`)
		}
		return "{" + strings.TrimPrefix(b.String(), ",") + "}"
	case "array":
		items := make([]string, rapid.IntRange(0, 3).Draw(t, "items"))
		for i := range items {
			items[i] = drawReply(t, s.Items)
		}
		return "[" + strings.Join(items, ",") + "]"
	case "boolean":
		return "false"
	}
	if s.Enum != nil {
		return jsonschema.Shown(rapid.SampledFrom(s.Enum).Draw(t, "one of the enum"))
	}
	if s.Type[0] == "string" {
		return `"word"`
	}
	return "3"
}

// leaves returns the violations of an error of the library.
func leaves(err error) []string {
	if err == nil {
		return nil
	}
	var e *library.ValidationError
	if !errors.As(err, &e) {
		return []string{err.Error()}
	}
	var out []string
	for _, c := range e.Causes {
		out = append(out, leaves(c)...)
	}
	if len(e.Causes) > 0 {
		return out
	}
	where := "/" + strings.Join(e.InstanceLocation, "/")
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return []string{fmt.Sprintf("%s: want the field %q", where, strings.Join(k.Missing, `", "`))}
	case *kind.Enum:
		return []string{fmt.Sprintf("%s: %s: want one of %s", where, jsonschema.Shown(k.Got), jsonschema.Shown(k.Want))}
	case *kind.Type:
		return []string{fmt.Sprintf("%s: a value of type %s: want %s", where, k.Got, strings.Join(k.Want, " or "))}
	}
	return []string{err.Error()}
}

// TestSchemaKeywords rejects schemas that replies cannot be checked by.
func TestSchemaKeywords(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"type":"object","minProperties":1}`:                  `unknown field "minProperties"`,
		`{"type":"object","properties":{"a":{"type":"text"}}}`: `a: type "text": want one of`,
		`{"type":"object","properties":{"a":{}}}`:              `a: type "": want one of`,
		`{"type":"array","items":{"type":["string","null"]}}`:  `type "string or null": want one of`,
		`{"type":"object","properties":{"a":null}}`:            `a: null: want a schema`,
		`{"type":"string","enum":[null]}`:                      `enum: <nil>: want a text or a number`,
		`{"type":"object"} {}`:                                 `invalid character after top-level value`,
	} {
		if _, err := compile("a.schema.json", raw); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v: want %q", raw, err, want)
		}
	}
}
