package redact

import (
	"net/netip"
	"strings"
)

// findIP finds addresses of IPv4 and IPv6. It looks at each dot and colon once.
func findIP(s string, from int) (start, end int) {
	for i := from; i < len(s); {
		switch s[i] {
		case '.':
			start, end = ipv4Around(s, from, i)
		case ':':
			start, end = ipv6Around(s, from, i)
		default:
			i++
			continue
		}
		if start >= 0 {
			return start, end
		}
		i = max(end, i+1)
	}
	return -1, -1
}

// ipv4Around returns the address of IPv4 whose first dot is at i; start is below 0 if there is
// none, and end is where to go on.
func ipv4Around(s string, from, i int) (start, end int) {
	start, end = i, i
	for start > from && isDigit(s[start-1]) && i-start < 4 {
		start--
	}
	for dots := 0; end < len(s) && (isDigit(s[end]) || s[end] == '.' && dots < 3 && end+1 < len(s) && isDigit(s[end+1])); end++ {
		if s[end] == '.' {
			dots++
		}
	}
	if isAddress(s[start:end], 0) && !wordBefore(s, start) && !wordAfter(s, end) && !isVersion(s, start, end) {
		return start, end
	}
	return -1, end
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

// ipv6Around returns the address of IPv6 whose first colon is at i; start is below 0 if there
// is none, and end is where to go on.
func ipv6Around(s string, from, i int) (start, end int) {
	const least = len("1::1")
	start, end = i, i
	for start > from && hexDigit(s[start-1]) >= 0 && i-start < 5 {
		start--
	}
	for end < len(s) && (hexDigit(s[end]) >= 0 || s[end] == ':' || s[end] == '.' && end+1 < len(s) && isDigit(s[end+1])) {
		end++
	}
	address := s[start:end]
	if address[len(address)-1] == ':' && !strings.HasSuffix(address, "::") {
		address = address[:len(address)-1] // the colon of the sentence
	}
	after := start + len(address)
	if len(address) >= least && (start == 0 || !isWord(s[start-1]) && s[start-1] != ':') && (after == len(s) || !isWord(s[after])) &&
		(hasDigit(address) || strings.Count(address, ":") == 7) && isAddress(address, ':') {
		return start, after
	}
	return -1, end
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
