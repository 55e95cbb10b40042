package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PassageHit reports whether any reference passage was found.
var PassageHit = passages(metric.Def{
	Name:    "passage_hit",
	Title:   "Passage hit",
	Doc:     "Whether at least one reference passage is in what was retrieved.",
	Formula: "1 if any of the first k chunks matches a reference passage, else 0",
	Cutoff:  metric.RequiredCutoff,
}, func(m *matches, _ int) assay.Score {
	return assay.Value(float64(min(m.countFound(), 1)))
})
