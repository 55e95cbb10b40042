package preset

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/target/template"
)

// Fill applies a user's values to the preset: each value has its Set, the paths of Read
// are complete, and whatever depends on an unset value is removed. Other placeholders
// remain for [Preset.Config] or a request. An empty text unsets a value, including one
// with a default. The error lists all values that are unknown, missing or of the wrong
// type.
func (p Preset) Fill(values map[string]string) (Preset, error) {
	var problems []error
	names := make([]string, len(p.Values))
	for i, v := range p.Values {
		names[i] = v.Name
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			problems = append(problems, fmt.Errorf("preset %s: unknown value %q: %s", p.Name, name, known(name, names)))
		}
	}

	p.Values = slices.Clone(p.Values)
	set, unset := map[string]any{}, map[string]bool{}
	var missing []string
	for i := range p.Values {
		v := &p.Values[i]
		text, given := values[v.Name]
		if !given {
			text = v.Default
		}
		switch one, err := v.parse(text); {
		case err != nil:
			problems = append(problems, fmt.Errorf("preset %s: %w", p.Name, err))
		case one != nil:
			v.Set, set[v.Name] = one, one
		case v.Required:
			missing = append(missing, fmt.Sprintf("--value %s=%s (%s)", v.Name, strings.ToUpper(v.Name), v.Doc))
		default:
			unset[v.Name] = true
		}
	}
	if len(missing) > 0 {
		problems = append(problems, fmt.Errorf("preset %s: missing %s", p.Name, strings.Join(missing, ", ")))
	}
	if len(problems) > 0 {
		return Preset{}, errors.Join(problems...)
	}

	p.Header = maps.Clone(p.Header)
	for name, text := range p.Header {
		if hangs(text, unset) {
			delete(p.Header, name)
		}
	}
	p.Send = without(p.Send, unset)
	read := map[string]string{}
	for field, path := range p.Read {
		if hangs(path, unset) {
			continue
		}
		whole, err := template.Text(path, set)
		if err != nil {
			return Preset{}, fmt.Errorf("preset %s: read.%s: %w", p.Name, field, err)
		}
		read[field] = whole
	}
	p.Read = read
	return p, nil
}

func known(name string, names []string) string {
	if len(names) == 0 {
		return "it has none"
	}
	return guess(name, names) + "expected one of " + strings.Join(names, ", ")
}

// parse converts a text to the value's type; nil for an empty text.
func (v Value) parse(text string) (any, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	switch v.Type {
	case TypeNumber:
		// Both checks: strconv accepts "Inf" and "0x1p-2", JSON does not.
		if _, err := strconv.ParseFloat(text, 64); err != nil || !json.Valid([]byte(text)) {
			return nil, fmt.Errorf("value %s=%q: expected a number", v.Name, text)
		}
		return json.Number(text), nil
	case TypeList:
		var list []any
		for one := range strings.SplitSeq(text, ",") {
			if one = strings.TrimSpace(one); one != "" {
				list = append(list, one)
			}
		}
		if list == nil {
			return nil, nil
		}
		return list, nil
	}
	return text, nil
}

// hangs reports whether a text depends on an unset value.
func hangs(text string, unset map[string]bool) bool {
	p, err := template.ParsePattern(text)
	return err == nil && slices.ContainsFunc(p.Names(), func(name string) bool { return unset[name] })
}

// without copies a decoded value without the object entries that consist only of an
// unset placeholder.
func without(v any, unset map[string]bool) any {
	switch v := v.(type) {
	case map[string]any:
		kept := make(map[string]any, len(v))
		for key, one := range v {
			if text, ok := one.(string); ok && hangs(text, unset) {
				continue
			}
			kept[key] = without(one, unset)
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i, one := range v {
			kept[i] = without(one, unset)
		}
		return kept
	}
	return v
}
