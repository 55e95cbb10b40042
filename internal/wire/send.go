package wire

import (
	"encoding/json"
	"fmt"
)

// send reads the template of what is sent: the one of the settings, else the
// other.
func (w *wiring) send(otherwise any) (v any, err error) {
	if w.cfg.Send == "" {
		return otherwise, nil
	}
	if err := json.Unmarshal([]byte(w.cfg.Send), &v); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	return v, nil
}
