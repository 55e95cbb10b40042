package offline

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// A screened expression is matched only where a text has the literals without which it
// cannot match. Most sentences lack one, and a search for literals takes a fraction of
// the time of a match.
type screened struct {
	*regexp.Regexp
	// literals are sets of which every match has at least one literal each.
	literals [][]string
	// foreign is set if a text in ASCII never matches.
	foreign bool
}

// screen compiles an expression. It panics if the expression is invalid.
func screen(expression string) screened {
	s := screened{Regexp: regexp.MustCompile(expression)}
	if parsed, err := syntax.Parse(expression, syntax.Perl); err == nil {
		s.literals = required(parsed.Simplify())
		slices.SortStableFunc(s.literals, func(a, b []string) int { return len(a) - len(b) })
		s.foreign = slices.ContainsFunc(s.literals, func(set []string) bool { return !slices.ContainsFunc(set, isASCII) })
	}
	return s
}

// MatchString reports whether the expression matches in the text.
func (s screened) MatchString(text string) bool {
	for _, set := range s.literals {
		if !slices.ContainsFunc(set, func(l string) bool { return strings.Contains(text, l) }) {
			return false
		}
	}
	return s.Regexp.MatchString(text)
}

// required returns sets of literals. Every match of the expression contains at least
// one literal of each set.
func required(e *syntax.Regexp) [][]string {
	switch e.Op {
	case syntax.OpLiteral:
		if e.Flags&syntax.FoldCase == 0 {
			return [][]string{{string(e.Rune)}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(e.Sub[0])
	case syntax.OpConcat:
		var all [][]string
		for _, part := range e.Sub {
			all = append(all, required(part)...)
		}
		return all
	case syntax.OpAlternate:
		var either []string
		for _, part := range e.Sub {
			of := required(part)
			if of == nil {
				return nil
			}
			either = append(either, slices.MaxFunc(of, func(a, b []string) int { return shortest(a) - shortest(b) })...)
		}
		return [][]string{either}
	}
	return nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// shortest returns the length in bytes of the shortest text.
func shortest(texts []string) int {
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}
