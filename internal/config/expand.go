package config

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// reference is "${NAME}" or "${NAME:-default}".
var reference = lazyregexp.New(`^\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expand replaces "${NAME}" and "${NAME:-default}" by the values of variables,
// and "$${" by "${". An empty variable counts as not set. The values themselves
// are not expanded.
func expand(s string, v *Variables) (string, error) {
	if !strings.Contains(s, "${") {
		return s, nil
	}
	var b strings.Builder
	for s != "" {
		i := strings.Index(s, "${")
		if i < 0 {
			b.WriteString(s)
			break
		}
		if i > 0 && s[i-1] == '$' {
			b.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		b.WriteString(s[:i])
		m := reference().FindStringSubmatch(s[i:])
		if m == nil {
			return "", fmt.Errorf(`invalid variable reference at character %d: expected ${NAME} or ${NAME:-default}; write "$${" for a literal "${"`,
				len(b.String())+1)
		}
		is := v.Get(m[1])
		if is == "" {
			if m[2] == "" {
				return "", unset(m[1])
			}
			if is = m[3]; strings.Contains(is, "${") {
				return "", fmt.Errorf("${%s:-…}: the default contains another variable: expected plain text", m[1])
			}
		}
		b.WriteString(is)
		s = s[i+len(m[0]):]
	}
	return b.String(), nil
}

// unset is the error about a variable that has no value.
type unset string

func (name unset) Error() string {
	return fmt.Sprintf("${%s}: variable is not set in the environment or in .env: set it, or write ${%[1]s:-default}", string(name))
}

// escape returns the text that expand turns back into s.
func escape(s string) string { return strings.ReplaceAll(s, "${", "$${") }

// references returns the names of the variables in a text.
func references(s string) []string {
	var names []string
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			return names
		}
		if i == 0 || s[i-1] != '$' {
			if m := reference().FindStringSubmatch(s[i:]); m != nil {
				names = append(names, m[1])
			}
		}
		s = s[i+2:]
	}
}
