package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

const recallEdge = "An empty list scores 0; passages without text give no value. " + firstEdge + depthEdge + unknownEdge

// ContextRecall is the share of the reference's claims that the passages support.
var ContextRecall = referenceInPassages.define(metric.Def{
	Name:  "context_recall",
	Title: "Context recall", LabelQuestion: assay.LabelSufficient,
	Doc: "How much of the reference answer the passages support together, with the missing claims listed. " +
		"It is the upper limit of what a faithful answer can say.",
	Formula: "claims of the reference supported by the passages / claims with a ruling",
	Edges:   recallEdge,
	Source:  "Ragas context_recall, with the claims of the reference extracted once",
}, func(_ metric.Input, _ metric.Params, r rulings) assay.Score {
	return r.mean(credit, missing)
})

// ClaimRecall is the share of the reference's claims that one passage supports.
var ClaimRecall = referenceInEach.define(metric.Def{
	Name:  "claim_recall",
	Title: "Claim recall", LabelQuestion: assay.LabelSufficient,
	Doc: "How much of the reference answer single passages support, with the missing claims listed. " +
		"It is at most context_recall, where passages may support a claim together.",
	Formula: "claims of the reference that some passage alone supports / claims with a ruling",
	Edges:   recallEdge,
	Source:  ragChecker,
}, func(in metric.Input, _ metric.Params, r rulings) assay.Score {
	n := shown(in)
	return r.mean(func(f judge.Finding) (float64, bool) { return single(f, n) }, func(f judge.Finding) string {
		if v, known := single(f, n); known && v < 0.5 {
			return "missing"
		}
		return ""
	})
})
