package checks

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/jsonschema"
	"github.com/assay-eval/assay/internal/text"
)

const oneText = "a text that is not empty"

func nothing(v any) error {
	if v != nil {
		return &Problem{"value", "this kind has none", "no field"}
	}
	return nil
}

// mustBe returns a problem with a value unless it fits.
func mustBe(v any, fits bool, want string) error {
	if fits {
		return nil
	}
	return &Problem{"value", what(v), want}
}

func anything(v any) error {
	return mustBe(v, v != nil, "a text, or a JSON value that the answer should be")
}

func anyText(v any) error {
	_, ok := v.(string)
	return mustBe(v, ok, "a text")
}

func textOnly(v any) error {
	s, _ := v.(string)
	return mustBe(v, s != "", oneText)
}

func texts(v any) error {
	all := textsOf(v)
	return mustBe(v, len(all) > 0 && !slices.Contains(all, ""), oneText+", or a list of such texts")
}

func pattern(v any) error {
	if err := textOnly(v); err != nil {
		return err
	}
	if _, err := regexp.Compile(v.(string)); err != nil {
		return &Problem{"value", err.Error(), "a regular expression in the syntax of RE2"}
	}
	return nil
}

func schema(v any) error {
	if _, err := schemaOf(v); err != nil {
		return &Problem{"value", err.Error(), "a JSON schema, or no field"}
	}
	return nil
}

// schemaOf returns the schema of a value, nil without one.
func schemaOf(v any) (*jsonschema.Schema, error) {
	if v == nil {
		return nil, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return jsonschema.Parse(raw)
}

// textsOf returns the texts of a value that is one, or a list of them; nil if it is
// neither.
func textsOf(v any) (out []string) {
	for _, one := range listed(v) {
		s, ok := one.(string)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}

func what(v any) string {
	switch {
	case v == nil:
		return "missing"
	case v == "":
		return "empty text"
	}
	return jsonschema.Shown(v)
}

func quoted(all []string) string {
	var out []string
	for _, s := range all {
		out = append(out, fmt.Sprintf("%q", text.Shorten(s, 80)))
	}
	return strings.Join(out, ", ")
}
