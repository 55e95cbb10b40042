package stage

import "math/bits"

// MaxShapley is the most stages that [Shapley] takes: the number of values
// doubles with each.
const MaxShapley = 16

// Shapley gives each of n stages its share of the gain from replacing all of
// their outputs by the right ones, as the mean over all orders in which they
// could be replaced. value gives the share of right outcomes when the stages of
// a set are replaced, stage i being bit i of the set; it is asked once for each
// of the 2^n sets. The shares add up to value(all) - value(none). It gives nil
// when n is below 1 or above [MaxShapley]. Worked case: shapley_two_stages.
func Shapley(n int, value func(set uint) float64) []float64 {
	if n < 1 || n > MaxShapley {
		return nil
	}
	values := make([]float64, 1<<n)
	for s := range values {
		values[s] = value(uint(s))
	}
	// weight[k] is the share of orders in which a given stage comes right
	// behind a given set of k others: k! (n-1-k)! / n!.
	weight := make([]float64, n)
	weight[0] = 1 / float64(n)
	for k := 1; k < n; k++ {
		weight[k] = weight[k-1] * float64(k) / float64(n-k)
	}
	out := make([]float64, n)
	for i := range out {
		for s := range values {
			if s>>i&1 == 0 {
				out[i] += weight[bits.OnesCount(uint(s))] * (values[s|1<<i] - values[s])
			}
		}
	}
	return out
}
