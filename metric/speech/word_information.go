package speech

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

const informationEdges = normalised + "Both texts empty preserve everything, one of them empty nothing. The mean is that over " +
	"cases, for a product of two shares cannot be pooled case by case. " +
	"The alignment has the fewest edits, and among those the most hits. "

// WordInformationLost is the share of the word information that the transcript lost.
var WordInformationLost = transcripts(metric.Def{
	Name:  "word_information_lost",
	Title: "Word information lost",
	Doc: "How much of the information in the reference's words the transcript does not carry; an insertion " +
		"costs as much as an omission.",
	Formula: "1 − (hits / reference) · (hits / transcript)",
	Edges:   informationEdges + noStage,
	Source:  "Morris, Maier, Green, From WER and RIL to MER and WIL, 2004",
	Better:  metric.Lower,
	Params:  []metric.Param{unitParam, scriptParam},
}, func(p metric.Params, reference, transcript string, _ metric.Input) assay.Score {
	return assay.Value(unitCounts(p, reference, transcript).InformationLost())
})

// WordInformationPreserved is the share of the word information that the transcript kept.
var WordInformationPreserved = transcripts(metric.Def{
	Name:    "word_information_preserved",
	Title:   "Word information preserved",
	Doc:     "How much of the information in the reference's words the transcript carries; 1 minus word_information_lost.",
	Formula: "(hits / reference) · (hits / transcript)",
	Edges:   informationEdges + noStage,
	Source:  "Morris, Maier, Green, From WER and RIL to MER and WIL, 2004",
	Params:  []metric.Param{unitParam, scriptParam},
}, func(p metric.Params, reference, transcript string, _ metric.Input) assay.Score {
	return assay.Value(unitCounts(p, reference, transcript).InformationPreserved())
})
