package prompt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// mend corrects formats that models without enforced schemas often use: a quoted number
// or boolean, 2.0 for 2, "Not found" for "not_found". It never changes the meaning; an
// ambiguous value is left unchanged. An object that needs no correction is returned as
// it is.
func (s schema) mend(object json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(object))
	d.UseNumber()
	var v any
	if object == nil || d.Decode(&v) != nil {
		return object
	}
	v, changed := mendValue(v, s.doc)
	if !changed {
		return object
	}
	out, err := json.Marshal(v)
	if err != nil { // cannot happen: it was decoded from JSON
		return object
	}
	return out
}

// mendValue returns the value in the format that its schema requires, and reports
// whether it changed.
func mendValue(v any, schema any) (_ any, changed bool) {
	want, _ := schema.(map[string]any)
	switch v := v.(type) {
	case map[string]any:
		fields, _ := want["properties"].(map[string]any)
		for name, field := range v {
			mended, other := mendValue(field, fields[name])
			if other {
				v[name], changed = mended, true
			}
		}
	case []any:
		for i, item := range v {
			mended, other := mendValue(item, want["items"])
			if other {
				v[i], changed = mended, true
			}
		}
	case json.Number:
		if want["type"] == "integer" {
			return withoutFraction(v)
		}
	case string:
		return mendWord(v, want)
	}
	return v, changed
}

// withoutFraction converts 2.0 to 2, because encoding/json accepts only that form as an
// integer.
func withoutFraction(n json.Number) (any, bool) {
	whole, fraction, found := strings.Cut(n.String(), ".")
	if !found || strings.Trim(fraction, "0") != "" {
		return n, false
	}
	return json.Number(whole), true
}

func mendWord(s string, want map[string]any) (any, bool) {
	said := strings.TrimSpace(s)
	switch want["type"] {
	case "integer":
		if n, err := strconv.Atoi(said); err == nil {
			return json.Number(strconv.Itoa(n)), true
		}
	case "boolean":
		switch strings.ToLower(said) {
		case "true":
			return true, true
		case "false":
			return false, true
		}
	case "string":
		words, _ := want["enum"].([]any)
		plain := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(said))
		if !slices.Contains(words, any(s)) && slices.Contains(words, any(plain)) {
			return plain, true
		}
	}
	return s, false
}
