package certify

import (
	"cmp"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
)

// clusterMost is how many items of one cluster a sample may hold: more of them say little
// that is new.
const clusterMost = 10

// sample draws n items, 0 for all: the same number of each data set and label as far as there
// are any, clusters in an order by the seed and no more than ten items of one. The order of the
// items is kept. The same file and seed give the same sample.
func sample(items []Item, n int, seed uint64) []Item {
	if n <= 0 || len(items) <= n {
		return items
	}
	type stratum = [2]string
	of := func(x Item) stratum { return stratum{x.Dataset, string(x.Label)} }
	order := shuffled(items, seed)
	sizes := map[stratum]int{}
	for i := range keepers(items, order, func(Item) bool { return true }) {
		sizes[of(items[i])]++
	}
	quota := share(sizes, n)
	taken := map[stratum]int{}
	keep := keepers(items, order, func(x Item) bool {
		if taken[of(x)] >= quota[of(x)] {
			return false
		}
		taken[of(x)]++
		return true
	})
	var out []Item
	for i := range items {
		if keep[i] {
			out = append(out, items[i])
		}
	}
	return out
}

// keepers takes items in an order, no more than clusterMost of a cluster.
func keepers(items []Item, order []int, wanted func(Item) bool) map[int]bool {
	keep, in := map[int]bool{}, map[string]int{}
	for _, i := range order {
		if c := items[i].Cluster; in[c] < clusterMost && wanted(items[i]) {
			in[c]++
			keep[i] = true
		}
	}
	return keep
}

// shuffled orders items by clusters in an order by the seed, and keeps those of a cluster
// together. An item's place depends on the seed, its cluster and itself alone, so that further
// files do not change which items of a cluster come first.
func shuffled(items []Item, seed uint64) []int {
	place := func(s string) uint64 {
		h := fnv.New64a()
		h.Write([]byte(s))
		return rand.NewPCG(seed, h.Sum64()).Uint64()
	}
	type at struct {
		cluster, item uint64
		i             int
	}
	all := make([]at, len(items))
	for i, x := range items {
		all[i] = at{place(x.Cluster), place(x.Dataset + " " + x.ID), i}
	}
	slices.SortFunc(all, func(a, b at) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.item, b.item), cmp.Compare(a.i, b.i))
	})
	out := make([]int, len(all))
	for k, a := range all {
		out[k] = a.i
	}
	return out
}

// share divides n among strata, as evenly as their sizes allow.
func share(sizes map[[2]string]int, n int) map[[2]string]int {
	keys := slices.SortedFunc(maps.Keys(sizes), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	out := map[[2]string]int{}
	for n > 0 {
		var open [][2]string
		for _, k := range keys {
			if out[k] < sizes[k] {
				open = append(open, k)
			}
		}
		if open == nil {
			break
		}
		each := max(1, n/len(open))
		for _, k := range open {
			add := min(each, sizes[k]-out[k], n)
			out[k] += add
			n -= add
		}
	}
	return out
}
