package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// ContextUtilization is how much of what was retrieved the answer makes use of.
var ContextUtilization = define(metric.Def{
	Name:    "context_utilization",
	Title:   "Context utilization",
	Doc:     "How much of what the passages hold of the reference answer the generator passed on, with what it left out listed. Low with a high claim_recall, the generator is at fault.",
	Formula: "claims of the reference that some passage alone supports and the answer makes / claims of the reference that some passage alone supports",
	Edges:   "Where no passage supports a claim there is no value. An answer that declines makes none and scores 0. " + firstEdge + depthEdge + unknownEdge,
	Source:  ragChecker,
	Needs:   metric.NeedAnswers,
	Reads:   readsBoth,
	Asks:    judge.Asks{question.Reference, question.ReferencePassages, question.ReferenceAnswer},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		there, err := referenceGrounds(in)
		if err != nil || there.instead != nil {
			return there.score(), err
		}
		made, err := referenceClaims(in, question.ReferenceAnswer.Of(in.Assessment))
		if err != nil {
			return assay.Score{}, err
		}
		n := shown(in)
		var t tally
		var evidence []assay.Evidence
		for i, f := range there.findings {
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
					evidence = append(evidence, assay.Evidence{Kind: "left out", Text: reasoned(made.claims[i].Text, made.findings[i].Why), Where: passagesOf(f, n)})
				}
			}
		}
		if t.weight == 0 && t.missing*mostMissing <= t.n {
			return assay.None("no passage supports a claim of the reference answer"), nil
		}
		out := t.score()
		out.Evidence = evidence
		return out, nil
	}
})

// passagesOf names the first passage that supports a claim.
func passagesOf(f judge.Finding, n int) string {
	if passages, _ := supporters(f, n); len(passages) > 0 {
		return passageNumber(passages[0])
	}
	return ""
}
