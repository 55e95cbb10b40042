package stats

// SignTest is the exact two-sided p-value of a number of successes in n trials if
// success and failure are equally likely: twice the smaller tail, at most 1.
// Without trials, or for invalid counts (successes below 0 or above n), it is 1.
// Applied to wins and losses it tests the direction of most cases, not of the
// mean, so it only supplements the test of the mean.
func SignTest(successes, n int) float64 {
	if n < 1 || successes < 0 || successes > n {
		return 1
	}
	few := min(successes, n-successes)
	return min(1, 2*binomialCDF(few, n, 0.5))
}
