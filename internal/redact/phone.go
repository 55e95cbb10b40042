package redact

import (
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

const (
	leastPhone = 7
	mostPhone  = 15 // E.164
)

// phoneByte has the bytes of numbers as they are written.
var phoneByte = func() (is [256]bool) {
	for _, c := range "0123456789+() -./" {
		is[c] = true
	}
	return is
}()

// The ways in which numbers are grouped.
var (
	// international: a country code, and groups with at most two separators between them.
	international = lazyregexp.New(`^\+[1-9][0-9]{0,14}(?:[ ./-]?\(?[0-9]{1,14}\)?)*`)
	// northAmerican: area and exchange begin with 2 to 9.
	northAmerican = lazyregexp.New(`^(?:1[ .-])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-][0-9]{4}`)
	// hongKong: eight digits, the first from 2 on, in two groups.
	hongKong = lazyregexp.New(`^[235-9][0-9]{3}[ -][0-9]{4}`)
	// chinese: a mobile number of mainland China.
	chinese = lazyregexp.New(`^1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}`)
	// national: groups after a leading 0, as in most of Europe and Asia.
	national = lazyregexp.New(`^\(?0[1-9][0-9]{0,4}\)?(?: [0-9]{2,8}){1,5}|` +
		`^\(?0[1-9][0-9]{0,4}\)?[ /-][0-9]{2,8}(?:-[0-9]{2,8}){0,4}`)
	// bare: any number, after a word that says what it is.
	bare = lazyregexp.New(`^\(?[0-9]{1,15}\)?(?:[ .-]?\(?[0-9]{1,15}\)?)*`)
	// label: such a word, at the end of what stands before.
	label = lazyregexp.New(`(?i)(?:\b(?:tele|cell)?phone|\btel|\bmobile|\bcell|\bfax|\bwhatsapp|電話|电话|手機|手机|手提|致電|致电)` +
		`(?:[ _-]?(?:numbers?|no|nr|is|at|號碼|号码|是))*$`)
	// phoneName is the name of a field that has numbers of phones.
	phoneName = lazyregexp.New(`(?i)(?:^|[^a-z])(?:tele)?(?:phone|tel|mobile|cell|fax|whatsapp)s?(?:[ ._-]?(?:numbers?|no|nr))?$|` +
		`(?:電話|电话|手機|手机)(?:號碼|号码)?$|[a-z](?:Phone|Mobile|Fax)(?:Number|No)?$`)
)

// findPhone finds numbers of phones.
func findPhone(s string, from int) (start, end int) {
	for i := from; ; {
		a, b, digits := phoneRegion(s, i)
		if a < 0 {
			return -1, -1
		}
		if digits >= leastPhone {
			for at := a; at < b; at++ {
				if !beginsGroup(s, a, at) {
					continue
				}
				if end := phoneAt(s, a, at, b); end > 0 {
					return at, end
				}
			}
		}
		i = b
	}
}

// phoneRegion returns the next part of a text that has digits and separators only, and how
// many digits; a is below 0 if there is none.
func phoneRegion(s string, i int) (a, b, digits int) {
	first := digitAt(s, i)
	if first < 0 {
		return -1, -1, 0
	}
	a, b = first, first
	for a > i && (s[a-1] == '+' || s[a-1] == '(') {
		a--
	}
	for b < len(s) && phoneByte[s[b]] {
		if isDigit(s[b]) {
			digits++
		}
		b++
	}
	for !isDigit(s[b-1]) && s[b-1] != ')' {
		b--
	}
	return a, b, digits
}

// beginsGroup reports whether a number may begin at a place of a region.
func beginsGroup(s string, a, at int) bool {
	c := s[at]
	return c == '+' || c == '(' || isDigit(c) && (at == a || !isDigit(s[at-1]) && s[at-1] != '+')
}

// phoneAt returns the end of the number that begins at a place of the region from a to b; 0 if
// there is none.
func phoneAt(s string, a, at, b int) int {
	const longestWritten = 48 // digits, with brackets and separators
	text := s[at:min(b, at+longestWritten)]
	if wordBefore(s, at) || isThousands(s, at) {
		return 0
	}
	if text[0] == '+' {
		return bounded(s, at, longest(text, international().FindString(text), 8, mostPhone))
	}
	if match := grouped(text); match != "" && !isRange(match) && !goesOn(s, a, at, at+len(match)) && !isJoined(s, at, at+len(match)) {
		if end := bounded(s, at, match); end > 0 {
			return end
		}
	}
	before := strings.TrimRight(s[max(0, at-40):at], ` :.="'#：()+-/`)
	if before == "" || isDigit(before[len(before)-1]) || !label().MatchString(before) {
		return 0
	}
	return bounded(s, at, longest(text, bare().FindString(text), leastPhone, mostPhone))
}

// grouped returns the number with which a text begins if it is grouped as in one of the plans.
func grouped(text string) string {
	const leastNational, mostNational = 9, 12
	switch size := digitsAt(text, 0); {
	case text[0] == '0' || strings.HasPrefix(text, "(0"):
		return longest(text, national().FindString(text), leastNational, mostNational)
	case size == 4:
		return hongKong().FindString(text)
	case size == 3 && text[0] == '1':
		return chinese().FindString(text)
	case size == 3, text[0] == '(', text[0] == '1' && size == 1 && (digitsAt(text, 2) == 5 || text[min(2, len(text)-1)] == '('):
		return northAmerican().FindString(text)
	}
	return ""
}

// isThousands reports whether the group at a place goes on a number such as 49,273, and a
// space follows.
func isThousands(s string, at int) bool {
	end := digitsAt(s, at)
	return at > 1 && s[at-1] == ',' && isDigit(s[at-2]) && end-at == 3 && end < len(s) && s[end] == ' '
}

// longest returns the longest beginning of a match that has from least to most digits, in
// whole groups, with brackets that are closed.
func longest(text, match string, least, most int) string {
	for end := len(match); end > 0; end-- {
		if !isDigit(match[end-1]) && match[end-1] != ')' || end < len(text) && isDigit(text[end]) {
			continue
		}
		part := match[:end]
		if n := count(part); n >= least && n <= most && strings.Count(part, "(") == strings.Count(part, ")") {
			return part
		}
	}
	return ""
}

// bounded returns the end of a match at a place, 0 if there is none or a word goes on there.
func bounded(s string, at int, match string) int {
	if end := at + len(match); match != "" && !wordAfter(s, end) {
		return end
	}
	return 0
}

// goesOn reports whether the groups from at to end are a part of a longer row of groups of
// three digits or more, such as that of a card.
func goesOn(s string, a, at, end int) bool {
	if at-a >= 4 && (s[at-1] == ' ' || s[at-1] == '-') && isDigit(s[at-2]) && isDigit(s[at-3]) && isDigit(s[at-4]) {
		return true
	}
	return end < len(s) && (s[end] == ' ' || s[end] == '-') && digitsAt(s, end+1)-end-1 >= 3
}

// isRange reports whether two groups of four digits are years or round numbers.
func isRange(match string) bool {
	if len(match) != 9 || isDigit(match[4]) {
		return false
	}
	first, second := match[:4], match[5:]
	isYear := func(s string) bool { return s[:2] == "19" || s[:2] == "20" }
	return isYear(first) && isYear(second) || strings.HasSuffix(first, "00") && strings.HasSuffix(second, "00")
}

func count(s string) int {
	n := 0
	for i := range len(s) {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

// isPhoneField reports whether a value that is a number is that of a phone by the name of its
// field.
func isPhoneField(path, value string) bool {
	if len(value) > 40 || count(value) < leastPhone || count(value) > mostPhone {
		return false
	}
	for i := range len(value) {
		if !phoneByte[value[i]] {
			return false
		}
	}
	// The place in a list is no part of the name.
	return phoneName().MatchString(strings.TrimRight(path[max(0, len(path)-40):], ".0123456789"))
}
