//go:build results

package offline

import (
	"regexp"
	"strings"
)

var (
	aNumber = regexp.MustCompile(`\b\d{1,4}\b`)
	aVerb   = regexp.MustCompile(`(?i)\b(is|are|was|were|has|have|can|will)\b`)
	aName   = regexp.MustCompile(`([a-z,] )([A-Z][a-z]{3,})\b`)
)

// otherDigits changes the last digit of the first number.
func otherDigits(s, _ string) (string, bool) {
	at := aNumber.FindStringIndex(s)
	if at == nil {
		return "", false
	}
	b := []byte(s)
	b[at[1]-1] = '0' + (b[at[1]-1]-'0'+3)%10
	return string(b), true
}

// negated puts a "not" after the first auxiliary verb.
func negated(s, _ string) (string, bool) {
	at := aVerb.FindStringIndex(s)
	if at == nil {
		return "", false
	}
	return s[:at[1]] + " not" + s[at[1]:], true
}

// renamed replaces the first name that does not begin the sentence by one that
// the passage lacks.
func renamed(s, _ string) (string, bool) { return replaceName(s, "Winterbourne") }

// confused replaces it by another name of the passage.
func confused(s, passage string) (string, bool) {
	for _, m := range aName.FindAllStringSubmatch(passage, -1) {
		if out, ok := replaceName(s, m[2]); ok {
			return out, true
		}
	}
	return "", false
}

func replaceName(s, other string) (string, bool) {
	at := aName.FindStringSubmatchIndex(s)
	if at == nil || strings.Contains(s, other) {
		return "", false
	}
	return s[:at[4]] + other + s[at[5]:], true
}
