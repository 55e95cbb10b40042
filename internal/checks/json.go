package checks

import (
	"encoding/json"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonschema"
)

var jsonKinds = map[string]kind{
	assay.CheckIsJSON:       {value: schema, exact: true, reads: isJSON},
	assay.CheckContainsJSON: {value: schema, exact: true, reads: containsJSON},
}

func isJSON(c assay.Check, answer string, _ float64) (bool, string) {
	v, err := jsonschema.Decode([]byte(answer))
	if err != nil {
		return false, "is not JSON: " + err.Error()
	}
	return follows(c, v)
}

// follows tests a JSON value by the schema of a check, if it has one.
func follows(c assay.Check, v any) (bool, string) {
	if c.Value == nil {
		return true, "is JSON"
	}
	s, err := schemaOf(c.Value)
	if err != nil {
		return false, err.Error()
	}
	all := s.Violations(v)
	return all == nil, "breaks the schema: " + strings.Join(all[:min(len(all), 3)], "; ")
}

// containsJSON tests every JSON object that begins at a brace of the answer and is not
// within an earlier one.
func containsJSON(c assay.Check, answer string, _ float64) (bool, string) {
	why := "holds no JSON object"
	for rest := answer; ; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return false, why
		}
		rest = rest[at:]
		d := json.NewDecoder(strings.NewReader(rest))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			rest = rest[1:]
			continue
		}
		passed, breaks := follows(c, v)
		if passed {
			return true, ""
		}
		why, rest = breaks, rest[d.InputOffset():]
	}
}
