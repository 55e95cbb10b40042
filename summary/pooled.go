package summary

import "github.com/assay-eval/assay/stats"

// pooledInterval returns the interval of ΣNum/ΣDen by resampling clusters. If every
// case has the same share of a metric in 0…1, such as 0 of all that is counted,
// resampling sees no spread and the interval would be too narrow. It is then Wilson's
// interval with the number of clusters as n.
func pooledInterval(counts []stats.Count, in [2]float64, level float64, metric string) *stats.Interval {
	if share, n, ok := evenly(counts); ok && in == [2]float64{0, 1} {
		ci := stats.Wilson(share*float64(n), n, level)
		return &ci
	}
	return stats.PooledRatio(counts, level, seed(metric))
}

// evenly returns the share that all counts have, and the number of clusters with
// counts. ok is false if the shares differ, if there are no counts, or if a count is
// not a share.
func evenly(counts []stats.Count) (share float64, n int, ok bool) {
	groups := map[string]bool{}
	for _, c := range counts {
		if c.Den <= 0 || c.Num < 0 || c.Num > c.Den {
			return 0, 0, false
		}
		if n == 0 {
			share = c.Num / c.Den
		} else if c.Num/c.Den != share {
			return 0, 0, false
		}
		if c.Cluster == "" || !groups[c.Cluster] {
			n++
		}
		if c.Cluster != "" {
			groups[c.Cluster] = true
		}
	}
	return share, n, n > 0
}
