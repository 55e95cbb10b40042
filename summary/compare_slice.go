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
		for _, r := range run.records {
			base := r.Case.Base()
			all[base] = true
			for _, tag := range r.Case.Tags {
				if tagged[tag] == nil {
					tagged[tag] = map[string]bool{}
				}
				tagged[tag][base] = true
			}
		}
	}
	var family []*stats.Comparison
	for _, tag := range slices.Sorted(maps.Keys(tagged)) {
		in := tagged[tag]
		if len(in) == len(all) {
			continue
		}
		var parts []measured
		for _, r := range runs {
			parts = append(parts, r.only(in))
		}
		s := ComparisonSlice{Tag: tag, Cases: len(in), Tested: len(in) >= SliceCases, Rows: c.compareRows(metrics, parts, seed)}
		for _, d := range tests(s.Rows, 0) {
			if d.N < SliceCases {
				d.P, d.PAdjusted = 1, 1
			}
		}
		family = append(family, tests(s.Rows, SliceCases)...)
		c.Slices = append(c.Slices, s)
	}
	correct(family, stats.BenjaminiHochberg)
}

// only returns the part of a run that has the given cases.
func (m measured) only(in map[string]bool) measured {
	var out measured
	for _, r := range m.records {
		if in[r.Case.Base()] {
			out.records = append(out.records, r)
		}
	}
	for _, values := range m.values {
		out.values = append(out.values, slices.DeleteFunc(slices.Clone(values), func(v Value) bool { return !in[v.Case] }))
	}
	return out
}
