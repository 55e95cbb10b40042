package prompt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// A schema is the schema of a task's replies, both as it is sent and as replies are
// validated.
type schema struct {
	raw json.RawMessage
	doc any
	// check is the schema of a reply, nil without.
	check *shape
}

// A shape is a JSON schema in the keywords that tasks use: type, enum, properties,
// required and items. A library for all of JSON Schema takes several milliseconds of
// every start of the program, because it compiles the schemas of schemas.
type shape struct {
	Type       string            `json:"type"`
	Enum       []any             `json:"enum"`
	Properties map[string]*shape `json:"properties"`
	Required   []string          `json:"required"`
	Items      *shape            `json:"items"`
}

// compile parses a schema. Providers that enforce schemas require strict ones, where
// every field is required and no other is allowed. Validation is more lenient: further
// fields are ignored, and those of spared may be missing.
func compile(file, raw string) (schema, error) {
	strict, err := parse([]byte(raw))
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	doc, err := decode([]byte(raw))
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	relax(doc)
	relaxed, err := json.Marshal(doc)
	if err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	out := schema{raw: json.RawMessage(strict.string()), doc: doc}
	d := json.NewDecoder(bytes.NewReader(relaxed))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&out.check); err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	if err := out.check.valid(); err != nil {
		return schema{}, fmt.Errorf("prompt: %s: %w", file, err)
	}
	return out, nil
}

// decode parses one JSON value, with numbers as they are written.
func decode(raw []byte) (any, error) {
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

// types are the types of a schema.
var types = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// valid returns an error if a type is missing or unknown, or an enum has other values than
// texts and numbers.
func (s *shape) valid() error {
	if s == nil {
		return errors.New("null: want a schema")
	}
	if !slices.Contains(types, s.Type) {
		return fmt.Errorf("type %q: want one of %q", s.Type, types)
	}
	for _, one := range s.Enum {
		switch one.(type) {
		case string, json.Number:
		default:
			return fmt.Errorf("enum: %v: want a text or a number", one)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if err := s.Properties[name].valid(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if s.Items == nil {
		return nil
	}
	return s.Items.valid()
}

// spared are fields that no verdict depends on. A ruling without a confidence counts as not
// sure.
var spared = []any{"why", "confidence"}

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
	v, err := decode(object)
	if err != nil {
		return err
	}
	all := s.check.violations(v, "", nil)
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
		v, err := decode(raw)
		return err != nil || s.check.Properties["items"].Items.violations(v, "", nil) != nil
	})
}

// violations appends what is wrong with the value at a place, in the order of the names of
// fields and of the elements.
func (s *shape) violations(v any, at string, out []string) []string {
	where := at
	if where == "" {
		where = "/"
	}
	if got := typeOf(v); got != s.Type && (s.Type != "integer" || got != "number" || !isWhole(string(v.(json.Number)))) {
		return append(out, fmt.Sprintf("%s: a value of type %s: want %s", where, got, s.Type))
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(one any) bool { return same(v, one) }) {
		return append(out, fmt.Sprintf("%s: %s: want one of %s", where, value(v), value(s.Enum)))
	}
	switch v := v.(type) {
	case map[string]any:
		missing := slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { _, has := v[name]; return has })
		if len(missing) > 0 {
			out = append(out, fmt.Sprintf("%s: want the field %q", where, strings.Join(missing, `", "`)))
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if field := s.Properties[name]; field != nil {
				out = field.violations(v[name], at+"/"+name, out)
			}
		}
	case []any:
		if s.Items == nil {
			return out
		}
		for i, item := range v {
			out = s.Items.violations(item, at+"/"+strconv.Itoa(i), out)
		}
	}
	return out
}

// same reports whether a value is one of an enum. Numbers of an enum are integers that
// float64 represents exactly, so no other integer is rounded to them.
func same(v, one any) bool {
	a, isNumber := v.(json.Number)
	b, wantsNumber := one.(json.Number)
	if !isNumber || !wantsNumber {
		return v == one
	}
	x, err := a.Float64()
	y, _ := b.Float64()
	return err == nil && x == y
}

// typeOf returns the type of a decoded value in the words of JSON Schema.
func typeOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	}
	return "null"
}

// isWhole reports whether a JSON number is an integer, as 2, 2.0 and 20e-1 are.
func isWhole(number string) bool {
	mantissa, power, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(number, "-")), "e")
	const far = 1 << 30
	shift, _ := strconv.Atoi(power) // the nearest int if it is out of range
	before, after, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(before+after, "0")
	return strings.Trim(digits, "0") == "" || len(digits) <= len(before)+min(max(shift, -far), far)
}

// value returns a model's value as text, truncated.
func value(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return text.Shorten(string(raw), 120)
}
