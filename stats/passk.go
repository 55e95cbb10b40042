package stats

// PassAtK estimates the probability that at least one of k draws passes, if c of
// n draws passed: 1 − C(n−c, k)/C(n, k). It is unbiased; ok is false unless 0 ≤ c
// ≤ n and 1 ≤ k ≤ n. Source: Chen et al., arXiv 2107.03374.
func PassAtK(n, c, k int) (p float64, ok bool) {
	if c < 0 || c > n {
		return 0, false
	}
	none, ok := PassHatK(n, n-c, k)
	return 1 - none, ok
}

// PassHatK estimates the probability that all of k draws pass, if c of n draws
// passed: C(c, k)/C(n, k), written pass^k. It is unbiased; ok is false unless 0 ≤
// c ≤ n and 1 ≤ k ≤ n. Source: Yao et al., arXiv 2406.12045.
func PassHatK(n, c, k int) (p float64, ok bool) {
	if c < 0 || c > n || k < 1 || k > n {
		return 0, false
	}
	p = 1
	for i := range k {
		p *= float64(c-i) / float64(n-i)
		if c-i <= 0 {
			return 0, true
		}
	}
	return p, true
}
