package config

import "errors"

// language is a code of ISO 639, or "auto".
type language struct{ p *string }

func (v language) Set(s string) error {
	ok := len(s) == 2 || len(s) == 3 || s == "auto"
	for _, c := range []byte(s) {
		ok = ok && 'a' <= c && c <= 'z'
	}
	if !ok {
		return errors.New(`want "auto", or a code of ISO 639 such as "yue", "zh" or "en"`)
	}
	*v.p = s
	return nil
}
func (v language) String() string { return *v.p }
func (v language) Type() string   { return "string" }
