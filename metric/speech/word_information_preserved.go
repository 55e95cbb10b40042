package speech

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// WordInformationPreserved is what the transcript kept of what was said.
var WordInformationPreserved = transcripts(metric.Def{
	Name:    "word_information_preserved",
	Title:   "Word information preserved",
	Doc:     "How much of the information in the reference's words the transcript carries; 1 less word_information_lost.",
	Formula: "(hits / reference) · (hits / transcript)",
	Edges:   informationEdges + noStage,
	Source:  "Morris, Maier, Green, From WER and RIL to MER and WIL, 2004",
	Params:  []metric.Param{unitParam, scriptParam},
}, func(p metric.Params) func(reference, transcript string, in metric.Input) assay.Score {
	count := unitCounts(p)
	return func(reference, transcript string, _ metric.Input) assay.Score {
		return assay.Value(count(reference, transcript).InformationPreserved())
	}
})
