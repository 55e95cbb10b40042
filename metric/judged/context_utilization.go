package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// ContextUtilization is how much of the retrieved part of the reference the
// answer uses.
var ContextUtilization = define(metric.Def{
	Name:  "context_utilization",
	Title: "Context utilization",
	Doc: "How much of the reference answer that the passages hold the generator passed on, with what it left out listed. " +
		"If it is low and claim_recall is high, the generator is at fault.",
	Formula: "claims of the reference that some passage alone supports and the answer makes / " +
		"claims of the reference that some passage alone supports",
	Edges: "Where no passage supports a claim there is no value. An answer that declines makes none and scores 0. " +
		firstEdge + depthEdge + unknownEdge,
	Source: ragChecker,
	Needs:  metric.NeedAnswers,
	Reads:  readsBoth,
	Asks:   judge.Asks{question.Reference, question.ReferenceAlone, question.ReferenceAnswer},
}, func(in metric.Input, p metric.Params) (assay.Score, error) {
	retrieved, err := referenceInEach.rulings(in, p)
	if err != nil || retrieved.instead != nil {
		return retrieved.score(), err
	}
	made, err := referenceClaims(in, question.ReferenceAnswer.Of(in.Assessment), false)
	if err != nil {
		return assay.Score{}, err
	}
	n := shown(in)
	var t tally
	for i, f := range retrieved.findings {
		available, knowsAvailable := single(f, n)
		used, knowsUsed := credit(made.findings[i])
		switch {
		case !knowsAvailable:
			t.add(1, 0, false)
		case available == 0:
			// It counts among the rulings, and not in the ratio.
			t.add(0, 0, true)
		default:
			t.add(available, used, knowsUsed)
			if knowsUsed && used < 0.5 {
				where := ""
				if passages, _ := supporters(f, n); len(passages) > 0 {
					where = passageNumber(passages[0])
				}
				t.note("left out", withReason(made.claims[i].Text, made.findings[i].Why), where)
			}
		}
	}
	if t.weight == 0 && !tooMany(t.missing, t.n) {
		return assay.None("no passage supports a claim of the reference answer"), nil
	}
	return t.score(), nil
})
