package redact

import (
	"net/netip"
	"strings"
)

// findIP finds addresses of IPv4 and IPv6.
func findIP(s string, from int) (start, end int) {
	start4, end4 := findIPv4(s, from)
	start6, end6 := findIPv6(s, from)
	if start4 < 0 || start6 >= 0 && start6 <= start4 {
		return start6, end6
	}
	return start4, end4
}

// findIPv4 finds four numbers with dots between them.
func findIPv4(s string, from int) (start, end int) {
	const least = len("1.1.1.1")
	for i := from + 1; ; {
		if i+least-1 > len(s) {
			return -1, -1
		}
		dot := strings.IndexByte(s[i:], '.')
		if dot < 0 {
			return -1, -1
		}
		i += dot
		start := i
		for start > from && isDigit(s[start-1]) && i-start < 4 {
			start--
		}
		end := i
		for dots := 0; end < len(s) && (isDigit(s[end]) || s[end] == '.' && dots < 3 && end+1 < len(s) && isDigit(s[end+1])); end++ {
			if s[end] == '.' {
				dots++
			}
		}
		if isAddress(s[start:end], 0) && !wordBefore(s, start) && !wordAfter(s, end) && !isVersion(s, start, end) {
			return start, end
		}
		i = max(end, i+1)
	}
}

// isVersion reports whether what looks like an address is a version: after a word such as
// version, after the name of a product as in "Chrome/120.0.0.0" (RFC 9110, 10.1.5), or in a
// name as in "tool-1.2.3.4-beta".
func isVersion(s string, start, end int) bool {
	if start > 1 && strings.IndexByte("/-.", s[start-1]) >= 0 && isLetter(s[start-2]) {
		return true
	}
	if end+1 < len(s) && (s[end] == '-' || s[end] == '.') && isLetter(s[end+1]) {
		return true
	}
	before := strings.ToLower(strings.TrimRight(s[max(0, start-16):start], " :=.\"'"))
	for _, word := range []string{"version", "release", "build", "ver", "v"} {
		if rest, ok := strings.CutSuffix(before, word); ok && (rest == "" || !isWord(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// findIPv6 finds groups of hexadecimal digits with colons between them.
func findIPv6(s string, from int) (start, end int) {
	for i := from; ; {
		colon := strings.IndexByte(s[i:], ':')
		if colon < 0 {
			return -1, -1
		}
		i += colon
		start := i
		for start > from && hexDigit(s[start-1]) >= 0 && i-start < 5 {
			start--
		}
		end := i
		for end < len(s) && (hexDigit(s[end]) >= 0 || s[end] == ':' || s[end] == '.' && end+1 < len(s) && isDigit(s[end+1])) {
			end++
		}
		address := strings.TrimRight(s[start:end], ".")
		if address[len(address)-1] == ':' && !strings.HasSuffix(address, "::") {
			address = address[:len(address)-1] // the colon of the sentence
		}
		after := start + len(address)
		const least = len("1::1")
		if len(address) >= least && (start == 0 || !isWord(s[start-1]) && s[start-1] != ':') && (after == len(s) || !isWord(s[after])) &&
			(hasDigit(address) || strings.Count(address, ":") == 7) && isAddress(address, ':') {
			return start, after
		}
		i = max(end, i+1)
	}
}

// isAddress reports whether a text is an address, other than of the machine itself.
func isAddress(s string, separator byte) bool {
	const most = len("2001:0db8:0000:0000:0000:0000:255.255.255.255")
	if len(s) > most {
		return false
	}
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is6() == (separator == ':') && !a.IsLoopback() && !a.IsUnspecified()
}
