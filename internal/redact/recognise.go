package redact

import "strings"

// A Recogniser finds one kind of data by its form.
type Recogniser struct {
	Name string
	// Doc says what is found, and what is not; Source where the form is defined.
	Doc, Source string
	rule        rule
}

// Recognisers lists the recognisers, in the order in which they apply.
func Recognisers() []Recogniser {
	list := []Recogniser{
		{
			Name: "url_credentials", Doc: "user and password in an address, as in `https://USER:PASSWORD@host`",
			Source: "RFC 3986, 3.2.1",
			rule: rule{
				find:  findCredentials,
				needs: func(t traits) bool { return t.ats > 0 && t.colons > 0 },
			},
		},
		{
			Name: "api_key",
			Doc: "keys with the prefix of a provider (`sk-`, `ghp_`, `AKIA`, `AIza`, `hf_`, `glpat-`, `xoxb-`, `assay_` and others), " +
				"tokens after `Bearer` and `Basic`, JSON Web Tokens, private keys in PEM",
			Source: "documentation of the providers; RFC 6750, 7617, 7519, 7468",
			rule: rule{
				find:  findKey,
				needs: func(t traits) bool { return t.size >= 16 && t.digits > 0 || t.hyphens >= 10 },
			},
		},
		{
			Name: "email", Doc: "addresses whose host has a top-level domain; not `a@b`, nor quoted local parts such as `\"a b\"@example.com`",
			Source: "RFC 5322, 3.4.1 (dot-atom); RFC 6531",
			rule: rule{
				find: findEmail, plain: strings.ToLower,
				needs: func(t traits) bool { return t.ats > 0 && t.dots > 0 },
			},
		},
		{
			Name: "iban", Doc: "account numbers with the length of their country and valid check digits",
			Source: "ISO 13616-1; SWIFT's IBAN registry",
			rule: rule{
				find: findIBAN, plain: alphanumeric,
				needs: func(t traits) bool { return t.size >= 15 && t.digits >= 2 },
			},
		},
		{
			Name: "cn_id", Doc: "identity numbers of mainland China: 18 characters with a date of birth and a valid check character",
			Source: "GB 11643-1999; ISO 7064 MOD 11-2",
			rule: rule{
				find: findChinaID, plain: alphanumeric,
				needs: func(t traits) bool { return t.digits >= 17 },
			},
		},
		{
			Name: "card",
			Doc: "payment cards: 14 to 19 digits, ungrouped or in groups, with the prefix and length of a network and a valid check digit; " +
				"not in a name such as `ORD-4111111111111111`. " +
				"One in ten other numbers with such a prefix passes too",
			Source: "ISO/IEC 7812-1 (Luhn); number ranges of Visa, Mastercard, American Express, Discover, JCB, Diners Club, UnionPay",
			rule: rule{
				find: findCard, plain: alphanumeric,
				needs: func(t traits) bool { return t.digits >= leastCard },
			},
		},
		{
			Name:   "hkid",
			Doc:    "Hong Kong identity card numbers with a valid check digit, as in `A123456(3)`; without brackets only with one capital letter",
			Source: "Hong Kong Immigration Department: one or two letters, six digits, a check digit modulo 11",
			rule: rule{
				find: findHKID, plain: alphanumeric,
				needs: func(t traits) bool { return t.digits >= 6 },
			},
		},
		{
			Name: "ip",
			Doc: "addresses of IPv4 and IPv6; not those of the machine itself (`127.0.0.1`, `::1`, `0.0.0.0`), nor versions (`v1.2.3.4`, " +
				"`Chrome/120.0.0.0`)",
			Source: "RFC 791, RFC 4291",
			rule: rule{
				find: findIP, plain: strings.ToLower,
				needs: func(t traits) bool { return t.dots >= 3 || t.colons >= 2 },
			},
		},
		{
			Name: "phone",
			Doc: "numbers with `+` and a country code, or grouped as in North America, Hong Kong (`9123 4567`), " +
				"mainland China or with a leading 0; " +
				"any number of 7 to 15 digits after a word such as phone or 電話, or in a field of such a name. Digits alone are none",
			Source: "ITU-T E.164, E.123; NANP; the numbering plan of Hong Kong's Communications Authority",
			rule: rule{
				find: findPhone, field: isPhoneField, plain: alphanumeric,
				needs: func(t traits) bool { return t.digits >= leastPhone },
			},
		},
	}
	for i := range list {
		list[i].rule.name = list[i].Name
	}
	return list
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
	return strings.Map(func(r rune) rune {
		switch {
		case isDigit(byte(r)) && r < 0x80, r >= 'A' && r <= 'Z':
			return r
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		}
		return -1
	}, s)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isWord reports whether a byte is a letter or a digit of ASCII, or "_".
func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }

// wordBefore reports whether a word, or a number with a fraction, goes on at i.
func wordBefore(s string, i int) bool {
	return i > 0 && isWord(s[i-1]) || i > 1 && s[i-1] == '.' && isDigit(s[i-2])
}

// wordAfter reports whether a word, or a number with a fraction, goes on at i.
func wordAfter(s string, i int) bool {
	return i < len(s) && isWord(s[i]) || i+1 < len(s) && s[i] == '.' && isDigit(s[i+1])
}

// isJoined reports whether hyphens join what stands from start to end to words beside it, as
// in a UUID.
func isJoined(s string, start, end int) bool {
	before := strings.TrimRight(s[:start], "-")
	return before != "" && len(before) < start && isWord(before[len(before)-1]) || end+1 < len(s) && s[end] == '-' && isWord(s[end+1])
}

// digitAt returns the place of the first digit at or after i; -1 if there is none.
func digitAt(s string, i int) int {
	for ; i < len(s); i++ {
		if isDigit(s[i]) {
			return i
		}
	}
	return -1
}

// digitsAt returns the place after the digits at i.
func digitsAt(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}
