package summary

import (
	"maps"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// SliceCases is the smallest number of cases for which a slice is tested (metrics.md
// §4.4).
const SliceCases = 20

// slice compares the runs over the cases with each tag.
func (c *Comparison) slice(metrics []assay.MetricInfo, runs []measured, seed uint64) {
	all, tagged := map[string]bool{}, map[string]map[string]bool{}
	for _, run := range runs {
		for i := range run.cases.Len() {
			base := run.cases.Base(i)
			all[base] = true
			for _, tag := range run.cases.Tags(i) {
				if tagged[tag] == nil {
					tagged[tag] = map[string]bool{}
				}
				tagged[tag][base] = true
			}
		}
	}
	var parts [][]measured
	var pairs [][]rowPairs
	for _, tag := range slices.Sorted(maps.Keys(tagged)) {
		in := tagged[tag]
		if len(in) == len(all) {
			continue
		}
		var part []measured
		for _, r := range runs {
			part = append(part, r.only(in))
		}
		parts, pairs = append(parts, part), append(pairs, pairRows(metrics, part))
		c.Slices = append(c.Slices, ComparisonSlice{Tag: tag, Cases: len(in), Tested: len(in) >= SliceCases})
	}
	tested := c.explore(pairs, seed)
	for i := range c.Slices {
		c.Slices[i].Rows = c.rows(pairs[i], parts[i], func([]rowPairs) [][]stats.Comparison { return tested[i] })
	}
}

// explore tests the metrics of all slices; estimates have no test, and an interval of
// their own.
func (c *Comparison) explore(all [][]rowPairs, seed uint64) [][][]stats.Comparison {
	lists, out := make([][][]stats.Pair, len(all)), make([][][]stats.Comparison, len(all))
	for i, rows := range all {
		for _, r := range rows {
			if !r.metric.Estimate {
				lists[i] = append(lists[i], r.pairs...)
			}
		}
	}
	for i, tested := range stats.Explore(c.Test, lists, SliceCases, c.Level, seed) {
		for _, r := range all[i] {
			if r.metric.Estimate {
				out[i] = append(out[i], stats.CompareBy(c.Test, r.pairs, c.Level, seed))
				continue
			}
			out[i], tested = append(out[i], tested[:len(r.pairs)]), tested[len(r.pairs):]
		}
	}
	return out
}

// only returns the part of a run that has the given cases.
func (m measured) only(in map[string]bool) measured {
	out := measured{cases: m.cases.Where(func(i int) bool { return in[m.cases.Base(i)] })}
	for _, values := range m.values {
		out.values = append(out.values, slices.DeleteFunc(slices.Clone(values), func(v Value) bool { return !in[v.Case] }))
	}
	return out
}
