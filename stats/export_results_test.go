//go:build results

package stats

import "slices"

// NonInferiorP gives the one-sided p-values of [NonInferior] for many lists of
// pairs. Lists with as many cases share their sign patterns, as metrics do in
// [CompareAll], and no bounds are computed: the simulations ask for thousands.
func NonInferiorP(lists [][]Pair, width, margin float64, seed uint64) []float64 {
	out := make([]float64, len(lists))
	all := make([]differences, len(lists))
	for i, pairs := range lists {
		within := slices.Clone(pairs)
		for k := range within {
			within[k].Width = width
		}
		all[i] = subtract(within, margin)
	}
	eachFlips(all, seed, func(i int, f *flips) {
		d := all[i]
		if r, ok := NonInferior(lists[i], width, margin, 0.05, seed); d.known && d.ratio && 2*len(d.differing(0)) <= len(d.groups) && ok {
			out[i] = r.P
			return
		}
		out[i], _ = f.oneSided(-d.scaled(margin))
		if differing := d.differing(d.scaled(margin)); !f.exact && len(differing) <= exactClusters {
			out[i], _ = enumerate(differing).oneSided(0)
		}
	})
	return out
}
