package offline

import (
	"slices"
	"strings"
)

// alters says how an answer that nearly copies a reference changes what it says: another
// name or number, the roles of two names swapped, another degree of certainty, a negation. It
// returns "" if it does none of these, or is no near copy.
func (a *claim) alters(r *claim, asked map[string]bool) string {
	shared := count(has(r.terms, toSet(a.terms)))
	if len(r.terms) < 3 || float64(shared) < matching*float64(len(r.terms)-len(r.names)) || !latin(a.text) || !latin(r.text) {
		return ""
	}
	if other := otherName(a, r, asked); other != "" {
		return "the answer has the name " + other + " in place of one of the reference"
	}
	if otherNumberIn(a, r) {
		return "the answer has another number than the reference"
	}
	if exchanged(a, r) {
		return "the names of the reference have other roles in the answer"
	}
	if unsure(r.words) != unsure(a.words) && near(a, r) {
		return "the answer is more or less certain than the reference"
	}
	if near(a, r) && a.denies(r.text) {
		return "either the answer or the reference is negated"
	}
	return ""
}

// near reports whether two texts share most of their terms both ways.
func near(a, r *claim) bool {
	return share(r.terms, toSet(a.terms)) >= denying && share(a.terms, toSet(r.terms)) >= matching
}

// otherName returns a name of the answer that neither the reference nor the question
// has, where the answer lacks a name of the reference.
func otherName(a, r *claim, asked map[string]bool) string {
	lacks := slices.ContainsFunc(r.names, func(n string) bool { return !slices.Contains(a.words, n) })
	if !lacks {
		return ""
	}
	for _, n := range a.names {
		if !slices.Contains(r.words, n) && !asked[stem(n)] {
			return strings.ToUpper(n[:1]) + n[1:]
		}
	}
	return ""
}

// otherNumberIn reports whether the answer has a number that the reference lacks, and
// lacks one of the reference.
func otherNumberIn(a, r *claim) bool {
	return lacksNumber(r.numbers, a) && lacksNumber(a.numbers, r)
}

// exchanged reports whether two names of the reference, with a word between them that is
// more than a preposition, stand in the other order in the answer. A passive in one of
// the two texts turns the order.
func exchanged(a, r *claim) bool {
	// The first word may be a name too: its capital does not tell.
	both := slices.DeleteFunc(slices.Concat(r.names, a.names, r.words[:1], a.words[:1]), func(n string) bool {
		return !slices.Contains(a.words, n) || !slices.Contains(r.words, n) || known().function[n]
	})
	slices.SortStableFunc(both, func(x, y string) int { return slices.Index(r.words, x) - slices.Index(r.words, y) })
	both = slices.Compact(both)
	turned := slices.Contains(a.words, "by") != slices.Contains(r.words, "by")
	for i := 1; i < len(both) && near(a, r); i++ {
		x, y := both[i-1], both[i]
		between := r.words[slices.Index(r.words, x)+1 : slices.Index(r.words, y)]
		// "Anna and Bob" is the same as "Bob and Anna".
		if !slices.ContainsFunc(between, func(w string) bool { return !known().function[w] }) {
			continue
		}
		inverted := slices.Index(a.words, x) > slices.Index(a.words, y)
		return inverted != turned
	}
	return false
}

// unsure reports whether a statement says that it may be so.
func unsure(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(known().Possibly, w) })
}
