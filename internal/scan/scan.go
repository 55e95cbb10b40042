// Package scan reads what people write, such as filters and rules, from left to right.
package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Scanner has a text and the place of what comes next, in bytes.
type Scanner struct {
	Text string
	At   int
}

// Rest is what has not been read.
func (s *Scanner) Rest() string { return s.Text[s.At:] }

// Next takes a text if it comes next.
func (s *Scanner) Next(text string) bool {
	is := strings.HasPrefix(s.Rest(), text)
	if is {
		s.At += len(text)
	}
	return is
}

// Take takes the characters that fit.
func (s *Scanner) Take(fits func(rune) bool) string {
	from := s.At
	s.At = len(s.Text) - len(strings.TrimLeftFunc(s.Rest(), fits))
	return s.Text[from:s.At]
}

// Space takes white space.
func (s *Scanner) Space() { s.Take(unicode.IsSpace) }

// Column is a place in a text as people count it: in characters from 1.
func Column(text string, at int) int { return 1 + utf8.RuneCountInString(text[:at]) }

// Items splits a list at its commas, except those within balanced parentheses:
// "mrr,rbp(p=0.8,gain=graded)" has two items. An unbalanced parenthesis has no
// effect.
func Items(s string) []string {
	var out []string
	start, open := 0, 0
	for i, c := range s {
		switch {
		case c == '(' && strings.Contains(s[i:], ")"):
			open++
		case c == ')' && open > 0:
			open--
		case c == ',' && open == 0:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	if open > 0 {
		return strings.Split(s, ",")
	}
	return append(out, s[start:])
}
