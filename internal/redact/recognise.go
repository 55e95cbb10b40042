package redact

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A Recogniser finds one kind of data by its form.
type Recogniser struct {
	Name string
	// Doc says what is found, and what is not; Source where the form is defined.
	Doc, Source string
	rule        rule
	// pattern finds what may be data; its group, if it has one that matched, is what is replaced.
	pattern func() *regexp.Regexp
	// check returns where the data from start to end really end; 0 if they are none, and -end if none begin before end
	// either. labelled tells that they are the pattern's group. A pattern that matches texts of any length needs -end:
	// each byte would be read as often as there are beginnings before it. May be nil.
	check func(s string, start, end int, labelled bool) int
}

// Letters of scripts with spaces between words, and of those without (Han, Kana, Thai and others): in a text of the
// latter an address of mail ends where the script changes.
const (
	letters = `\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}\p{Hebrew}\p{Arabic}\p{Devanagari}\p{Hangul}`
	spaced  = `0-9\p{M}` + letters
	anyOne  = `0-9\p{M}\p{L}`
	inner   = `.\-_+'!#$%&*^~`
)

// keyPrefixes are those of providers' keys, keySigns the other beginnings of keys and tokens.
var (
	keyPrefixes = strings.Fields(`assay_ dop_v1_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ gsk_ hf_ lsv2_ nvapi- npm_ pplx- r8_ glpat- sk-
		tvly- whsec_ pypi- sk_live_ sk_test_ rk_live_ rk_test_ xoxa- xoxb- xoxp- xoxr- xoxs- xapp- AKIA ASIA AIza SG.`)
	keySigns = append([]string{"-----BEGIN ", "earer ", "EARER ", "asic ", "ASIC ", "eyJ"}, keyPrefixes...)
)

// Recognisers lists the recognisers, in the order in which they apply: one that takes a part of what another finds comes
// after it.
func Recognisers() []Recogniser {
	return []Recogniser{
		{
			Name: "url_credentials", Doc: "user and password in an address, as in `https://USER:PASSWORD@host`",
			Source: "RFC 3986, 3.2.1", rule: rule{has: []string{"://"}}, pattern: urlCredentials,
		},
		{
			Name: "api_key",
			Doc: "keys with the prefix of a provider (`sk-`, `ghp_`, `AKIA`, `AIza`, `hf_`, `glpat-`, `xoxb-`, `assay_` and others), " +
				"tokens after `Bearer` and `Basic`, JSON Web Tokens, private keys in PEM",
			Source: "documentation of the providers; RFC 6750, 7617, 7519, 7468",
			rule:   rule{has: keySigns}, pattern: apiKey, check: keyEnd,
		},
		{
			Name: "email", Doc: "addresses whose host has a top-level domain; not `a@b`, nor quoted local parts such as `\"a b\"@example.com`",
			Source: "RFC 5322, 3.4.1 (dot-atom); RFC 6531",
			rule:   rule{has: []string{"@"}, plain: strings.ToLower}, pattern: email, check: emailEnd,
		},
		{
			Name: "iban", Doc: "account numbers with the length of their country and valid check digits",
			Source: "ISO 13616-1; SWIFT's IBAN registry",
			rule:   rule{digits: 2, plain: alphanumeric}, pattern: iban, check: ibanEnd,
		},
		{
			Name: "cn_id", Doc: "identity numbers of mainland China: 18 characters with a date of birth and a valid check character",
			Source: "GB 11643-1999; ISO 7064 MOD 11-2",
			rule:   rule{digits: 17, plain: alphanumeric}, pattern: chinaID, check: chinaIDEnd,
		},
		{
			Name: "card",
			Doc: "payment cards: 14 to 19 digits, ungrouped or in groups, with the prefix and length of a network and a valid check digit; " +
				"not in a name such as `ORD-4111111111111111`. " +
				"One in ten other numbers with such a prefix passes too",
			Source: "ISO/IEC 7812-1 (Luhn); number ranges of Visa, Mastercard, American Express, Discover, JCB, Diners Club, UnionPay",
			rule:   rule{digits: 14, plain: alphanumeric}, pattern: card, check: cardEnd,
		},
		{
			Name:   "hkid",
			Doc:    "Hong Kong identity card numbers with a valid check digit, as in `A123456(3)`; without brackets only with one capital letter",
			Source: "Hong Kong Immigration Department: one or two letters, six digits, a check digit modulo 11",
			rule:   rule{digits: 6, plain: alphanumeric}, pattern: hkid, check: hkidEnd,
		},
		{
			Name: "ip",
			Doc: "addresses of IPv4 and IPv6; not those of the machine itself (`127.0.0.1`, `::1`, `0.0.0.0`), nor versions (`v1.2.3.4`, " +
				"`Chrome/120.0.0.0`)",
			Source: "RFC 791, RFC 4291", rule: rule{has: []string{".", ":"}, digits: 1, plain: strings.ToLower}, pattern: ip, check: ipEnd,
		},
		{
			Name: "phone",
			Doc: "numbers with `+` and a country code, or grouped as in North America, Hong Kong (`9123 4567`), " +
				"mainland China or with a leading 0; " +
				"any number of 7 to 15 digits after a word such as phone or 電話, or in a field of such a name. Digits alone are none",
			Source: "ITU-T E.164, E.123; NANP; the numbering plan of Hong Kong's Communications Authority",
			rule:   rule{digits: leastPhone, field: isPhoneField, plain: alphanumeric}, pattern: phone, check: phoneEnd,
		},
	}
}

var (
	urlCredentials = lazyregexp.New(`://([^/?#\\"'<> \t\r\n]+)@`)
	apiKey         = lazyregexp.New(`-----BEGIN [A-Z ]{0,50}PRIVATE KEY-----(?s:.*?-----END .*?-----|.*)|` +
		`\b(?i:bearer|basic) ([\w.~+/=-]{16,})|eyJ[\w-]*\.eyJ[\w-]*\.[\w-]*|(?:` +
		strings.ReplaceAll(strings.Join(keyPrefixes, "|"), ".", `\.[\w-]{16,}\.`) + `)[\w-]{10,}`)
	email = lazyregexp.New(`(?:[` + spaced + `_][` + spaced + inner + `]*|[` + anyOne + `_][` + anyOne + inner + `]*` +
		`[^\x00-\x7F` + spaced + `])@` +
		`(?:(?:[` + spaced + `][` + spaced + `-]*\.)+(?:xn--[\w-]+|[` + letters + `]{2,})|(?:[` + anyOne + `][` + anyOne + `-]*\.)+\p{L}{2,})`)
	iban    = lazyregexp.New(`[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]){11,30}`)
	chinaID = lazyregexp.New(`[0-9]{17}[0-9Xx]`)
	card    = lazyregexp.New(`[0-9]{14,19}|[0-9]{3,8}(?: [0-9]{3,8}){1,5}|[0-9]{3,8}(?:-[0-9]{3,8}){1,5}`)
	hkid    = lazyregexp.New(`[A-Za-z]{1,2}[0-9]{6} ?\([0-9Aa]\)|[A-Z][0-9]{6}[0-9A]`)
	ip      = lazyregexp.New(`(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[0-9A-Fa-f]{0,4}:){2,7}(?:(?:[0-9]{1,3}\.){3}[0-9]{1,3}|[0-9A-Fa-f]{0,4})`)
	// phone: after a word that says what it is; with a country code; as in North America, Hong Kong and mainland China; in
	// groups after a leading 0, as in most of Europe and Asia.
	phone = lazyregexp.New(`(?i:\b(?:tele|cell)?phone|\btel|\bmobile|\bcell|\bfax|\bwhatsapp|電話|电话|手機|手机|手提|致電|致电)` +
		`(?i:[ _-]?(?:numbers?|no|nr|is|at|號碼|号码|是))*[ :.="'#：)/-]*(\(?[0-9]{1,15}\)?(?:[ .-]?\(?[0-9]{1,15}\)?){0,14})|` +
		`\+[1-9][0-9]{0,14}(?:[ ./-]?\(?[0-9]{1,14}\)?){0,14}|` +
		`(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}|` +
		`[235-9][0-9]{3}[ -][0-9]{4}|1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}|` +
		`\(?0[1-9][0-9]{0,4}\)?(?: [0-9]{2,8}){1,5}|\(?0[1-9][0-9]{0,4}\)?[ /-][0-9]{2,8}(?:-[0-9]{2,8}){0,4}`)
	// phoneField is the name of a field that has numbers of phones; places in lists are no part of it.
	phoneField = lazyregexp.New(`(?i:(?:^|[^a-z])(?:tele)?(?:phone|tel|mobile|cell|fax|whatsapp)s?(?:[ ._-]?(?:numbers?|no|nr))?)[.0-9]*$|` +
		`(?:電話|电话|手機|手机)(?:號碼|号码)?[.0-9]*$|[a-z](?:Phone|Mobile|Fax)(?:Number|No)?[.0-9]*$`)
	phoneText = lazyregexp.New(`^[0-9+() ./-]{7,40}$`)
)

// find returns where the first match at or after from begins and ends; start is below 0 if there is none.
func (r *Recogniser) find(s string, from int) (start, end int) {
	for from < len(s) {
		at := r.pattern().FindStringSubmatchIndex(s[from:])
		if at == nil {
			break
		}
		start, end := from+at[0], from+at[1]
		labelled := len(at) > 2 && at[2] >= 0
		if labelled {
			start, end = from+at[2], from+at[3]
		}
		if r.check == nil {
			return start, end
		}
		switch end := r.check(s, start, end, labelled); {
		case end > 0:
			return start, end
		case end < 0:
			from = -end
		default:
			from += at[0] + 1
		}
	}
	return -1, -1
}

func keyEnd(s string, start, end int, token bool) int {
	key := s[start:end]
	switch {
	case token:
		if strings.ContainsAny(key, "0123456789") || key[len(key)-1] == '=' {
			return end
		}
		return -end
	case key[0] == '-':
		return end
	case start > 0 && (isWord(s[start-1]) || s[start-1] == '-' || s[start-1] == '.'), end-start < 16, !strings.ContainsAny(key, "0123456789"):
		return -end
	}
	return end
}

// emailEnd leaves out the ends of the names of pictures, as in icon@2x.png.
func emailEnd(s string, start, end int, _ bool) int {
	_, host, _ := strings.Cut(s[start:end], "@")
	scale, ending, _ := strings.Cut(strings.ToLower(host), ".")
	if len(scale) == 2 && isDigit(scale[0]) && scale[1] == 'x' &&
		slices.Contains([]string{"png", "jpg", "jpeg", "gif", "svg", "webp"}, ending) {
		return -end
	}
	return end
}

// ibanLengths are the lengths of account numbers by country, as SWIFT's registry has them.
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28,
	"CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28,
	"IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
	"LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
	"NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24,
	"SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

func ibanEnd(s string, start, end int, _ bool) int {
	size := ibanLengths[strings.ToUpper(s[start:start+2])]
	number := alphanumeric(s[start:end])
	if size == 0 || len(number) < size {
		return 0
	}
	for end = start; size > 0; end++ {
		if isWord(s[end]) {
			size--
		}
	}
	number = alphanumeric(s[start:end])
	// The first four characters moved to the end, letters as 10 to 35: 1 modulo 97.
	rest := 0
	for _, c := range []byte(number[4:] + number[:4]) {
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return alone(s, start, end, rest == 1)
}

// chinaIDEnd checks 17 digits and a character: digits 7 to 14 are the date of birth.
func chinaIDEnd(s string, start, end int, _ bool) int {
	id := strings.ToUpper(s[start:end])
	born, err := time.Parse("20060102", id[6:14])
	// The weights are the powers of 2 modulo 11, from the right.
	sum, weight := 0, 1
	for i := 16; i >= 0; i-- {
		weight = weight * 2 % 11
		sum += int(id[i]-'0') * weight
	}
	return alone(s, start, end, err == nil && born.Year() >= 1850 && born.Year() <= 2150 && id[17] == "10X98765432"[sum%11])
}

// cardEnd returns the end of the longest row of groups that is a card's number.
func cardEnd(s string, start, end int, _ bool) int {
	for end > start {
		if isCard(alphanumeric(s[start:end])) && alone(s, start, end, !isJoined(s, start, end)) > 0 {
			return end
		}
		end = start + max(0, strings.LastIndexAny(s[start:end], " -"))
	}
	return 0
}

// networks are the lengths of cards' numbers by their prefixes, each from a least to a greatest one.
var networks = []struct {
	from, to    string
	least, most int
}{
	{"4", "4", 16, 16}, {"4", "4", 19, 19}, {"51", "55", 16, 16}, {"2221", "2720", 16, 16}, // Visa, Mastercard
	{"34", "34", 15, 15}, {"37", "37", 15, 15}, // American Express
	{"36", "36", 14, 19}, {"38", "39", 14, 19}, {"300", "305", 14, 19}, // Diners Club
	{"6011", "6011", 16, 19}, {"65", "65", 16, 19}, {"644", "649", 16, 19}, // Discover
	{"3528", "3589", 16, 19}, {"62", "62", 16, 19}, // JCB, UnionPay
}

// isCard reports whether digits are of a network's range and length, and pass the check of Luhn.
func isCard(digits string) bool {
	for _, n := range networks {
		if len(digits) < 14 || digits[:len(n.from)] < n.from || digits[:len(n.to)] > n.to || len(digits) < n.least || len(digits) > n.most {
			continue
		}
		sum := 0
		for i, c := range []byte(digits) {
			v := int(c - '0')
			if (len(digits)-i)%2 == 0 {
				v = 2*v/10 + 2*v%10
			}
			sum += v
		}
		return sum%10 == 0
	}
	return false
}

// hkidEnd checks that the sum of the check digit and of the characters times 9 to 2 is a multiple of 11; a letter counts
// from A = 10, a space, before a single letter, 36.
func hkidEnd(s string, start, end int, _ bool) int {
	number := alphanumeric(s[start:end])
	sum := 0
	for i, c := range []byte(strings.Repeat(" ", 9-len(number)) + number) {
		v := int(c - '0')
		switch {
		case c == ' ':
			v = 36
		case !isDigit(c):
			v = int(c-'A') + 10
		}
		sum += v * (9 - i)
	}
	return alone(s, start, end, sum%11 == 0 && (s[end-1] == ')' || !isJoined(s, start, end)))
}

// ipEnd leaves out the addresses of the machine itself and versions: after a word such as version, after the name of a
// product as in "Chrome/120.0.0.0" (RFC 9110, 10.1.5), or in a name as in "tool-1.2.3.4-beta".
func ipEnd(s string, start, end int, _ bool) int {
	if s[end-1] == ':' && !strings.HasSuffix(s[start:end], "::") {
		end-- // the colon of the sentence
	}
	a, err := netip.ParseAddr(s[start:end])
	if err != nil || a.IsLoopback() || a.IsUnspecified() || alone(s, start, end, true) == 0 {
		return 0
	}
	if a.Is6() {
		if start > 0 && s[start-1] == ':' {
			return 0
		}
		return end
	}
	if start > 1 && strings.IndexByte("/-.", s[start-1]) >= 0 && isLetter(s[start-2]) ||
		versionWord().MatchString(s[max(0, start-24):start]) ||
		end+1 < len(s) && (s[end] == '-' || s[end] == '.') && isLetter(s[end+1]) {
		return 0
	}
	return end
}

var versionWord = lazyregexp.New(`(?i)(?:^|\W)(?:version|release|build|ver|v)[ :=."']*$`)

const leastPhone, mostPhone = 7, 15 // E.164

func phoneEnd(s string, start, end int, labelled bool) int {
	least, most := 9, 12
	switch digits := end - start; {
	case labelled:
		least, most = leastPhone, mostPhone
	case s[start] == '+':
		least, most = 8, mostPhone
	case digits == 9 && s[start] != '0': // two groups of four digits that are years or round numbers are none
		a, b := s[start:start+4], s[end-4:end]
		year := func(y string) bool { return y[:2] == "19" || y[:2] == "20" }
		if year(a) && year(b) || a[2:] == "00" && b[2:] == "00" {
			return 0
		}
		least = 8
	}
	if !labelled && s[start] != '+' && (goesOn(s, start, end) || isJoined(s, start, end)) {
		return 0
	}
	for ; end > start; end-- { // whole groups, with brackets that are closed
		if !isDigit(s[end-1]) && s[end-1] != ')' || end < len(s) && isDigit(s[end]) {
			continue
		}
		part := s[start:end]
		if n := len(alphanumeric(part)); n >= least && n <= most && strings.Count(part, "(") == strings.Count(part, ")") {
			return alone(s, start, end, true)
		}
	}
	return 0
}

// goesOn reports whether groups are a part of a longer row of groups of three digits or more, such as that of a card, or
// of a number such as 49,273 400.
func goesOn(s string, start, end int) bool {
	return longBefore().MatchString(s[max(0, start-6):start]) || longAfter().MatchString(s[end:min(len(s), end+4)]) ||
		start > 0 && s[start-1] == ',' && len(s) > start+3 && s[start+3] == ' '
}

var (
	longBefore = lazyregexp.New(`[0-9]{3}[ -]$`)
	longAfter  = lazyregexp.New(`^[ -][0-9]{3}`)
)

// isPhoneField reports whether a value that is a number is that of a phone by the name of its field.
func isPhoneField(path, value string) bool {
	n := len(alphanumeric(value))
	return n >= leastPhone && n <= mostPhone && phoneText().MatchString(value) && phoneField().MatchString(path[max(0, len(path)-60):])
}

func recogniserNames() []string {
	var out []string
	for _, r := range Recognisers() {
		out = append(out, r.Name)
	}
	return out
}

// alphanumeric returns the letters, in capitals, and the digits of a text.
func alphanumeric(s string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if r < 0x80 && (isDigit(byte(r)) || isLetter(byte(r))) {
			return r
		}
		return -1
	}, s))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isWord reports whether a byte is a letter or a digit of ASCII, or "_".
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }

// alone returns end if ok is set and no word, or number with a fraction, goes on before start or after end; else 0.
func alone(s string, start, end int, ok bool) int {
	if !ok || start > 0 && isWord(s[start-1]) || start > 1 && s[start-1] == '.' && isDigit(s[start-2]) ||
		end < len(s) && isWord(s[end]) || end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
		return 0
	}
	return end
}

// isJoined reports whether hyphens join what stands from start to end to words beside it, as
// in a UUID.
func isJoined(s string, start, end int) bool {
	before := strings.TrimRight(s[:start], "-")
	return before != "" && len(before) < start && isWord(before[len(before)-1]) || end+1 < len(s) && s[end] == '-' && isWord(s[end+1])
}
