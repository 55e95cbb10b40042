// Package secret hides keys, passwords and tokens: such a value does not print, and can
// be removed from any text.
package secret

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// named and header match names of credentials. Servers call the header of a key as they like.
var (
	named = lazyregexp.New(`(?i:^(key|(.*[._-])?((api|access|auth|secret|private)[_-]?key|((api|access|auth|bearer)[_-]?)?token|` +
		`secret|passw(or)?d|pass|pwd|auth([_-]?header)?|authorization|credentials?|cookie))$)|_KEY$`)
	header = lazyregexp.New(`(?i)((^|[._-])pass|auth|authorization|key|token|secret|passw(or)?d|pwd|cookie|credentials?|session)` +
		`([._-]?(id|value|header|[0-9]+))?$`)
)

// Named reports whether a placeholder, a parameter, a field or a variable of that name holds a
// key or a password.
func Named(name string) bool { return named().MatchString(name) }

// Header reports whether a header of that name holds a credential.
func Header(name string) bool {
	return header().MatchString(name) && !strings.EqualFold(name, "Idempotency-Key")
}

// hidden replaces a secret.
const hidden = "[secret]"

// leastSecret is the minimum length, in bytes, of a key that is removed from texts.
// Local servers accept any key, and users set it to "none" or "ollama"; removing such a
// word would damage replies.
const leastSecret = 8

// A Secret is a key, a password or a token. Printed or encoded in any way, it shows as
// [secret]: the key is inside a closure, which neither fmt nor reflection can read. The
// zero Secret is an empty key.
type Secret struct {
	reveal func() string
	scrub  func(string) string
}

// New hides a key. The empty key is the zero Secret.
func New(key string) Secret {
	if key == "" {
		return Secret{}
	}
	s := Secret{reveal: func() string { return key }}
	if len(key) >= leastSecret {
		s.scrub = strings.NewReplacer(pairs(forms(key))...).Replace
	}
	return s
}

// A Set is several secrets.
type Set []Secret

// Scrub removes all secrets from a text.
func (s Set) Scrub(text string) string {
	for _, one := range s {
		text = one.Scrub(text)
	}
	return text
}

// Hide removes all secrets from the strings of what a pointer points to, which encodes as JSON,
// but for the names of fields.
func (s Set) Hide(to any) error {
	data, err := json.Marshal(to)
	if err != nil || s.Scrub(string(data)) == string(data) {
		return err
	}
	var v any
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	if err := in.Decode(&v); err != nil {
		return err
	}
	if data, err = json.Marshal(s.hide(v)); err != nil {
		return err
	}
	clean := reflect.New(reflect.TypeOf(to).Elem())
	err = json.Unmarshal(data, clean.Interface())
	reflect.ValueOf(to).Elem().Set(clean.Elem())
	return err
}

func (s Set) hide(v any) any {
	switch v := v.(type) {
	case string:
		return s.Scrub(v)
	case []any:
		for i := range v {
			v[i] = s.hide(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = s.hide(v[key])
		}
	}
	return v
}

// Empty reports whether there is no key.
func (s Secret) Empty() bool { return s.reveal == nil }

// Scrub replaces the key in a text by [secret], in every form: plain, escaped as in
// JSON, HTML or a URL, in hexadecimal, or within base64, such as a basic authentication
// header. Keys of fewer than eight bytes are kept, since they are usually words such as
// "none".
func (s Secret) Scrub(text string) string {
	if s.scrub == nil {
		return text
	}
	return s.scrub(text)
}

// Value returns the key, only for the request that needs it.
func (s Secret) Value() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// String returns [secret], or "" if there is no key.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return hidden
}

// GoString returns String.
func (s Secret) GoString() string { return s.String() }

// Format writes String for every verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText returns String; JSON and other encodings use it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON returns String as a JSON string.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// forms lists the forms of a key in texts, longest first, so that replacing one form
// leaves no part of a longer one.
func forms(key string) []string {
	all := []string{
		key, html.EscapeString(key), url.QueryEscape(key), url.PathEscape(key),
		hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key))),
	}
	for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			// Three bytes become four characters, so the text before the key shifts it
			// in one of three ways. Characters that share bits with neighbours are
			// omitted.
			coded := coding.EncodeToString(append(make([]byte, before), key...))
			all = append(all, coded[(8*before+5)/6:8*(before+len(key))/6])
		}
	}
	// Twice: a server may embed the JSON of a request in its JSON reply.
	for range 2 {
		for _, form := range slices.Clone(all) {
			quoted, _ := json.Marshal(form) // a string can always be encoded
			escaped := string(quoted[1 : len(quoted)-1])
			all = append(all, escaped, strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(escaped))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(all)
}

func pairs(forms []string) []string {
	var p []string
	for _, f := range forms {
		p = append(p, f, hidden)
	}
	return p
}
