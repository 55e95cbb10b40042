package question

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay/internal/text"
)

// fields reads the members of an object.
func fields(object []byte) (out map[string]json.RawMessage, err error) {
	return out, json.Unmarshal(object, &out)
}

// scoreField reads a field that is a number from 0 to top.
func scoreField(object map[string]json.RawMessage, name string, top float64) (float64, error) {
	raw, ok := object[name]
	if !ok {
		return 0, fmt.Errorf("it has no field %q: want a number from 0 to %v", name, top)
	}
	var v *float64
	if json.Unmarshal(raw, &v) != nil || v == nil || !(*v >= 0 && *v <= top) {
		return 0, fmt.Errorf("%q is %s: want a number from 0 to %v", name, text.Shorten(string(raw), 40), top)
	}
	return math.Abs(*v), nil // no -0
}

// levelField reads a field that is a level from 0 to top, as its share of top.
func levelField(object map[string]json.RawMessage, name string, top int) (float64, error) {
	v, err := scoreField(object, name, float64(top))
	if err == nil && v != math.Trunc(v) {
		err = fmt.Errorf("%q is %v: want a whole number from 0 to %d", name, v, top)
	}
	return v / float64(top), err
}

// truthField reads a field that is true or false.
func truthField(object map[string]json.RawMessage, name string) (bool, error) {
	var v *bool
	if raw, ok := object[name]; !ok {
		return false, fmt.Errorf("it has no field %q: want true or false", name)
	} else if json.Unmarshal(raw, &v) != nil || v == nil {
		return false, fmt.Errorf("%q is %s: want true or false", name, text.Shorten(string(raw), 40))
	}
	return *v, nil
}

// textField reads a field that is a text; "" if it is not there.
func textField(object map[string]json.RawMessage, name string) (string, error) {
	raw, ok := object[name]
	if !ok {
		return "", nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("%q is %s: want a text", name, text.Shorten(string(raw), 40))
	}
	return strings.TrimSpace(s), nil
}
