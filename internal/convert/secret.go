package convert

import (
	"net/url"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

var (
	secretName = lazyregexp.New(`(?i)(authorization|api[-_]?key|apikey|secret|token|password|passwd|cookie|credential|private[-_]?key)`)
	// notSecret are names of limits that secretName matches.
	notSecret = lazyregexp.New(`(?i)(max|min|count|limit|num|stop).*tokens?|tokens?.*(max|min|count|limit)|tokenusage`)
	envName   = lazyregexp.New(`\{\{\s*env\.([A-Za-z_][A-Za-z0-9_]*)\s*\}\}`)
	// authScheme is what stands before the secret in a header.
	authScheme = lazyregexp.New(`(?i)^(bearer|basic|token)\s+`)
	notName    = lazyregexp.New(`[^A-Z0-9]+`)
)

// A vault replaces secrets with names of environment variables.
type vault struct{ names []string }

// isSecret reports whether the value of a name is a secret.
func isSecret(name string) bool {
	return secretName().MatchString(name) && !notSecret().MatchString(name)
}

// variable returns the reference to an environment variable and remembers its name.
func (v *vault) variable(name string) string {
	if !slices.Contains(v.names, name) {
		v.names = append(v.names, name)
	}
	return "${" + name + "}"
}

// text returns a text for the configuration: {{env.NAME}} becomes ${NAME}.
func (v *vault) text(s string) string {
	var b strings.Builder
	done := 0
	for _, m := range envName().FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(literal(s[done:m[0]]) + v.variable(s[m[2]:m[3]]))
		done = m[1]
	}
	return b.String() + literal(s[done:])
}

// hidden returns the value of a name for the configuration. A secret that is written out
// becomes a variable called after the name; hid tells its name.
func (v *vault) hidden(name, value string) (text, hid string) {
	if !isSecret(name) || envName().MatchString(value) || strings.TrimSpace(value) == "" {
		return v.text(value), ""
	}
	hid = strings.Trim(notName().ReplaceAllString(strings.ToUpper(name), "_"), "_")
	scheme := ""
	if m := authScheme().FindString(value); m != "" {
		scheme = strings.TrimSpace(m) + " "
	}
	return scheme + v.variable(hid), hid
}

// address returns an address without secrets, and the names of those that were in it.
func (v *vault) address(s string) (text string, hid []string) {
	u, err := url.Parse(s)
	if err != nil {
		return v.text(s), nil
	}
	if _, has := u.User.Password(); has {
		text := v.text(strings.Replace(s, u.User.String()+"@", "", 1))
		scheme, rest, _ := strings.Cut(text, "://")
		hid = append(hid, "TARGET_USER", "TARGET_PASSWORD")
		s = scheme + "://" + v.variable("TARGET_USER") + ":" + v.variable("TARGET_PASSWORD") + "@" + rest
		return s, hid
	}
	head, query, ok := strings.Cut(s, "?")
	if !ok {
		return v.text(s), nil
	}
	var parts []string
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		text, was := v.hidden(name, value)
		if was != "" {
			hid = append(hid, was)
		}
		parts = append(parts, name+"="+text)
	}
	return v.text(head) + "?" + strings.Join(parts, "&"), hid
}
