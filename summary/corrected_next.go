package summary

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// A NextLabel is a case to label next.
type NextLabel struct {
	// Cases are the ids of the answers to label, in the baseline and in the run; "" for one that is labelled already, or
	// that the target did not give.
	Cases [2]string
	// Stratum is that from which the case was drawn, from 0.
	Stratum int
}

// NextLabels returns at most n cases whose labels narrow the corrected difference of a metric most: as many of each
// stratum as [stats.Allocate] says, and within a stratum the next ones of a random order by the seed, so that the
// labels are a random sample of each stratum. Cases that are labelled in one run alone come first in their stratum:
// they were drawn before.
func NextLabels(m assay.MetricInfo, old, new *columns.Table, l Labels, c Correction, n int, seed uint64) []NextLabel {
	pairs, _ := PairsOf(m, old, new)
	sides := [2]Labelled{l.Runs[0].Of(Values(m, old), old), l.Runs[1].Of(Values(m, new), new)}
	items := differences(m, pairs, sides[0], sides[1])
	strata := strataOf(items, false)
	type place struct {
		half bool
		key  uint64
		pair int
	}
	open := make([][]place, len(c.Next))
	for i, it := range items {
		if it.Known || it.Human != nil || strata[i] >= len(open) {
			continue
		}
		_, a := sides[0].Labels[it.id]
		_, b := sides[1].Labels[it.id]
		open[strata[i]] = append(open[strata[i]], place{a || b, OrderKey(seed, it.id), i})
	}
	first := [2]map[string]string{firstDraws(old), firstDraws(new)}
	var out []NextLabel
	for k, take := range stats.Allocate(c.Next, n) {
		slices.SortFunc(open[k], func(a, b place) int {
			if a.half != b.half {
				if a.half {
					return -1
				}
				return 1
			}
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.pair, b.pair))
		})
		for _, at := range open[k][:min(take, len(open[k]))] {
			id := pairs[at.pair].Case
			next := NextLabel{Stratum: k}
			for side, of := range sides {
				if _, labelled := of.Labels[id]; !labelled && !of.failed(id) {
					next.Cases[side] = first[side][id]
				}
			}
			out = append(out, next)
		}
	}
	return out
}

// firstDraws returns the id of the first draw of each case.
func firstDraws(t *columns.Table) map[string]string {
	out := map[string]string{}
	for i := range t.Len() {
		if _, ok := out[t.Base(i)]; !ok {
			out[t.Base(i)] = t.ID(i)
		}
	}
	return out
}

// OrderKey is the place of a case in the random order of a seed: the first eight bytes of the SHA-256 of both. It
// depends on nothing else, so that the same cases come first in every run that has them.
func OrderKey(seed uint64, id string) uint64 {
	buf := make([]byte, 8, 8+len(id))
	binary.BigEndian.PutUint64(buf, seed)
	sum := sha256.Sum256(append(buf, id...))
	return binary.BigEndian.Uint64(sum[:8])
}
