package config

import "errors"

// spoken is the language of recordings: a code of ISO 639, or "auto".
type spoken struct{ p *string }

func (v spoken) Set(s string) error {
	ok := len(s) == 2 || len(s) == 3 || s == "auto"
	for _, c := range []byte(s) {
		ok = ok && 'a' <= c && c <= 'z'
	}
	if !ok {
		return errors.New(`expected "auto", or a code of ISO 639 such as "yue", "zh" or "en"`)
	}
	*v.p = s
	return nil
}
func (v spoken) String() string { return *v.p }
func (v spoken) Type() string   { return "string" }
