package judged

import (
	"math"
	"strconv"
)

// leastMass is the probability below which G-Eval ignores a token.
const leastMass = 0.01

// A LikelyToken is a token that a model might have said in place of a score,
// with the natural logarithm of its probability.
type LikelyToken struct {
	Text    string
	LogProb float64
}

// ExpectedLevel is the mean of the levels lo to hi that a model might have said,
// weighted by how likely it was to say each; mass is the probability that the
// weights add up to, 0 to 1. Tokens of less than 1 % and those that are no level
// do not count; ok is false when none does. Levels must have one digit: a token
// may be a part of "10".
//
// It needs the probabilities of tokens, which no provider here is asked for and
// many do not give, so that no metric uses it: the mean of several passes serves,
// and the two are not comparable. Source: Liu et al., G-Eval, EMNLP 2023.
func ExpectedLevel(top []LikelyToken, lo, hi int) (level, mass float64, ok bool) {
	sum := 0.0
	for _, t := range top {
		p := math.Exp(t.LogProb)
		n, err := strconv.ParseUint(t.Text, 10, 8)
		if err != nil || math.IsNaN(p) || p < leastMass || int(n) < lo || int(n) > hi {
			continue
		}
		sum += float64(n) * p
		mass += p
	}
	if mass == 0 {
		return 0, 0, false
	}
	return sum / mass, mass, true
}
