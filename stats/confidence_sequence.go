package stats

import "math"

// minSequence is the number of cases from which a confidence sequence may be
// looked at: it relies on the standard deviation that was measured so far.
const minSequence = 30

// ConfidenceSequence is half the width of an interval of a mean that holds at all
// times at once: it may be looked at after every case, and cases may stop at any,
// with a chance of 1 − alpha that it never misses.
//
//	sd·√(2(nρ²+1)/(n²ρ²) · ln(√(nρ²+1)/α))
//
// sd is the standard deviation of the n cases so far (n − 1), in random order, and
// rho from [ConfidenceSequenceRho] decides when it is narrowest; at that time it
// is about half as wide again as an interval for one look. The guarantee is
// asymptotic: do not look before 30 cases. ok is false below 30 cases, with a
// negative sd, a rho that is not positive, and an alpha that is not between 0
// and 1. Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
// arXiv 2103.06476, equation 13.
func ConfidenceSequence(n int, sd, alpha, rho float64) (half float64, ok bool) {
	if n < minSequence || !(sd >= 0) || !(rho > 0) || !isLevel(alpha) {
		return 0, false
	}
	f := float64(n)
	// nρ², in which large numbers have no place to overflow.
	s := f * rho * rho
	half = sd * math.Sqrt(2*(s+1)/(f*s)*math.Log(math.Sqrt(s+1)/alpha))
	if !isFinite(half) {
		return 0, false
	}
	return half, true
}

// ConfidenceSequenceRho is the rho with which [ConfidenceSequence] is narrowest
// after n cases: √((−2·ln α + ln(−2·ln α) + 1)/n). ok is false without cases, and
// with an alpha that is not between 0 and 1 or so near to 1 that there is none.
// Source: as there, appendix.
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
