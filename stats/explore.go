package stats

// Explore is [CompareBy] for many comparisons that are looked through, such as
// those of all parts of a dataset: PAdjusted controls the share of false findings
// ([BenjaminiHochberg]), and CI are the intervals that go with it: of the intervals
// of the findings, at most the share 1 − level is expected to leave out its true
// difference. A comparison is a finding exactly if CI excludes 0. The comparisons
// come in n lists, of which each shares its cases; list returns one, and is asked for
// each twice, so that not all are in memory. Those of fewer than least pairs are
// not tested: P and PAdjusted are 1, and CI is nil. Source: Benjamini and
// Yekutieli, JASA 100, 2005.
func Explore(test Test, n int, list func(i int) [][]Pair, least int, level float64, seed uint64) [][]Comparison {
	out := make([][]Comparison, n)
	var family []*Comparison
	var p []float64
	for i := range out {
		out[i] = CompareBy(test, list(i), level, seed)
		for k := range out[i] {
			c := &out[i][k]
			if c.N < least || c.N == 0 {
				c.P, c.PAdjusted, c.CI = 1, 1, nil
				c.detect(1 - level)
				continue
			}
			family, p = append(family, c), append(p, c.P)
		}
	}
	found := 0
	for i, adjusted := range BenjaminiHochberg(p) {
		family[i].PAdjusted = adjusted
		if adjusted < 1-level {
			found++
		}
	}
	if len(family) < 2 || !isLevel(level) {
		return out
	}
	alpha := (1 - level) * float64(max(1, found)) / float64(len(family))
	for i := range out {
		for k, c := range CompareBy(test, list(i), 1-alpha, seed) {
			kept := &out[i][k]
			if kept.CI == nil {
				continue
			}
			if shown := kept.PAdjusted < 1-level; c.CI != nil || !shown {
				kept.CI, kept.Tested = c.CI, c.Tested
			}
			if kept.CI != nil {
				agree(kept.CI, kept.Diff, kept.PAdjusted < 1-level)
			}
			kept.detect(alpha)
		}
	}
	return out
}
