package stats

import "math"

// A Vote decides by the majority of an odd number of passes, and is settled as
// soon as no further vote could change the decision: the decision is the one
// that all passes would have given. A pass that failed is no vote.
type Vote struct {
	passes  int
	ordered bool
	votes   []float64
}

// NewVote starts a vote of so many passes, which must be odd. The labels of an
// ordered vote are levels: it is settled by the median, so that 1, 2 and 3 give
// 2. An unordered vote needs more than half of the passes for one label.
func NewVote(passes int, ordered bool) *Vote { return &Vote{passes: passes, ordered: ordered} }

// Cast adds a vote.
func (v *Vote) Cast(label float64) { v.votes = append(v.votes, label) }

// Len counts the votes so far.
func (v *Vote) Len() int { return len(v.votes) }

func (v *Vote) count(label float64) (below, equal, above int) {
	for _, w := range v.votes {
		switch {
		case w < label:
			below++
		case w > label:
			above++
		default:
			equal++
		}
	}
	return below, equal, above
}

// missing is how many votes for the label would settle the vote on it.
func (v *Vote) missing(label float64) int {
	majority := v.passes/2 + 1
	below, equal, above := v.count(label)
	if v.ordered {
		// The median is the label for certain when a majority is not above it
		// and a majority is not below it.
		return max(0, majority-equal-min(below, above))
	}
	return max(0, majority-equal)
}

// Decision is the label on which the vote is settled; ok is false while it is
// not.
func (v *Vote) Decision() (label float64, ok bool) {
	for _, w := range v.votes {
		if v.missing(w) == 0 {
			return w, true
		}
	}
	return 0, false
}

// Open is the least number of further votes that can settle the vote: 0 when it
// is settled, or when the votes are so divided that none can be.
func (v *Vote) Open() int {
	left := v.passes - len(v.votes)
	least := v.passes/2 + 1
	for _, w := range v.votes {
		least = min(least, v.missing(w))
	}
	if least > left {
		return 0
	}
	return least
}

// Votes counts the votes for a label and those for any other.
func (v *Vote) Votes(label float64) (same, other int) {
	_, same, _ = v.count(label)
	return same, len(v.votes) - same
}

// Divided reports whether the votes differ.
func (v *Vote) Divided() bool {
	for _, w := range v.votes {
		if w != v.votes[0] {
			return true
		}
	}
	return false
}

// MajorityAccuracy is the probability that the majority of an odd number of
// passes is right when each is right with probability p, 0 ≤ p ≤ 1, and their
// errors are independent: Σ_{j≥m} C(k,j) p^j q^(k−j), m = (k+1)/2. Passes of one
// model at one prompt err together, so that this is the most a vote can do: it
// takes away noise, not bias.
func MajorityAccuracy(passes int, p float64) float64 {
	sum := 0.0
	for j := passes/2 + 1; j <= passes; j++ {
		sum += binomial(passes, j) * math.Pow(p, float64(j)) * math.Pow(1-p, float64(passes-j))
	}
	return sum
}

// ExpectedCalls is how many passes of a curtailed vote of an odd number are made
// on average, when each gives the item's more frequent label with probability p:
// Σ_{n=m}^{2m−1} n C(n−1,m−1) (p^m q^(n−m) + q^m p^(n−m)). For 3 passes it is 2+2pq.
func ExpectedCalls(passes int, p float64) float64 {
	return expectedCalls(passes, func(i, j int) float64 { return math.Pow(p, float64(i)) * math.Pow(1-p, float64(j)) })
}

// ExpectedCallsMixed is [ExpectedCalls] over items whose p is drawn from
// Beta(a, b), a and b above 0.
func ExpectedCallsMixed(passes int, a, b float64) float64 {
	return expectedCalls(passes, func(i, j int) float64 {
		// E[p^i q^j] = B(a+i, b+j) / B(a, b)
		return math.Exp(logBeta(a+float64(i), b+float64(j)) - logBeta(a, b))
	})
}

// expectedCalls takes the mean of p^i q^j.
func expectedCalls(passes int, moment func(i, j int) float64) float64 {
	m := passes/2 + 1
	sum := 0.0
	for n := m; n <= passes; n++ {
		sum += float64(n) * binomial(n-1, m-1) * (moment(m, n-m) + moment(n-m, m))
	}
	return sum
}

func binomial(n, k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c = c * float64(n-k+i) / float64(i)
	}
	return c
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}
