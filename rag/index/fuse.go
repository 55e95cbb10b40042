package index

import "slices"

// FuseConstant is the usual constant of reciprocal rank fusion, chosen by its authors.
const FuseConstant = 60

// fuseUnit is 2⁻⁵². In this unit a sum of reciprocals is an integer that a float64
// represents exactly, so equal ranks in a different order give equal scores.
const fuseUnit = 1.0 / (1 << 52)

// Fuse merges ranked lists by reciprocal rank: a passage scores the sum, over the lists
// that contain it, of 1/(constant+rank), with ranks from 1. Only the order of each list
// matters, not its scores. A passage that occurs twice in a list keeps its first rank.
// The result contains every passage of every list, best first, and does not depend on
// the order of the lists; it is nil if all are empty. A constant below 0 counts as 0.
// Source: Cormack, Clarke, Büttcher, Reciprocal Rank Fusion, SIGIR 2009.
func Fuse(constant int, lists ...[]Hit) []Hit {
	constant = max(constant, 0)
	type sum struct {
		score uint64
		list  int
	}
	sums := make(map[int]sum)
	for i, list := range lists {
		for rank, h := range list {
			s, seen := sums[h.Passage]
			if seen && s.list == i {
				continue
			}
			sums[h.Passage] = sum{s.score + 1<<52/uint64(constant+rank+1), i}
		}
	}
	if len(sums) == 0 {
		return nil
	}
	out := make([]Hit, 0, len(sums))
	for passage, s := range sums {
		out = append(out, Hit{Passage: passage, Score: float64(s.score) * fuseUnit})
	}
	slices.SortFunc(out, better)
	return out
}
