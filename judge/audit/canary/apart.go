package canary

import (
	"math"
	"math/rand/v2"
)

// likenesses are how alike the three answers about a passage are: the first and the one now, the
// second and the one now, the first and the second.
type likenesses struct {
	passage string
	of      [3]float64
}

// mostExact is the number of passages up to which all relabellings are counted, and relabellings
// that of those which are drawn for more.
const (
	mostExact    = 10
	relabellings = 59_048
)

// apart tests whether the answers now stand apart from the two that were frozen. ok is false for
// so few passages that no answers would show it at the level [Alpha].
//
// The test: if nothing changed, the three answers about a passage are drawn from the same
// distribution, so that each is as likely as the others to be the one that stands apart. The
// statistic is the sum over passages of how alike the other two are, less how alike it is to them
// on average; its distribution is that over all choices of the one in each passage. This is a
// permutation test, exact whatever the answers are like, with the passage as the unit (Good,
// Permutation, Parametric and Bootstrap Tests of Hypotheses, 2005, ch. 3).
func apart(passages []likenesses) (p float64, ok bool) {
	if math.Pow(3, -float64(len(passages))) >= Alpha {
		return 0, false
	}
	// terms are what each choice adds: the answer now, the second, the first.
	terms := make([][3]float64, len(passages))
	seen := 0.0
	for i, l := range passages {
		terms[i] = [3]float64{l.of[2] - (l.of[0]+l.of[1])/2, l.of[0] - (l.of[1]+l.of[2])/2, l.of[1] - (l.of[0]+l.of[2])/2}
		seen += terms[i][0]
	}
	seen -= 1e-9 // sums in another order are the same
	if len(terms) <= mostExact {
		return float64(reaching(terms, seen)) / math.Pow(3, float64(len(terms))), true
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(terms))))
	n := 1 // what was seen
	for range relabellings {
		sum := 0.0
		for _, t := range terms {
			sum += t[rng.IntN(3)]
		}
		if sum >= seen {
			n++
		}
	}
	return float64(n) / (relabellings + 1), true
}

// reaching counts the choices of a term each whose sum is at least least.
func reaching(terms [][3]float64, least float64) int {
	if len(terms) == 0 {
		if least <= 0 {
			return 1
		}
		return 0
	}
	n := 0
	for _, t := range terms[0] {
		n += reaching(terms[1:], least-t)
	}
	return n
}
