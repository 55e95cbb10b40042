// Package secret hides keys, passwords and tokens: a value that does not print,
// and that can be found and taken out of any text.
package secret

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
)

// hidden stands where a secret was.
const hidden = "[secret]"

// leastSecret is the length, in bytes, from which on a key is taken out of
// texts. Servers on one's own machine take any key, and users give them
// "none" or "ollama"; to take such a word out of replies would spoil them.
const leastSecret = 8

// A Secret is a key, a password or a token. However it is printed or encoded, it shows
// as [secret]: the key is behind a function, where neither fmt nor reflection
// reaches it. The zero Secret is no key.
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

// Scrub takes all of them out of a text.
func (s Set) Scrub(text string) string {
	for _, one := range s {
		text = one.Scrub(text)
	}
	return text
}

// Empty reports whether there is no key.
func (s Secret) Empty() bool { return s.reveal == nil }

// Scrub returns the text with [secret] in every place where the key is: as it
// is, escaped as in JSON, HTML or a URL, in hexadecimal, or within a text that
// is encoded in base64, such as a header of basic authentication. Keys of fewer
// than eight bytes are no secrets, but words such as "none".
func (s Secret) Scrub(text string) string {
	if s.scrub == nil {
		return text
	}
	return s.scrub(text)
}

// Value is the key itself, for the request that needs it and nothing else.
func (s Secret) Value() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// String gives [secret], or nothing when there is no key.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return hidden
}

// GoString is String.
func (s Secret) GoString() string { return s.String() }

// Format writes String, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, s.String()) }

// MarshalText gives String; JSON and other encodings use it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON gives String as a JSON string.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// forms lists how a key may look in a text, longest first, so that no form
// leaves a piece of a longer one behind.
func forms(key string) []string {
	all := []string{
		key, html.EscapeString(key), url.QueryEscape(key), url.PathEscape(key),
		hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key))),
	}
	for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			// Three bytes are four characters, so that what stands before
			// the key shifts it in one of three ways. Characters that share
			// bits with neighbours are left out.
			coded := coding.EncodeToString(append(make([]byte, before), key...))
			all = append(all, coded[(8*before+5)/6:8*(before+len(key))/6])
		}
	}
	// Twice: a server may put the JSON of a request into that of its reply.
	for range 2 {
		for _, form := range slices.Clone(all) {
			quoted, _ := json.Marshal(form) // a string has always one
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
