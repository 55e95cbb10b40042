package stats

import "math"

// minSequence is the minimum number of cases for a confidence sequence, which
// relies on the standard deviation measured so far.
const minSequence = 30

// ConfidenceSequence is the half-width of an interval for a mean that is valid at
// all times simultaneously: one may look at it after every case and stop at any
// time, and it still covers the mean throughout with probability 1 − alpha.
//
//	sd·√(2(nρ²+1)/(n²ρ²) · ln(√(nρ²+1)/α))
//
// sd is the standard deviation (n − 1) of the n cases so far, in random order.
// rho, from [ConfidenceSequenceRho], determines at which n the interval is
// narrowest; there it is about half as wide again as an interval for a single
// look. The guarantee is asymptotic, and fails where rare scores decide the mean:
// those with bounds have [Bounds]. ok is false below 30 cases, if sd is
// negative, if rho is not positive, or if alpha is not between 0 and 1. Source:
// Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, arXiv 2103.06476, equation 13.
func ConfidenceSequence(n int, sd, alpha, rho float64) (half float64, ok bool) {
	if n < minSequence || !(sd >= 0) || !(rho > 0) || !isLevel(alpha) {
		return 0, false
	}
	f := float64(n)
	// nρ², in an order that avoids overflow.
	s := f * rho * rho
	half = sd * math.Sqrt(2*(s+1)/(f*s)*math.Log(math.Sqrt(s+1)/alpha))
	if !isFinite(half) {
		return 0, false
	}
	return half, true
}

// ConfidenceSequenceRho is the rho for which [ConfidenceSequence] is narrowest
// after n cases: √((−2·ln α + ln(−2·ln α) + 1)/n). ok is false without cases, or
// if alpha is not between 0 and 1 or too close to 1. Source: the same, appendix.
func ConfidenceSequenceRho(n int, alpha float64) (rho float64, ok bool) {
	if n < 1 || !isLevel(alpha) {
		return 0, false
	}
	two := -2 * math.Log(alpha)
	rho = math.Sqrt((two + math.Log(two) + 1) / float64(n))
	if !(rho > 0 && isFinite(rho)) {
		return 0, false
	}
	return rho, true
}
