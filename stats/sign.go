package stats

import "gonum.org/v1/gonum/stat/distuv"

// SignTest is the exact two-sided p-value of so many successes in n trials when
// success and failure are equally likely: twice the smaller tail, at most 1. No
// trials give 1, as do counts that cannot be (successes below 0 or above n). Of
// wins and losses it says which way most cases go, not which way the mean does:
// it is shown beside the test of the mean and never decides.
func SignTest(successes, n int) float64 {
	if n < 1 || successes < 0 || successes > n {
		return 1
	}
	few := min(successes, n-successes)
	return min(1, 2*distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(few)))
}
