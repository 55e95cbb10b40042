package dataset

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// A GroupBy says which cases of a run are not independent of each other.
type GroupBy string

const (
	// ByDocument groups cases by their own group and, if they have none, by the
	// documents that they expect.
	ByDocument GroupBy = "document"
	// ByLabel groups cases by their own group only.
	ByLabel GroupBy = "label"
	// ByNone takes every case as independent, also those with a group.
	ByNone GroupBy = "none"
)

// GroupBys returns all ways of grouping cases.
func GroupBys() []string { return []string{string(ByDocument), string(ByLabel), string(ByNone)} }

// Cluster sets the group of the cases of a run and returns them with a description; the
// given cases are returned if no group differs. A case's own group comes first. By
// [ByDocument], two cases without one are in the same cluster if they expect a common document,
// one with a grade of 1 or more, or a common text, directly or through other cases. If that joins more
// than half of the cases, because of a chain or of a document that nearly all
// expect, only cases that expect exactly the same documents are a cluster. A case
// that shares nothing stays without a group.
//
// The description is nil if no two cases are dependent. By [ByNone], it has the
// clusters that [ByDocument] would find.
func Cluster(cases *assay.Cases, by GroupBy) (*assay.Cases, *assay.Clusters) {
	n := cases.Len()
	var first []int32
	same := false
	if by != ByLabel {
		first = shared(cases)
		if largest(first) > n/2 {
			first, same = equal(cases), true
		}
	}
	named := documentsOf(cases, first)
	group := func(i int, c *assay.Case) string {
		if c.Group == "" && first != nil && first[i] >= 0 {
			return named[first[i]]
		}
		return c.Group
	}
	c := &assay.Clusters{By: string(by), Cases: n, Same: same}
	sizes, own := map[string]int{}, map[string]bool{}
	for i, one := range cases.All() {
		g := group(i, &one)
		if g == "" {
			c.Clusters++
			continue
		}
		if _, ok := sizes[g]; !ok {
			g = strings.Clone(g) // it is part of the case
		}
		sizes[g]++
		if one.Group != "" {
			own[g] = true
		}
	}
	for g := range own {
		c.Labelled = c.Labelled || sizes[g] > 1
	}
	c.Clusters += len(sizes)
	for _, size := range sizes {
		c.Largest = max(c.Largest, size)
	}
	switch {
	case by == ByNone && len(own) > 0:
		cases = cases.Change(func(_ int, c *assay.Case) { c.Group = "" })
	case by != ByNone && len(named) > 0:
		cases = cases.Change(func(i int, c *assay.Case) { c.Group = group(i, c) })
	}
	if c.Clusters == n && !same {
		return cases, nil
	}
	return cases, c
}

// documentsOf names the clusters by the documents of their first cases.
func documentsOf(cases *assay.Cases, first []int32) map[int32]string {
	out := map[int32]string{}
	for i, of := range first {
		if of == int32(i) {
			out[of] = "documents of " + cases.At(i).ID
		}
	}
	return out
}

// shared returns for each case without a group that expects a document of another,
// directly or through others, the first case of its cluster; -1 is a case by itself.
func shared(cases *assay.Cases) []int32 {
	above := make([]int32, cases.Len())
	root := func(i int32) int32 {
		for above[i] != i {
			above[i] = above[above[i]]
			i = above[i]
		}
		return i
	}
	first := map[text.Key]int32{}
	for n, c := range cases.All() {
		i := int32(n)
		above[i] = i
		if c.Group != "" {
			continue
		}
		for _, id := range expected(&c) {
			j, ok := first[text.KeyOf(id)]
			if !ok {
				first[text.KeyOf(id)] = i
				continue
			}
			// The first case of a cluster is its root, whatever the order of the map.
			a, b := root(i), root(j)
			above[max(a, b)] = min(a, b)
		}
	}
	out := make([]int32, cases.Len())
	for i := range out {
		out[i] = root(int32(i))
	}
	return several(out)
}

// expected returns the documents and the texts that a case expects.
func expected(c *assay.Case) []string {
	ids := slices.Clone(c.Want.Passages)
	for id, grade := range c.Want.Documents {
		if grade >= 1 {
			ids = append(ids, id)
		}
	}
	return ids
}

// equal returns for each case without a group that expects exactly the documents of
// another the first such case; -1 is a case by itself.
func equal(cases *assay.Cases) []int32 {
	first := map[text.Key]int32{}
	out := make([]int32, cases.Len())
	for n, c := range cases.All() {
		i := int32(n)
		out[i] = i
		ids := expected(&c)
		if ids == nil || c.Group != "" {
			continue
		}
		slices.Sort(ids)
		key := text.KeyOf(strings.Join(ids, "\x00"))
		if j, ok := first[key]; ok {
			out[i] = j
		} else {
			first[key] = i
		}
	}
	return several(out)
}

// several replaces by -1 what only one case has.
func several(first []int32) []int32 {
	n := make([]int32, len(first))
	for _, i := range first {
		n[i]++
	}
	for i, of := range first {
		if n[of] == 1 {
			first[i] = -1
		}
	}
	return first
}

// largest returns the size of the largest cluster.
func largest(first []int32) int {
	n, most := make([]int32, len(first)), int32(0)
	for _, i := range first {
		if i >= 0 {
			n[i]++
			most = max(most, n[i])
		}
	}
	return int(most)
}
