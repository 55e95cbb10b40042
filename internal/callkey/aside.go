package callkey

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
)

// SamePayment reports whether two calls with the same key are one that was paid for once: its
// reply may have been marked meanwhile.
func SamePayment(a, b assay.Call) bool {
	return a.Run == b.Run && a.Made.Equal(b.Made) && a.Latency == b.Latency && a.Usage == b.Usage
}

// Aside returns a call, which another with its key replaces, under a key of its own that no request
// to come has: the text of its request also says who paid for it and when. So the ledger keeps what
// was paid, and a reply that is no longer used for an audit. The same call gives the same key.
func Aside(c assay.Call) (assay.Call, error) {
	var request map[string]any
	dec := json.NewDecoder(bytes.NewReader(c.Request))
	dec.UseNumber()
	if dec.Decode(&request) != nil || request == nil {
		// No client made it, and what was paid for it counts all the same.
		request = map[string]any{"request": string(c.Request)}
	}
	request["replaced"] = map[string]any{"run": c.Run, "made": c.Made.UTC().Format(time.RFC3339Nano)}
	text, err := json.Marshal(request)
	if err == nil {
		c.Request, err = Canonical(text)
	}
	if err != nil {
		return c, fmt.Errorf("call %q: its request: %w", c.Key, err)
	}
	c.Key = Of(c.Request)
	return c, nil
}
