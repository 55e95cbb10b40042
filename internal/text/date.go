package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A Date is a day; Year is 0 if unknown, and Month is 0 if there is no date.
type Date struct{ Year, Month, Day int }

// String returns "2024-06-25", or "--06-25" without a year.
func (d Date) String() string {
	if d.Year == 0 {
		return fmt.Sprintf("--%02d-%02d", d.Month, d.Day)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

type foundDate struct {
	Span
	date Date
	// clock is set for a time of day, which has no date.
	clock *Value
}

const monthNames = `jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|` +
	`nov(?:ember)?|dec(?:ember)?`

// datePattern matches four forms of a date: year first in digits, year first in
// Chinese, and the day before or after the month's name.
var datePattern = lazyregexp.New(`(?i)` +
	`\b(\d{4})([-/.])(\d{1,2})[-/.](\d{1,2})(?:\b|T)` +
	`|(?:(\d{4})\s?年\s?)?(\d{1,2})\s?月\s?(\d{1,2})\s?[日號号]` +
	`|\b(\d{1,2})(?:st|nd|rd|th)?\s(?:of\s)?(` + monthNames + `)\b\.?(?:\s?,?\s(\d{4})\b)?` +
	`|\b(` + monthNames + `)\b\.?\s(\d{1,2})(?:st|nd|rd|th)?\b(?:\s?,?\s(\d{4})\b)?`)

// months are the words that the expression of the names of months matches.
var months = Set("jan january feb february mar march apr april may jun june jul july aug august sep sept september sepember oct october " +
	"nov november dec december")

// mayHaveDates reports whether s has what every date has: the name of a month as a word,
// 月, two digits with a slash between them, or four digits, a hyphen or a full stop, and a
// digit. It takes a hundredth of the time of the expressions, and few texts have a date.
func mayHaveDates(s string) bool {
	digits := 0 // how many stand before
	for i := 0; i < len(s); i++ {
		c := s[i]
		if '0' <= c && c <= '9' {
			digits++
			continue
		}
		switch {
		case c >= utf8.RuneSelf:
			// "ſ" is an s to the expressions.
			if strings.HasPrefix(s[i:], "月") || strings.HasPrefix(s[i:], "ſ") {
				return true
			}
		case c == '/' && digits > 0, (c == '-' || c == '.') && digits >= 4:
			if i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9' {
				return true
			}
		case isASCIILetter(c):
			end := i + 1
			for end < len(s) && isASCIILetter(s[end]) {
				end++
			}
			if n := end - i; n >= len("may") && n <= len("september") && months[strings.ToLower(s[i:end])] {
				return true
			}
			i = end - 1
		}
		digits = 0
	}
	return false
}

func isASCIILetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// findDates returns the valid dates of s, in order.
func findDates(s string) []foundDate {
	if !mayHaveDates(s) {
		return nil
	}
	var out []foundDate
	for _, m := range datePattern().FindAllStringSubmatchIndex(s, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		d := Date{
			Year:  number(group(1) + group(5) + group(10) + group(13)),
			Month: number(group(3)+group(6)) + month(group(9)+group(11)),
			Day:   number(group(4) + group(7) + group(8) + group(12)),
		}
		if d.Month >= 1 && d.Month <= 12 && d.Day >= 1 && d.Day <= 31 {
			out = append(out, foundDate{Span: Span{m[0], m[1]}, date: d})
		}
	}
	return out
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// month returns the number of a month's name, 0 for none.
func month(name string) int {
	if len(name) < 3 {
		return 0
	}
	return strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(name[:3]))/3 + 1
}

// loosePattern matches forms of dates that [Numbers] reads as numbers: the month of a year,
// and a day with slashes.
var loosePattern = lazyregexp.New(`(?i)` +
	`\b(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b` +
	`|\b(0?[1-9]|1[0-2])/(\d{4})\b` +
	`|\b(\d{4})[-/](0[1-9]|1[0-2])\b` +
	`|(\d{4})\s?年\s?(\d{1,2})\s?月` +
	`|\b(` + monthNames + `)\b\.?,?\s(?:of\s)?(\d{4})\b`)

// looseDates returns the dates of s as [findDates] does, and the months of years and days
// with slashes. A day with slashes that may be read in two ways has neither: its month is
// 0.
func looseDates(s string) []foundDate {
	if !mayHaveDates(s) {
		return nil
	}
	out := findDates(s)
	for _, m := range loosePattern().FindAllStringSubmatchIndex(s, -1) {
		at := Span{m[0], m[1]}
		if slices.ContainsFunc(out, func(d foundDate) bool { return d.Start < at.End && at.Start < d.End }) {
			continue
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		d := Date{Year: number(group(5) + group(6) + group(8) + group(11)), Month: number(group(4)+group(7)+group(9)) + month(group(10))}
		if group(1) != "" {
			d = slashed(number(group(1)), number(group(2)), number(group(3)))
		}
		if d.Month <= 12 {
			out = append(out, foundDate{Span: at, date: d})
		}
	}
	slices.SortFunc(out, func(a, b foundDate) int { return a.Start - b.Start })
	return out
}

// slashed returns the date of two numbers and a year, if only one order makes a date, or
// both the same one.
func slashed(a, b, year int) Date {
	switch {
	case year < 100 || a < 1 || b < 1 || a > 31 || b > 31 || a > 12 && b > 12 || a <= 12 && b <= 12 && a != b:
		return Date{}
	case a > 12:
		return Date{Year: year, Month: b, Day: a}
	}
	return Date{Year: year, Month: a, Day: b}
}
