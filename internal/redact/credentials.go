package redact

import "strings"

// findCredentials finds the user information of an address: what stands between "://" and the
// last "@" before the path.
func findCredentials(s string, from int) (start, end int) {
	for {
		i := strings.Index(s[from:], "://")
		if i < 0 {
			return -1, -1
		}
		from += i + len("://")
		size := strings.IndexAny(s[from:], "/?#\\\"'<> \t\r\n")
		if size < 0 {
			size = len(s) - from
		}
		if at := strings.LastIndexByte(s[from:from+size], '@'); at > 0 {
			return from, from + at
		}
	}
}

// A keyForm is the form of a provider's keys: a prefix and a number of further characters.
type keyForm struct {
	prefix string
	least  int
}

// keyForms are by the first byte of their prefixes.
var keyForms = map[byte][]keyForm{
	'a': {{"assay_", 20}},
	'd': {{"dop_v1_", 40}},
	'g': {{"ghp_", 30}, {"gho_", 30}, {"ghu_", 30}, {"ghs_", 30}, {"ghr_", 30}, {"github_pat_", 30}, {"glpat-", 20}, {"gsk_", 30}},
	'h': {{"hf_", 30}},
	'l': {{"lsv2_", 30}},
	'n': {{"nvapi-", 30}, {"npm_", 30}},
	'p': {{"pplx-", 30}, {"pypi-", 50}},
	'r': {{"rk_live_", 16}, {"rk_test_", 16}, {"r8_", 30}},
	's': {{"sk-", 20}, {"sk_live_", 16}, {"sk_test_", 16}},
	't': {{"tvly-", 20}},
	'w': {{"whsec_", 20}},
	'x': {{"xoxb-", 10}, {"xoxa-", 10}, {"xoxp-", 10}, {"xoxr-", 10}, {"xoxs-", 10}, {"xapp-", 10}},
	'A': {{"AKIA", 16}, {"ASIA", 16}, {"AIza", 35}},
	'S': {{"SG.", 60}},
}

// keyStarts has the first bytes of everything that findKey knows.
var keyStarts = func() (starts [256]bool) {
	for c := range keyForms {
		starts[c] = true
	}
	for _, c := range "eBb-" {
		starts[c] = true
	}
	return starts
}()

// findKey finds keys and tokens. None begins within another, so that each byte is read few
// times.
func findKey(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		c := s[i]
		if !keyStarts[c] || i > 0 && (isWord(s[i-1]) || c != '-' && s[i-1] == '-') {
			continue
		}
		switch c {
		case '-':
			if end := pemAt(s, i); end > 0 {
				return i, end
			}
		case 'B', 'b':
			if start, end := authorizationAt(s, i); end > 0 {
				return start, end
			}
		case 'e':
			if end := jwtAt(s, i); end > 0 {
				return i, end
			}
		default:
			for _, f := range keyForms[c] {
				if !strings.HasPrefix(s[i:], f.prefix) || c == 'S' && i > 0 && s[i-1] == '.' {
					continue
				}
				end := tokenAt(s, i+len(f.prefix), c == 'S')
				if end-i-len(f.prefix) >= f.least && hasDigit(s[i+len(f.prefix):end]) {
					return i, end
				}
			}
		}
	}
	return -1, -1
}

// tokenAt returns the end of the letters, digits, "-" and "_" at i, and "." if dots is set.
func tokenAt(s string, i int, dots bool) int {
	for i < len(s) && (isWord(s[i]) || s[i] == '-' || dots && s[i] == '.') {
		i++
	}
	return i
}

func hasDigit(s string) bool { return digitAt(s, 0) >= 0 }

// jwtAt returns the end of a JSON Web Token, whose header and claims are objects of JSON in
// base64; 0 if there is none.
func jwtAt(s string, i int) int {
	const object = "eyJ" // {"
	for part := range 2 {
		if !strings.HasPrefix(s[i:], object) {
			return 0
		}
		i = tokenAt(s, i, false)
		if i == len(s) || s[i] != '.' {
			return 0
		}
		if i++; part == 1 {
			return tokenAt(s, i, false)
		}
	}
	return 0
}

// authorizationAt finds the token after "Bearer " or "Basic "; end is 0 if there is none.
func authorizationAt(s string, i int) (start, end int) {
	const least = 16
	for _, scheme := range []string{"bearer ", "basic "} {
		if len(s)-i <= len(scheme) || !strings.EqualFold(s[i:i+len(scheme)], scheme) {
			continue
		}
		start = i + len(scheme)
		for end = start; end < len(s) && (isWord(s[end]) || strings.IndexByte("-.~+/=", s[end]) >= 0); {
			end++
		}
		if end-start >= least && (hasDigit(s[start:end]) || s[end-1] == '=') {
			return start, end
		}
	}
	return 0, 0
}

// pemAt returns the end of a private key in PEM, or of the text if that breaks off within the
// key; 0 if there is none.
func pemAt(s string, i int) int {
	const begin, private, closing = "-----BEGIN ", "PRIVATE KEY-----", "-----END "
	if !strings.HasPrefix(s[i:], begin) {
		return 0
	}
	label := i + len(begin)
	size := strings.Index(s[label:min(len(s), label+60)], private)
	if size < 0 {
		return 0
	}
	at := strings.Index(s[label:], closing)
	if at < 0 {
		return len(s)
	}
	at += label + len(closing)
	if end := strings.Index(s[at:], "-----"); end >= 0 {
		return at + end + len("-----")
	}
	return len(s)
}
