package text

import (
	"slices"
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

// joined returns the changes with those made one that are separated by less than either
// changes, and with additions and removals moved to where words or sentences end.
func (d differing) joined() []Change {
	var out differing
	for i, c := range d {
		if n := len(out); c.Same() && n > 0 && i+1 < len(d) && len(c.Old) <= min(out[n-1].size(), d[i+1].size()) {
			out[n-1].Old, out[n-1].New = out[n-1].Old+c.Old, out[n-1].New+c.New
			continue
		}
		out.add(c.Old, c.New)
	}
	for i := 1; i+1 < len(out); i++ {
		if !out[i].Same() && (out[i].Old == "" || out[i].New == "") {
			out.slide(i)
		}
	}
	return slices.DeleteFunc(out, func(c Change) bool { return c == Change{} })
}

// size is the length of the longer of the two.
func (c Change) size() int { return max(len(c.Old), len(c.New)) }

// mostSlid bounds how far a change is moved, in pieces.
const mostSlid = 64

// slide moves an addition or a removal between two parts that are the same: what it ends
// with can stand before it if the part before ends so too, and the reverse.
func (d differing) slide(i int) {
	before, changed, after := pieces(d[i-1].Old), pieces(d[i].Old+d[i].New), pieces(d[i+1].Old)
	all := slices.Concat(before, changed, after)
	from, n := len(before), len(changed)
	best, most := from, boundary(all, from)+boundary(all, from+n)
	try := func(at int) {
		if score := boundary(all, at) + boundary(all, at+n); score > most {
			best, most = at, score
		}
	}
	for at := from - 1; at >= max(0, from-mostSlid) && all[at] == all[at+n]; at-- {
		try(at)
	}
	for at := from + 1; at <= min(len(all)-n, from+mostSlid) && all[at-1] == all[at-1+n]; at++ {
		try(at)
	}
	text := func(from, to int) string { return strings.Join(all[from:to], "") }
	first, last := text(0, best), text(best+n, len(all))
	d[i-1], d[i+1] = Change{first, first}, Change{last, last}
	if d[i].Old == "" {
		d[i].New = text(best, best+n)
	} else {
		d[i].Old = text(best, best+n)
	}
}

// boundary says how well a text can be divided before a piece.
func boundary(all []string, at int) int {
	if at == 0 || at == len(all) {
		return 3
	}
	before, _ := utf8.DecodeLastRuneInString(all[at-1])
	after, _ := utf8.DecodeRuneInString(all[at])
	switch {
	case isTerminal(before) || isStop(before):
		return 3
	case unicode.IsSpace(before) || unicode.IsSpace(after):
		return 2
	case unicode.IsPunct(before) || unicode.IsPunct(after):
		return 1
	}
	return 0
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
