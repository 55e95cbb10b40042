package checks

import (
	"encoding/json"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonschema"
)

func isJSON(m *meter, c assay.Check, answer string, _ float64) (bool, string) {
	v, err := jsonschema.Decode([]byte(answer))
	if err != nil {
		return false, "is not JSON: " + err.Error()
	}
	s, err := schemaOf(c.Value)
	if err != nil {
		return false, err.Error()
	}
	return follows(m, s, v)
}

// follows tests a JSON value by the schema of a check. null, which is no schema, allows all.
func follows(m *meter, s *jsonschema.Schema, v any) (bool, string) {
	if s == nil {
		return true, "is JSON"
	}
	all := s.Within(v, m.spend)
	return all == nil, "breaks the schema: " + strings.Join(all[:min(len(all), 3)], "; ")
}

// perByte is what it costs to decode a byte of JSON.
const perByte = 100

// containsJSON tests every JSON object that begins at a brace of the answer and is not
// within an earlier one.
func containsJSON(m *meter, c assay.Check, answer string, _ float64) (bool, string) {
	why := "holds no JSON object"
	s, err := schemaOf(c.Value)
	if err != nil {
		return false, err.Error()
	}
	for rest := answer; ; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return false, why
		}
		rest = rest[at:]
		read := strings.NewReader(rest)
		d := json.NewDecoder(read)
		d.UseNumber()
		var v any
		err := d.Decode(&v)
		m.spend(perByte * (len(rest) - read.Len()))
		if err != nil {
			rest = rest[1:]
			continue
		}
		passed, breaks := follows(m, s, v)
		if passed {
			return true, ""
		}
		why, rest = breaks, rest[d.InputOffset():]
	}
}
