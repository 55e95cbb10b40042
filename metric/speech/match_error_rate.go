package speech

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// MatchErrorRate is the share of wrong steps in the alignment.
var MatchErrorRate = transcripts(metric.Def{
	Name:    "match_error_rate",
	Title:   "Match error rate",
	Doc:     "The share of wrong places in the alignment of transcript and reference: an error rate that does not exceed 1.",
	Formula: "(substitutions + deletions + insertions) / (hits + substitutions + deletions + insertions)",
	Edges: normalised + "Both texts empty give 0, one of them 1. The alignment has the fewest edits, and among those the most hits, " +
		"so the value may be below that of tools that keep the first alignment they find. " + noStage,
	Source: "Morris, Maier, Green, From WER and RIL to MER and WIL, 2004",
	Better: metric.Lower,
	Pooled: true,
	Params: []metric.Param{unitParam, scriptParam},
}, func(p metric.Params, reference, transcript string, _ metric.Input) assay.Score {
	c := unitCounts(p, reference, transcript)
	if c.Hits+c.Errors() == 0 {
		return assay.Value(0)
	}
	return assay.Ratio(float64(c.Errors()), float64(c.Hits+c.Errors()))
})
