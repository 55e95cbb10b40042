package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/assay-eval/assay/internal/schema"
)

var recipe = schema.Format{Noun: "recipe", Schema: "assay.recipe/2"}

func TestCheck(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"\ufeff{\"schema\": \"assay.recipe/2\"}": "",
		" \n":                                    "not a recipe: the file is empty",
		"\ufeff":                                 "not a recipe: the file is empty",
		"{\n\"schema\": nonsense":                "not a recipe: line 2: invalid character 'o' in literal null (expecting 'u')",
		"[]":                                     "not a recipe: line 1: a JSON array: expected an object",
		"{}":                                     `not a recipe: it has no "schema": expected "assay.recipe/2"`,
		"{\n\n\"schema\": 2}":                    "recipe: line 3: schema: a number: expected a string",
		`{"schema": "assay.recipe/3"}`: `schema "assay.recipe/3" is newer than this version of assay, which reads up to ` +
			`"assay.recipe/2"; use a newer version`,
		`{"schema": "assay.recipe/10"}`: `schema "assay.recipe/10" is newer than this version of assay, which reads up to "assay.recipe/2"; ` +
			`use a newer version`,
		`{"schema": "assay.recipe/1"}`: `schema "assay.recipe/1": expected "assay.recipe/2"`,
		`{"schema": "assay.report/3"}`: `schema "assay.report/3": expected "assay.recipe/2"`,
	} {
		data, err := recipe.Check([]byte(in))
		if got := said(err); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if (err == nil) != (string(data) == `{"schema": "assay.recipe/2"}`) {
			t.Errorf("%q: read as %q", in, data)
		}
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestLocated(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"N": "1"}`:      "recipe: line 1: N: a string: expected a number",
		"{\n\"Eggs\": 1}": "recipe: line 2: Eggs: a number: expected a list",
		"{\"Hot\": {}}":   "recipe: line 1: Hot: an object: expected true or false",
		`{"By": []}`:      "recipe: line 1: By: an array: expected an object",
	} {
		var v struct {
			N    int
			Eggs []string
			Hot  bool
			By   map[string]string
		}
		if got := said(recipe.Located([]byte(in), json.Unmarshal([]byte(in), &v))); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"\ufeff{\"schema\": \"a/1\"}": "a/1", "{}": "", "": "", `{"schema": 1}`: "", "[1]": "", `{"schema": "a/1"`: "",
	} {
		if got := schema.Of([]byte(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	data := []byte("a\nb\n\nc")
	for offset, want := range map[int64]int{-5: 1, 0: 1, 1: 1, 2: 2, 4: 3, 5: 4, 99: 4} {
		if got := schema.Line(data, offset); got != want {
			t.Errorf("offset %d: line %d, want %d", offset, got, want)
		}
	}
}
