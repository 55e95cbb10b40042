package speech

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/text"
)

// dashes are the hyphens and dashes that may be a minus or stand between two numbers.
const dashes = "-‐‑‒–—−~"

// nextNumeral returns the first digits in s from a position on, with the signs between
// them: 1,000.5, 10:30, 3-5, 1/2. from is -1 if there are none.
func nextNumeral(s string, start int) (from, to int) {
	from = strings.IndexFunc(s[start:], unicode.IsDigit)
	if from < 0 {
		return -1, -1
	}
	from += start
	to = from
	for {
		digits := strings.IndexFunc(s[to:], func(r rune) bool { return !unicode.IsDigit(r) })
		if digits < 0 {
			return from, len(s)
		}
		to += digits
		sign, n := utf8.DecodeRuneInString(s[to:])
		next, _ := utf8.DecodeRuneInString(s[to+n:])
		if !strings.ContainsRune(".,:/⁄"+dashes, sign) || !unicode.IsDigit(next) {
			return from, to
		}
		to += n
	}
}

// signed rewrites the signs of numbers in a text after NFKC, so that numbers that differ
// in a sign differ in the result, and those that differ in style alone do not: 1,000
// becomes 1000, 5,3 becomes 5.3, 5點3 becomes 5.3, and dashes become hyphens. A minus
// has a space before it: 氣溫−5度 becomes 氣溫 -5度. Signs that only part the digits of a
// list or of a telephone number become spaces: 1,2,3 and 2345-6789.
func signed(s string) string {
	if hasPoint(s) {
		s = pointed().ReplaceAllStringFunc(s, func(m string) string {
			if timed().MatchString(m) {
				return m
			}
			return strings.NewReplacer("點", ".", "点", ".").Replace(m)
		})
	}
	var b strings.Builder
	end := 0
	for {
		from, to := nextNumeral(s, end)
		if from < 0 {
			return b.String() + s[end:]
		}
		before := s[end:from]
		if point, ok := strings.CutSuffix(before, "."); ok && isFree(s[:from-1]) {
			b.WriteString(minus(point, s[:from-1]) + ".")
		} else {
			b.WriteString(minus(before, s[:from]))
		}
		b.WriteString(oneStyle(s[from:to]))
		end = to
	}
}

// hasPoint reports whether s has the word for point, without which no expression of a
// number in words with a point matches.
func hasPoint(s string) bool { return strings.Contains(s, "點") || strings.Contains(s, "点") }

// pointed matches digits around the word for point, once or more often; timed is such a match that may be a
// time of day, as 5點30.
var (
	pointed = lazyregexp.New(`\p{Nd}+(?:[點点]\p{Nd}+)+[十分刻]?`)
	timed   = lazyregexp.New(`[十分刻]$|^[01]?\d[點点][0-5]\d$|^2[0-4][點点][0-5]\d$`)
)

// minus writes the dash at the end of before as a minus, if it is one: if the text up to
// it does not end in a letter, in a digit, or in the unit of a number (5元-10元).
func minus(before, all string) string {
	r, n := utf8.DecodeLastRuneInString(before)
	if !strings.ContainsRune(dashes, r) || n == 0 {
		return before
	}
	cut, all := before[:len(before)-n], all[:len(all)-n]
	last, _ := utf8.DecodeLastRuneInString(all)
	if !isFree(all) && (!text.IsCJK(last) || isUnit(all)) {
		return before
	}
	if r == '~' {
		return before
	}
	return cut + " -"
}

// isFree reports whether a sign after s can belong to a number that follows.
func isFree(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	return n == 0 || !unicode.In(r, unicode.L, unicode.N, unicode.M) && !strings.ContainsRune("%‰.", r)
}

// longestUnit is the number of Chinese characters that may be a unit: 公里.
const longestUnit = 2

// isUnit reports whether s ends in a number with a unit in Chinese characters.
func isUnit(s string) bool {
	for range longestUnit {
		r, n := utf8.DecodeLastRuneInString(s)
		if !text.IsCJK(r) {
			return false
		}
		s = s[:len(s)-n]
		if last, _ := utf8.DecodeLastRuneInString(s); unicode.IsDigit(last) {
			return true
		}
	}
	return false
}

var (
	thousands    = lazyregexp.New(`^[1-9]\p{Nd}{0,2}(?:,\p{Nd}{3})+(?:\.\p{Nd}+)?$`)
	decimalComma = lazyregexp.New(`^\p{Nd}+,\p{Nd}+$`)
)

// oneStyle writes the signs of a match of numeral in one way.
func oneStyle(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(dashes, r):
			return '-'
		case r == '⁄':
			return '/'
		}
		return r
	}, s)
	var b strings.Builder
	for s != "" {
		end := strings.IndexAny(s, ":/-")
		if end < 0 {
			end = len(s)
		}
		part := s[:end]
		switch {
		case thousands().MatchString(part):
			part = strings.ReplaceAll(part, ",", "")
		case decimalComma().MatchString(part):
			part = strings.ReplaceAll(part, ",", ".")
		default:
			part = strings.ReplaceAll(part, ",", " ")
		}
		b.WriteString(part)
		if end < len(s) {
			b.WriteByte(s[end])
			end++
		}
		s = s[end:]
	}
	parts := strings.Split(b.String(), " ")
	for i, p := range parts {
		if isTelephone(p) {
			parts[i] = strings.ReplaceAll(p, "-", " ")
		}
	}
	return strings.Join(parts, " ")
}

// isTelephone reports whether hyphens only group the digits of s: groups of three or
// more, one of them longer.
func isTelephone(s string) bool {
	long := false
	for group := range strings.SplitSeq(s, "-") {
		n := utf8.RuneCountInString(group)
		if n < 3 || strings.ContainsAny(group, ".:/") {
			return false
		}
		long = long || n > 3
	}
	return long
}

// isKept reports whether the sign at i belongs to a number of a text that signed wrote.
func isKept(s []rune, i int) bool {
	at := func(i int) rune {
		if i < 0 || i >= len(s) {
			return ' '
		}
		return s[i]
	}
	before, next := at(i-1), at(i+1)
	switch s[i] {
	case ':', '/':
		return unicode.IsDigit(before) && unicode.IsDigit(next)
	case '.':
		return unicode.IsDigit(next) && (unicode.IsDigit(before) || before == '-' && isKept(s, i-1) || isFree(string(before)))
	case '-':
		if !unicode.IsDigit(next) && !(next == '.' && unicode.IsDigit(at(i+2))) {
			return false
		}
		return unicode.IsDigit(before) || unicode.IsSpace(before)
	}
	return false
}

// hanPoint matches a decimal number with a point in words: 五點三, 5點三, 二十三點一四.
var hanPoint = lazyregexp.New(`([\p{Nd}零〇一二三四五六七八九十百千兩两]+)[點点]` +
	`([零〇一二三四五六七八九\p{Nd}]+)([十分刻]?)`)

// hanMinus matches the words for a minus before digits.
var hanMinus = lazyregexp.New(`(?:負|负|零下|minus )(\p{Nd})`)

// inFigures writes decimal numbers and signs that are in words in figures: 五點三 becomes
// 5.3, 負5 becomes -5. What may be a time of day stays: 五點三十分.
func inFigures(s string) string {
	if !hasPoint(s) {
		return signed(minusSigns(s))
	}
	s = hanPoint().ReplaceAllStringFunc(s, func(m string) string {
		part := hanPoint().FindStringSubmatch(m)
		whole, fraction := part[1], ""
		if part[3] != "" || timed().MatchString(m) {
			return m
		}
		for _, r := range part[2] {
			n, ok := smallHan(string(r))
			if unicode.IsDigit(r) {
				fraction += string(r)
			} else if ok {
				fraction += strconv.Itoa(n)
			}
		}
		if n, ok := smallHan(whole); ok {
			whole = strconv.Itoa(n)
		} else if numbers := text.Numbers(whole); len(numbers) == 1 && numbers[0].Text == whole {
			whole = numbers[0].Key
		} else {
			return m
		}
		return whole + "." + fraction
	})
	return signed(minusSigns(s))
}

// minusSigns writes the words for a minus before digits as signs.
func minusSigns(s string) string {
	for _, word := range []string{"負", "负", "零下", "minus "} {
		if strings.Contains(s, word) {
			return hanMinus().ReplaceAllString(s, " -$1")
		}
	}
	return s
}
