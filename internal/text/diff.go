package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Change is a part of two versions of a text. If the part is in both, Old and New are
// equal; else the second version has New in place of Old, and either may be "".
type Change struct{ Old, New string }

// Same reports whether the part is in both versions.
func (c Change) Same() bool { return c.Old == c.New }

// mostCompared bounds the tokens to compare: the cost is the product of the two numbers.
const mostCompared = 4 << 20

// Diff returns two versions of a text as the parts that they share and those that differ,
// by words, and by characters of Chinese. The parts of Old together are the old version,
// those of New the new one. Long texts that share little are one difference between their
// common beginning and end.
func Diff(old, new string) []Change {
	a, b := pieces(old), pieces(new)
	x, y := numbersFor(a, b)
	x, y, head, tail := trim(x, y)
	var out differing
	for _, s := range a[:head] {
		out.add(s, s)
	}
	from, to := a[head:head+len(x)], b[head:head+len(y)]
	if len(from)*len(to) > mostCompared {
		out.add(strings.Join(from, ""), strings.Join(to, ""))
	} else {
		for _, s := range Align(from, to) {
			was, is := "", ""
			if s.Reference >= 0 {
				was = from[s.Reference]
			}
			if s.Hypothesis >= 0 {
				is = to[s.Hypothesis]
			}
			out.add(was, is)
		}
	}
	for _, s := range a[len(a)-tail:] {
		out.add(s, s)
	}
	return out.joined()
}

// differing are changes, in which neighbours of the same kind are one.
type differing []Change

func (d *differing) add(old, new string) {
	if old == "" && new == "" {
		return
	}
	if n := len(*d); n > 0 {
		if last := &(*d)[n-1]; last.Same() == (old == new) {
			last.Old, last.New = last.Old+old, last.New+new
			return
		}
	}
	*d = append(*d, Change{old, new})
}

// joined returns the changes with those made one that only a space separates.
func (d differing) joined() []Change {
	var out differing
	for i, c := range d {
		if n := len(out); c.Same() && n > 0 && i+1 < len(d) && strings.TrimSpace(c.Old) == "" {
			out[n-1].Old, out[n-1].New = out[n-1].Old+c.Old, out[n-1].New+c.New
			continue
		}
		out.add(c.Old, c.New)
	}
	return out
}

// pieces splits a text into words, spaces and other characters, without a loss.
func pieces(s string) []string {
	var out []string
	kind := func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return 1
		case IsCJK(r):
			return 0
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_':
			return 2
		}
		return 0
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		first := kind(r)
		for first > 0 && n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			if kind(r) != first {
				break
			}
			n += size
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}
