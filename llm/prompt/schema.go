package prompt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/assay-eval/assay/internal/text"
)

// A schema is the schema of a task's replies, both as it is sent and as replies are
// validated.
type schema struct {
	raw   json.RawMessage
	doc   any
	check *jsonschema.Schema
	// item is the part of the schema for one of the "items", nil without.
	item *jsonschema.Schema
}

// compile parses a schema. Providers that enforce schemas require strict ones, where
// every field is required and no other is allowed. Validation is more lenient: further
// fields are ignored and reasons may be missing, because no verdict depends on them.
func compile(file, raw string) (schema, error) {
	strict, err := parse([]byte(raw))
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	relax(doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource(file, doc); err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	check, err := c.Compile(file)
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	out := schema{raw: json.RawMessage(strict.string()), doc: doc, check: check}
	if items := strict.at("properties").at("items"); items.at("items") != nil {
		if out.item, err = c.Compile(file + "#/properties/items/items"); err != nil {
			return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
		}
	}
	return out, nil
}

func relax(v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["additionalProperties"] == false {
			delete(v, "additionalProperties")
		}
		if required, ok := v["required"].([]any); ok {
			v["required"] = slices.DeleteFunc(required, func(name any) bool { return name == "why" })
		}
		for _, w := range v {
			relax(w)
		}
	case []any:
		for _, w := range v {
			relax(w)
		}
	}
}

// problems returns an error that lists where the object violates the schema and what is
// expected, or nil.
func (s schema) problems(object []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
	if err != nil {
		return err
	}
	err = s.check.Validate(doc)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	const most = 5
	all := leaves(invalid, nil)
	if len(all) > most {
		all = append(all[:most], fmt.Sprintf("and %d more", len(all)-most))
	}
	return errors.New(strings.Join(all, "; "))
}

// items returns the elements of the field "items" that follow the schema.
func (s schema) items(object []byte) []json.RawMessage {
	if s.item == nil {
		return nil
	}
	var reply struct {
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal(object, &reply) != nil {
		return nil
	}
	return slices.DeleteFunc(reply.Items, func(raw json.RawMessage) bool {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		return err != nil || s.item.Validate(doc) != nil
	})
}

func leaves(e *jsonschema.ValidationError, out []string) []string {
	for _, c := range e.Causes {
		out = leaves(c, out)
	}
	if len(e.Causes) > 0 {
		return out
	}
	where := "/" + strings.Join(e.InstanceLocation, "/")
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return append(out, fmt.Sprintf("%s: want the field %q", where, strings.Join(k.Missing, `", "`)))
	case *kind.Enum:
		return append(out, fmt.Sprintf("%s: %s: want one of %s", where, value(k.Got), value(k.Want)))
	case *kind.Type:
		return append(out, fmt.Sprintf("%s: a value of type %s: want %s", where, k.Got, strings.Join(k.Want, " or ")))
	}
	return append(out, where+": "+e.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
}

// value returns a model's value as text, truncated.
func value(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return text.Shorten(string(raw), 120)
}
