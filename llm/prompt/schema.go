package prompt

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/jsonschema"
)

// A schema is the schema of a task's replies, both as it is sent and as replies are
// validated.
type schema struct {
	raw json.RawMessage
	doc any
	// check is the schema of a reply, nil without.
	check *jsonschema.Schema
}

// compile parses a schema. Providers that enforce schemas require strict ones, where
// every field is required and no other is allowed. Validation is more lenient: further
// fields are ignored, and those of spared may be missing.
func compile(file, raw string) (schema, error) {
	strict, err := parse([]byte(raw))
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	doc, err := jsonschema.Decode([]byte(raw))
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	relax(doc)
	relaxed, err := json.Marshal(doc)
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	out := schema{raw: json.RawMessage(strict.string()), doc: doc}
	if out.check, err = jsonschema.Parse(relaxed); err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	if err := plain(out.check); err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	return out, nil
}

// plain returns an error if a schema asks for what some provider does not enforce: a value
// of no type or of several, or an enum of other values than texts and numbers.
func plain(s *jsonschema.Schema) error {
	if len(s.Type) != 1 {
		return fmt.Errorf("type %q: want one of %q", strings.Join(s.Type, " or "), jsonschema.TypeNames)
	}
	for _, one := range s.Enum {
		switch one.(type) {
		case string, json.Number:
		default:
			return fmt.Errorf("enum: %v: want a text or a number", one)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if err := plain(s.Properties[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if s.Items == nil {
		return nil
	}
	return plain(s.Items)
}

// spared are fields without which a ruling still has one meaning. One without a confidence
// counts as not sure, one without "against" as one that no source speaks against.
var spared = []any{"why", "confidence", "against"}

func relax(v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["additionalProperties"] == false {
			delete(v, "additionalProperties")
		}
		if required, ok := v["required"].([]any); ok {
			v["required"] = slices.DeleteFunc(required, func(name any) bool { return slices.Contains(spared, name) })
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
	v, err := jsonschema.Decode(object)
	if err != nil {
		return err
	}
	all := s.check.Violations(v)
	if all == nil {
		return nil
	}
	const most = 5
	if len(all) > most {
		all = append(all[:most], fmt.Sprintf("and %d more", len(all)-most))
	}
	return errors.New(strings.Join(all, "; "))
}

// items returns the elements of the field "items" that follow the schema.
func (s schema) items(object []byte) []json.RawMessage {
	if s.check == nil || s.check.Properties["items"] == nil || s.check.Properties["items"].Items == nil {
		return nil
	}
	var reply struct {
		Items []json.RawMessage `json:"items"`
	}
	if json.Unmarshal(object, &reply) != nil {
		return nil
	}
	return slices.DeleteFunc(reply.Items, func(raw json.RawMessage) bool {
		v, err := jsonschema.Decode(raw)
		return err != nil || s.check.Properties["items"].Items.Violations(v) != nil
	})
}
