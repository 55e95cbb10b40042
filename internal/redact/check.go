package redact

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// checks return where the data that a pattern found really end; 0 if they are none, and -end if none begin before end
// either. A pattern that matches texts of any length needs -end: each byte would be read as often as there are
// beginnings before it.
var checks = map[string]func(m match) int{
	"api_key": keyEnd, "email": emailEnd, "iban": ibanEnd, "cn_id": chinaIDEnd, "card": cardEnd, "hkid": hkidEnd, "ip": ipEnd, "phone": phoneEnd,
}

func (m match) String() string { return m.text[m.start:m.end] }

// before returns the end of the text before a match, and after what follows it.
func (m match) before() string { return m.text[max(0, m.start-24):m.start] }
func (m match) after() string  { return m.text[m.end:] }

var (
	wordBefore   = lazyregexp.New(`\w$|[0-9]\.$`)
	wordAfter    = lazyregexp.New(`^\w|^\.[0-9]`)
	joinedBefore = lazyregexp.New(`\w-+$`)
	joinedAfter  = lazyregexp.New(`^-\w`)
)

// alone returns the end if ok is set and no word, or number with a fraction, goes on before or after the match; else 0.
func (m match) alone(ok bool) int {
	if !ok || wordBefore().MatchString(m.before()) || wordAfter().MatchString(m.after()) {
		return 0
	}
	return m.end
}

// isJoined reports whether hyphens join a match to words beside it, as in a UUID.
func (m match) isJoined() bool {
	return joinedBefore().MatchString(m.before()) || joinedAfter().MatchString(m.after())
}

var partOfName = lazyregexp.New(`[\w.-]$`)

func keyEnd(m match) int {
	key := m.String()
	hasDigit := strings.ContainsAny(key, "0123456789")
	switch {
	case key[0] == '-', m.labelled && (hasDigit || strings.HasSuffix(key, "=")):
		return m.end
	case m.labelled, !hasDigit, len(key) < 16, partOfName().MatchString(m.before()):
		return -m.end
	}
	return m.end
}

// picture matches the ends of the names of pictures, as in icon@2x.png.
var picture = lazyregexp.New(`(?i)@[0-9]x\.(?:png|jpe?g|gif|svg|webp)$`)

func emailEnd(m match) int {
	if picture().MatchString(m.String()) {
		return -m.end
	}
	return m.end
}

func ibanEnd(m match) int {
	size := table().IBAN[strings.ToUpper(m.text[m.start:m.start+2])]
	if size == 0 || len(alphanumeric(m.String())) < size {
		return 0
	}
	for m.end = m.start; size > 0; m.end++ {
		if isWord(m.text[m.end]) {
			size--
		}
	}
	number := alphanumeric(m.String())
	// The first four characters moved to the end, letters as 10 to 35: 1 modulo 97.
	rest := 0
	for _, c := range number[4:] + number[:4] {
		factor := 10
		if c > '9' {
			factor = 100
		}
		rest = (rest*factor + valueOf(c)) % 97
	}
	return m.alone(rest == 1)
}

// valueOf returns the value of a digit, or of a letter from A = 10.
func valueOf(c rune) int {
	v, _ := strconv.ParseInt(string(c), 36, 0) // patterns find nothing else
	return int(v)
}

func chinaIDEnd(m match) int {
	// The weights are the powers of 2 modulo 11, from the right; X is 10.
	number := alphanumeric(m.String())
	sum, weight := 0, 1
	for i := len(number) - 1; i >= 0; i-- {
		sum += weight * strings.IndexByte("0123456789X", number[i])
		weight = weight * 2 % 11
	}
	return m.alone(sum%11 == 1)
}

// cardEnd returns the end of the longest row of groups that is a card's number.
func cardEnd(m match) int {
	for m.end > m.start {
		if isCard(alphanumeric(m.String())) && m.alone(!m.isJoined()) > 0 {
			return m.end
		}
		m.end = m.start + max(0, strings.LastIndexAny(m.String(), " -"))
	}
	return 0
}

var cardNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:" + strings.Join(table().Cards, "|") + ")$")
})

// isCard reports whether digits are of a network's range and length, and pass the check of Luhn.
func isCard(digits string) bool {
	sum := 0
	for i, c := range digits {
		v := valueOf(c)
		if (len(digits)-i)%2 == 0 {
			v = 2*v/10 + 2*v%10
		}
		sum += v
	}
	return sum%10 == 0 && cardNumber().MatchString(digits)
}

// hkidEnd checks that the sum of the characters times 9 to 1 is a multiple of 11. A single letter follows a space, which
// counts 36.
func hkidEnd(m match) int {
	number := alphanumeric(m.String())
	sum := 36 * 9 * (9 - len(number))
	for i, c := range number {
		sum += valueOf(c) * (len(number) - i)
	}
	return m.alone(sum%11 == 0 && (m.text[m.end-1] == ')' || !m.isJoined()))
}

var (
	// versionBefore matches what stands before a version: a word that says so, or the name of a product as in
	// "Chrome/120.0.0.0" (RFC 9110, 10.1.5) or "tool-1.2.3.4". versionAfter is as in "1.2.3.4-beta".
	versionBefore = lazyregexp.New(`(?i)(?:^|\W)(?:version|release|build|ver|v)[ :=."']*$|[a-z][/.-]$`)
	versionAfter  = lazyregexp.New(`^[.-][A-Za-z]`)
)

// ipEnd leaves out the addresses of the machine itself, and versions.
func ipEnd(m match) int {
	if m.text[m.end-1] == ':' && !strings.HasSuffix(m.String(), "::") {
		m.end-- // the colon of the sentence
	}
	a, err := netip.ParseAddr(m.String())
	switch {
	case err != nil, a.IsLoopback(), a.IsUnspecified(), a.Is6() && strings.HasSuffix(m.before(), ":"),
		a.Is4() && (versionBefore().MatchString(m.before()) || versionAfter().MatchString(m.after())):
		return 0
	}
	return m.alone(true)
}

const leastPhone, mostPhone = 7, 15 // E.164

var (
	phoneText = lazyregexp.New(`^[0-9+() ./-]{7,40}$`)
	// Groups that are a part of a longer row of groups of three digits or more, such as that of a card, or of a number such
	// as 49,273 400.
	longBefore = lazyregexp.New(`[0-9]{3}[ -]$`)
	longAfter  = lazyregexp.New(`^[ -][0-9]{3}`)
	fraction   = lazyregexp.New(`^... `)
	// twoYears matches groups of four digits that are years, or round numbers.
	twoYears = lazyregexp.New(`^(?:(?:19|20)..[ -](?:19|20)..|[1-9].00[ -]..00)$`)
)

func phoneEnd(m match) int {
	least, most := 9, 12
	switch s := m.String(); {
	case m.labelled:
		least, most = leastPhone, mostPhone
	case s[0] == '+':
		least, most = 8, mostPhone
	case longBefore().MatchString(m.before()), longAfter().MatchString(m.after()), twoYears().MatchString(s), m.isJoined(),
		strings.HasSuffix(m.before(), ",") && fraction().MatchString(s):
		return 0
	case len(s) == 9 && s[0] != '0':
		least = 8
	}
	for ; m.end > m.start; m.end-- { // whole groups, with brackets that are closed
		last := m.text[m.end-1]
		if !isDigit(last) && last != ')' || m.end < len(m.text) && isDigit(m.text[m.end]) {
			continue
		}
		part := m.String()
		if n := len(alphanumeric(part)); n >= least && n <= most && strings.Count(part, "(") == strings.Count(part, ")") {
			return m.alone(true)
		}
	}
	return 0
}

// isPhone reports whether a value has as many digits as the number of a phone, and nothing but what is between them.
func isPhone(value string) bool {
	n := len(alphanumeric(value))
	return n >= leastPhone && n <= mostPhone && phoneText().MatchString(value)
}

// alphanumeric returns the letters, in capitals, and the digits of a text.
func alphanumeric(s string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r < 0x80 && isWord(byte(r)) && r != '_' {
			return r
		}
		return -1
	}, s))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWord reports whether a byte is a letter or a digit of ASCII, or "_".
func isWord(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }
