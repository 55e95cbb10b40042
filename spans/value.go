package spans

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonText returns a text as it is, and any other value as JSON; "" for nil.
func jsonText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	if e.SetEscapeHTML(false); e.Encode(v) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// unmarshal is [json.Unmarshal] that keeps numbers as they are written.
func unmarshal(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(into)
}
