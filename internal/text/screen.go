package text

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Screens tell which of a list of expressions may match in a text: those of which it has
// the literals without which they cannot. Most texts lack one, and to look for the
// literals of all expressions at once takes a fraction of the time of a match.
type Screens struct {
	// sets are, for each expression, sets of which every match has at least one literal
	// each, by their numbers.
	sets     [][][]int32
	literals []literal
	words    automaton
}

// A literal is a string that stands in every match, and whether it begins and ends at the
// border of a word.
type literal struct {
	text         string
	begins, ends bool
}

// NewScreens makes the screens of expressions in Perl's syntax, or returns the first
// error in one.
func NewScreens(expressions []string) (*Screens, error) {
	s := &Screens{}
	known := map[string]int32{}
	for _, e := range expressions {
		parsed, err := syntax.Parse(e, syntax.Perl)
		if err != nil {
			return nil, err
		}
		var sets [][]int32
		for _, set := range required(parsed.Simplify()) {
			var numbers []int32
			for _, l := range set {
				n, ok := known[l]
				if !ok {
					n = int32(len(s.literals))
					known[l] = n
					s.literals = append(s.literals, literalOf(l))
				}
				numbers = append(numbers, n)
			}
			sets = append(sets, numbers)
		}
		s.sets = append(s.sets, sets)
	}
	s.words = newAutomaton(s.literals)
	return s, nil
}

// literalOf takes the marks of borders out of a string.
func literalOf(s string) literal {
	return literal{strings.ReplaceAll(s, border, ""), strings.HasPrefix(s, border), strings.HasSuffix(s, border)}
}

// May reports for each expression whether it may match in the text: true says nothing,
// with false it does not match.
func (s *Screens) May(text string) []bool {
	has := make([]bool, len(s.literals))
	s.words.run(text, func(n int32, end int) {
		l := &s.literals[n]
		if has[n] || l.begins && !isBorder(text, end-len(l.text)) || l.ends && !isBorder(text, end) {
			return
		}
		has[n] = true
	})
	out := make([]bool, len(s.sets))
	for i, sets := range s.sets {
		out[i] = !slices.ContainsFunc(sets, func(set []int32) bool {
			return !slices.ContainsFunc(set, func(n int32) bool { return has[n] })
		})
	}
	return out
}

// Screened reports whether every expression has literals.
func (s *Screens) Screened() bool {
	return !slices.ContainsFunc(s.sets, func(sets [][]int32) bool { return sets == nil })
}

// isBorder reports whether a word begins or ends at a place of a text, as \b does.
func isBorder(s string, at int) bool {
	return (at > 0 && isWordByte(s[at-1])) != (at < len(s) && isWordByte(s[at]))
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// An automaton finds all of a set of strings in one pass (Aho and Corasick 1975,
// doi:10.1145/360825.360855), with a table of transitions.
type automaton struct {
	// class maps a byte to a column of next; bytes of no string share column 0.
	class   [256]uint8
	columns int
	next    []int32
	// found are the strings that end in a state.
	found [][]int32
}

func newAutomaton(literals []literal) (a automaton) {
	a.columns = 1
	for _, l := range literals {
		for i := range len(l.text) {
			if c := l.text[i]; a.class[c] == 0 && a.columns < 256 {
				a.class[c] = uint8(a.columns)
				a.columns++
			}
		}
	}
	a.add()
	for n, l := range literals {
		state := int32(0)
		for i := range len(l.text) {
			to := &a.next[int(state)*a.columns+int(a.class[l.text[i]])]
			if *to == 0 {
				*to = int32(len(a.found))
				state = *to // add moves the table
				a.add()
				continue
			}
			state = *to
		}
		a.found[state] = append(a.found[state], int32(n))
	}
	// Breadth first: the state that is left for a byte without a transition is that of the
	// longest suffix, whose transitions are complete.
	fail := make([]int32, len(a.found))
	queue := []int32{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		for c := range a.columns {
			to := &a.next[int(state)*a.columns+c]
			suffix := int32(0)
			if state != 0 {
				suffix = a.next[int(fail[state])*a.columns+c]
			}
			if *to == 0 {
				*to = suffix
				continue
			}
			fail[*to] = suffix
			a.found[*to] = append(a.found[*to], a.found[suffix]...)
			queue = append(queue, *to)
		}
	}
	return a
}

// add adds a state.
func (a *automaton) add() {
	a.found = append(a.found, nil)
	a.next = append(a.next, make([]int32, a.columns)...)
}

// run calls found with each string of the text and the place after it.
func (a *automaton) run(text string, found func(n int32, end int)) {
	state := int32(0)
	for i := range len(text) {
		state = a.next[int(state)*a.columns+int(a.class[text[i]])]
		for _, n := range a.found[state] {
			found(n, i+1)
		}
	}
}

// border marks the border of a word in the strings of [exact].
const border = "\x00"

// required returns sets of literals. Every match of the expression contains at least
// one literal of each set.
func required(e *syntax.Regexp) (sets [][]string) {
	if all := exact(e); all != nil {
		return appendSet(nil, all)
	}
	switch e.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return required(e.Sub[0])
	case syntax.OpConcat:
		// A run of parts that match few strings is one set: their combinations.
		run := []string{""}
		for _, part := range e.Sub {
			of := exact(part)
			if of != nil && len(run)*len(of) <= mostExact {
				run = product(run, of)
				continue
			}
			sets = appendSet(sets, run)
			if run = of; of == nil {
				sets, run = append(sets, required(part)...), []string{""}
			}
		}
		return appendSet(sets, run)
	case syntax.OpAlternate:
		var either []string
		for _, part := range e.Sub {
			of := required(part)
			if of == nil {
				return nil
			}
			either = append(either, slices.MaxFunc(of, func(a, b []string) int { return shortest(a) - shortest(b) })...)
		}
		return appendSet(nil, either)
	}
	return nil
}

// appendSet appends a set without the literals that contain another of it, unless one
// is empty: then it says nothing.
func appendSet(sets [][]string, set []string) [][]string {
	var kept []string
	for i, l := range set {
		if strings.Trim(l, border) == "" {
			return sets
		}
		if !slices.ContainsFunc(set[:i], func(o string) bool { return o == l }) &&
			!slices.ContainsFunc(set, func(o string) bool { return len(o) < len(l) && strings.Contains(l, o) }) {
			kept = append(kept, l)
		}
	}
	return append(sets, kept)
}

// mostExact bounds the strings that are listed.
const mostExact = 64

// exact lists the strings that an expression matches, with a mark where a word begins or
// ends; nil if they are too many.
func exact(e *syntax.Regexp) []string {
	switch e.Op {
	case syntax.OpLiteral:
		if e.Flags&syntax.FoldCase == 0 {
			return []string{string(e.Rune)}
		}
	case syntax.OpWordBoundary:
		return []string{border}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpNoWordBoundary:
		return []string{""}
	case syntax.OpCharClass:
		var out []string
		for i := 0; i < len(e.Rune); i += 2 {
			for r := e.Rune[i]; r <= e.Rune[i+1]; r++ {
				if out = append(out, string(r)); len(out) > 8 {
					return nil
				}
			}
		}
		return out
	case syntax.OpCapture:
		return exact(e.Sub[0])
	case syntax.OpQuest:
		if of := exact(e.Sub[0]); of != nil {
			return append([]string{""}, of...)
		}
	case syntax.OpConcat, syntax.OpAlternate:
		var out []string
		if e.Op == syntax.OpConcat {
			out = []string{""}
		}
		for _, part := range e.Sub {
			of := exact(part)
			switch {
			case of == nil:
				return nil
			case e.Op == syntax.OpConcat:
				out = product(out, of)
			default:
				out = append(out, of...)
			}
			if len(out) > mostExact {
				return nil
			}
		}
		return out
	}
	return nil
}

// product joins each string of a with each of b.
func product(a, b []string) []string {
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// ASCII reports whether a text has no character beyond ASCII.
func ASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// shortest returns the length in bytes of the shortest text.
func shortest(texts []string) int {
	return len(slices.MinFunc(texts, func(a, b string) int { return len(a) - len(b) }))
}
