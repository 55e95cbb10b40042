package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PassagePrecision is the share of chunks that match a reference passage.
var PassagePrecision = passages(metric.Def{
	Name:    "passage_precision",
	Title:   "Passage precision",
	Doc:     "How many of the first k chunks hold, or lie in, a reference passage.",
	Formula: "chunks among the first k that match any reference passage / k",
	Edges:   "A chunk that repeats a passage counts. The denominator is k even when fewer came back.",
	Cutoff:  metric.RequiredCutoff,
}, func(m *matches, k int) assay.Score {
	n := 0
	for _, of := range m.of {
		if len(of) > 0 {
			n++
		}
	}
	return assay.Value(float64(n) / float64(k))
})
