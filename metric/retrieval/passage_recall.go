package retrieval

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// PassageRecall is the share of reference passages that were found.
var PassageRecall = passages(metric.Def{
	Name:  "passage_recall",
	Title: "Passage recall",
	Doc: "How many of the reference passages are in what was retrieved. Read passage_coverage beside it: a " +
		"chunk border through a passage makes it a miss here.",
	Formula: "reference passages that some chunk among the first k matches / reference passages",
	Cutoff:  metric.RequiredCutoff,
}, func(m *matches, _ int) assay.Score {
	s := assay.Value(ratio(m.countFound(), len(m.want)))
	s.Evidence = m.missing()
	return s
})
