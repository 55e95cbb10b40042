package spans

import (
	"bytes"
	"encoding/json"
)

// jsonText returns a text as it is, and any other value as JSON; "" for nil.
func jsonText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	out, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}

// unmarshal is [json.Unmarshal] that keeps numbers as they are written.
func unmarshal(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(into)
}
