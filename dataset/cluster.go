package dataset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
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

// Cluster sets the group of the cases of a run and returns them with a description;
// the given cases are unchanged. A case's own group comes first. By [ByDocument],
// two cases without one are in the same cluster if they expect a common document,
// one with a grade of 1 or more, directly or through other cases. If that joins more
// than half of the cases, because of a chain or of a document that nearly all
// expect, only cases that expect exactly the same documents are a cluster. A case
// that shares nothing stays without a group.
//
// The description is nil if no two cases are dependent. By [ByNone], it has the
// clusters that [ByDocument] would find.
func Cluster(cases []assay.Case, by GroupBy) ([]assay.Case, *assay.Clusters) {
	grouped := slices.Clone(cases)
	same := false
	if by != ByLabel {
		names := shared(cases)
		if largest(names) > len(cases)/2 {
			names, same = equal(cases), true
		}
		for i, name := range names {
			if name != "" {
				grouped[i].Group = name
			}
		}
	}
	c := &assay.Clusters{By: string(by), Cases: len(cases), Same: same}
	sizes := map[string]int{}
	for i := range grouped {
		if g := grouped[i].Group; g != "" {
			sizes[g]++
			continue
		}
		c.Clusters++
	}
	for i := range cases {
		if g := cases[i].Group; g != "" && sizes[g] > 1 {
			c.Labelled = true
		}
	}
	c.Clusters += len(sizes)
	for _, n := range sizes {
		c.Largest = max(c.Largest, n)
	}
	if by == ByNone {
		for i := range grouped {
			grouped[i].Group = ""
		}
	}
	if c.Clusters == len(cases) && !same {
		return grouped, nil
	}
	return grouped, c
}

// shared names the cluster of each case without a group that expects a document of
// another, directly or through others; "" is a case by itself.
func shared(cases []assay.Case) []string {
	above := make([]int, len(cases))
	root := func(i int) int {
		for above[i] != i {
			above[i] = above[above[i]]
			i = above[i]
		}
		return i
	}
	first := map[string]int{}
	for i, c := range cases {
		above[i] = i
		if c.Group != "" {
			continue
		}
		for id, grade := range c.Want.Documents {
			if grade < 1 {
				continue
			}
			j, ok := first[id]
			if !ok {
				first[id] = i
				continue
			}
			// The first case of a cluster is its root, whatever the order of the map.
			a, b := root(i), root(j)
			above[max(a, b)] = min(a, b)
		}
	}
	keys := make([]string, len(cases))
	for i := range cases {
		keys[i] = fmt.Sprint(root(i))
	}
	return firsts(cases, keys)
}

// equal names the cluster of each case without a group that expects exactly the
// documents of another.
func equal(cases []assay.Case) []string {
	keys := make([]string, len(cases))
	for i, c := range cases {
		var ids []string
		for id, grade := range c.Want.Documents {
			if grade >= 1 {
				ids = append(ids, id)
			}
		}
		if ids == nil || c.Group != "" {
			keys[i] = fmt.Sprint(i)
			continue
		}
		slices.Sort(ids)
		keys[i] = "\x00" + strings.Join(ids, "\x00")
	}
	return firsts(cases, keys)
}

// firsts names each set of several cases with the same key after the first of them.
func firsts(cases []assay.Case, keys []string) []string {
	first, n := map[string]string{}, map[string]int{}
	for i, k := range keys {
		if n[k]++; n[k] == 1 {
			first[k] = "documents of " + cases[i].ID
		}
	}
	out := make([]string, len(keys))
	for i, k := range keys {
		if n[k] > 1 {
			out[i] = first[k]
		}
	}
	return out
}

// largest returns the size of the largest cluster.
func largest(names []string) int {
	n, most := map[string]int{}, 0
	for _, name := range names {
		if name != "" {
			n[name]++
			most = max(most, n[name])
		}
	}
	return most
}
