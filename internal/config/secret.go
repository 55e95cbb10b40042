package config

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/adapter"
)

// hidden replaces a secret.
var hidden = secret.New("x").String()

// address is the value of a URL, which may contain a password.
type address struct{ p *string }

func (v address) Set(s string) error { *v.p = s; return nil }
func (v address) String() string     { return *v.p }
func (v address) Type() string       { return "string" }

// onlyReferences matches a value that consists of variables alone, which is not
// a secret as written.
var onlyReferences = lazyregexp.New(`^((Bearer|Basic|Token|Api-Key) +)?(\$\{[A-Za-z_][A-Za-z0-9_]*\})+$`)

// Shown returns the value of a setting as typed, without headers, passwords and
// keys.
func (s Setting) Shown(typed string) string {
	e, ok := s.kind().(entries)
	if !ok {
		return s.shown("", typed)
	}
	name, v, err := e.split(typed)
	if err != nil {
		return hidden
	}
	sign := "="
	if _, ok := e.(headers); ok {
		sign = ": "
	}
	return name + sign + s.shown(name, v)
}

// shown redacts the secrets in a value as written.
func (s Setting) shown(entry, written string) string {
	switch p := s.kind().(type) {
	case address:
		return shownAddress(written)
	case tree:
		return shownTree(written)
	case texts:
		if p.loose && secret.Named(entry) {
			return shownSecret(written)
		}
	}
	if s.Secret {
		return shownSecret(written)
	}
	return written
}

func shownSecret(written string) string {
	if written == "" || onlyReferences().MatchString(written) {
		return written
	}
	return hidden
}

// userInfo and parameter find possible secrets in an address. Parsers of URLs
// reject placeholders.
var (
	userInfo  = lazyregexp.New(`^([A-Za-z][A-Za-z0-9+.-]*:)?//([^/?#]*)@`)
	parameter = lazyregexp.New(`[?&]([^=&#]+)=([^&#]*)`)
)

func shownAddress(written string) string {
	for _, is := range secretsOf(written) {
		if shownSecret(is) == hidden {
			// Longest first, because one secret may contain another.
			written = strings.ReplaceAll(written, is, hidden)
		}
	}
	return written
}

// secretsOf returns the secret parts of an address, longest first: the password
// (or the user name if there is none) and parameters such as api_key.
func secretsOf(address string) []string {
	var found []string
	if m := userInfo().FindStringSubmatch(address); m != nil {
		name, password, ok := strings.Cut(m[2], ":")
		if !ok && !strings.HasPrefix(m[1], "postgres") { // where it is the name of a role
			password = name
		}
		found = append(found, password)
	}
	for _, m := range parameter().FindAllStringSubmatch(address, -1) {
		if secret.Named(m[1]) {
			found = append(found, m[2])
		}
	}
	found = slices.DeleteFunc(found, func(s string) bool { return s == "" })
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return found
}

// shownTree redacts the literal secrets of a template.
func shownTree(written string) string {
	v, err := parseTree(written)
	if err != nil || v == nil {
		return written
	}
	found := false
	eachSecret(v, func(s string) string {
		is := shownSecret(s)
		found = found || is != s
		return is
	})
	if !found {
		return written
	}
	s, err := compact(v)
	if err != nil { // it was read
		return hidden
	}
	return s
}

// eachSecret replaces the texts of fields whose names indicate a secret.
// Placeholders are not secrets.
func eachSecret(v any, replace func(string) string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			eachSecret(item, replace)
		}
	case map[string]any:
		for key, item := range v {
			s, ok := item.(string)
			// Filters of vector stores have a field "key".
			if ok && key != "key" && secret.Named(key) && !strings.Contains(s, "{{") {
				v[key] = replace(s)
			} else {
				eachSecret(item, replace)
			}
		}
	}
}

// Secrets returns the values that must not be shown or stored: passwords and keys in headers,
// addresses, values and templates, and variables of the file whose names indicate a secret.
func (r *Resolved) Secrets() secret.Set {
	all := slices.Clone(r.found)
	add := func(v string) {
		all = append(all, v)
		if scheme, rest, ok := strings.Cut(v, " "); ok {
			rest = strings.TrimSpace(rest)
			all = append(all, rest)
			if strings.EqualFold(scheme, "basic") {
				all = append(all, basic(rest)...)
			}
		}
	}
	for name, v := range r.HTTP.Headers {
		if secret.Header(name) {
			add(v)
		}
	}
	for _, address := range []string{r.Endpoint, r.HTTP.Proxy, r.Store} {
		for _, s := range secretsOf(address) {
			all = append(all, s)
			if plain, err := url.PathUnescape(s); err == nil {
				all = append(all, plain)
			}
		}
	}
	for name, v := range r.Values {
		if secret.Named(name) {
			add(v)
		}
	}
	var sent any
	if json.Unmarshal([]byte(r.Send), &sent) == nil {
		eachSecret(sent, func(s string) string { all = append(all, s); return s })
	}
	for _, a := range adapter.All {
		for _, own := range a.Settings {
			if name := r.Own[own.Key]; own.Kind == adapter.Variable && name != "" {
				all = append(all, r.Variables.Get(name))
			}
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var set secret.Set
	for _, s := range slices.Compact(all) {
		if s != "" {
			set = append(set, secret.New(s))
		}
	}
	return set
}

// basic returns the password of basic authentication.
func basic(coded string) []string {
	plain, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return nil
	}
	_, password, _ := strings.Cut(string(plain), ":")
	return []string{password}
}
