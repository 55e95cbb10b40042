package dataset

import (
	"encoding/json"
	"strings"
)

// loadTrulens reads records, or events.
func loadTrulens(l *loader) error {
	if isTrulensEvents(l.excerpt.keys) || isTrulensEvents(l.excerpt.header) {
		return loadTrulensEvents(l)
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
