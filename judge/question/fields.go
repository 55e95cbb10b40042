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

// field reads a field that must be there; want says in words what it holds.
func field[T any](object map[string]json.RawMessage, name, want string) (v T, err error) {
	raw, ok := object[name]
	if !ok {
		return v, fmt.Errorf("it has no field %q: want %s", name, want)
	}
	var given *T
	if json.Unmarshal(raw, &given) != nil || given == nil {
		return v, fmt.Errorf("%q is %s: want %s", name, text.Shorten(string(raw), 40), want)
	}
	return *given, nil
}

// scoreField reads a field that is a number from 0 to top.
func scoreField(object map[string]json.RawMessage, name string, top float64) (float64, error) {
	want := fmt.Sprintf("a number from 0 to %v", top)
	v, err := field[float64](object, name, want)
	if err == nil && !(v >= 0 && v <= top) {
		err = fmt.Errorf("%q is %s: want %s", name, text.Shorten(string(object[name]), 40), want)
	}
	return math.Abs(v), err // no -0
}

// levelField reads a field that is a level from 0 to top, as its share of top.
func levelField(object map[string]json.RawMessage, name string, top int) (float64, error) {
	v, err := scoreField(object, name, float64(top))
	if err == nil && v != math.Trunc(v) {
		err = fmt.Errorf("%q is %v: want a whole number from 0 to %d", name, v, top)
	}
	return v / float64(top), err
}

// textField reads a field that is a text; "" if it is not there.
func textField(object map[string]json.RawMessage, name string) (string, error) {
	if raw, ok := object[name]; !ok || string(raw) == "null" {
		return "", nil
	}
	s, err := field[string](object, name, "a text")
	return strings.TrimSpace(s), err
}
