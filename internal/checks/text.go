package checks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/jsonschema"
)

func contains(_ *meter, c assay.Check, answer string, _ float64) (bool, string) {
	var missing []string
	for _, s := range textsOf(c.Value) {
		if !strings.Contains(answer, s) {
			missing = append(missing, s)
		}
	}
	return missing == nil, "lacks " + quoted(missing)
}

func containsAny(_ *meter, c assay.Check, answer string, _ float64) (bool, string) {
	all := textsOf(c.Value)
	return slices.ContainsFunc(all, func(s string) bool { return strings.Contains(answer, s) }), "lacks each of " + quoted(all)
}

func startsWith(_ *meter, c assay.Check, answer string, _ float64) (bool, string) {
	return strings.HasPrefix(answer, c.Value.(string)), "does not start with " + quoted(textsOf(c.Value))
}

func near(m *meter, c assay.Check, answer string, limit float64) (bool, string) {
	want := c.Value.(string)
	is, wants := utf8.RuneCountInString(answer), utf8.RuneCountInString(want)
	if least := max(is-wants, wants-is); float64(least) > limit {
		return false, fmt.Sprintf("at least %d characters differ from %s, more than %v", least, quoted(textsOf(c.Value)), limit)
	}
	m.spend(is * wants)
	edits := levenshtein.ComputeDistance(want, answer)
	return float64(edits) <= limit, fmt.Sprintf("%d characters differ from %s, more than %v", edits, quoted(textsOf(c.Value)), limit)
}

func equals(_ *meter, c assay.Check, answer string, _ float64) (bool, string) {
	if s, ok := c.Value.(string); ok {
		return answer == s, "is not " + quoted([]string{s})
	}
	why := "is not the JSON " + jsonschema.Shown(c.Value)
	raw, err := json.Marshal(c.Value)
	if err != nil {
		return false, err.Error()
	}
	want, err := jsonschema.Decode(raw)
	if err != nil {
		return false, err.Error()
	}
	got, err := jsonschema.Decode([]byte(answer))
	return err == nil && jsonschema.Equal(got, want), why
}

func matches(m *meter, c assay.Check, answer string, _ float64) (bool, string) {
	source := c.Value.(string)
	if c.IgnoreCase {
		source = "(?i:" + source + ")"
	}
	return m.matches(answer, source).(bool), fmt.Sprintf("has no match of %s", source)
}

// lower returns a value with its texts in lower case.
func lower(v any) any {
	texts := textsOf(v)
	for i, s := range texts {
		texts[i] = strings.ToLower(s)
	}
	switch v.(type) {
	case string:
		return texts[0]
	case []string, []any:
		return texts
	}
	return v
}
