package config

import "slices"

// Imply chooses the adapter that other settings belong to if none is set. Of
// several such settings the last in the table decides, because it is the most
// specific.
func (r *Resolved) Imply() error {
	if r.strong["adapter"] != FromDefault {
		return nil
	}
	for _, s := range slices.Backward(Settings) {
		if s.Implies != "" && r.Get(s.Key) != "" {
			return r.Set("adapter", s.Implies, r.strong[s.Key], "implied by "+r.Origins[s.Key])
		}
	}
	return nil
}
