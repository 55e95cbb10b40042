package checks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assay-eval/assay"
)

// fields are the fields of a check beside its kind, as files write them.
const fields = "name, when, value, not, ignore_case, trim, threshold, relative, min, max, of, timeout, weight, range, unit, better, checks"

// Parse reads a check of a configuration from JSON, and checks that it is complete.
func Parse(data []byte) (assay.Check, error) {
	var c assay.Check
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Field != "" {
			return c, &Problem{kind.Field, "a " + kind.Value, "a " + plainType(kind.Type.String())}
		}
		if kind != nil {
			return c, fmt.Errorf("a %s: expected a check, such as {kind: contains, value: 30 days}", kind.Value)
		}
		return c, fmt.Errorf("%s: expected a check with a kind and some of %s", strings.TrimPrefix(err.Error(), "json: "), fields)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return c, errors.New("text follows the check: expected one object")
	}
	return c, ValidSetting(c)
}

// plainType returns the name of a type of Go as a user knows it.
func plainType(name string) string {
	switch strings.TrimLeft(name, "*[]") {
	case "float64":
		if strings.HasPrefix(name, "[]") {
			return "list of numbers"
		}
		return "number"
	case "string":
		return "text"
	case "bool":
		return "value true or false"
	}
	return "check, such as {kind: contains, value: 30 days}"
}
