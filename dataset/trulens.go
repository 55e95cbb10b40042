package dataset

import (
	"encoding/json"
	"slices"
	"strings"
)

// loadTrulens reads records. Events are traces.
func loadTrulens(l *loader) error {
	if slices.Contains(slices.Concat(l.excerpt.keys, l.excerpt.header), "record_attributes") {
		return &Error{File: l.src.name, Index: -1, Problem: "events of TruLens", Want: "assay import traces, which reads them as JSON"}
	}
	return l.byMapping()
}

// unquoted returns the text of a JSON string; a text that is none as it is.
func unquoted(s string) string {
	var inner string
	if strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(s), &inner) == nil && strings.TrimSpace(inner) != "" {
		return inner
	}
	return s
}
