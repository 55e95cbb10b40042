package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
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

const precisionEdge = "The denominator is what was found: relevant passages that were not retrieved do not show, " +
	"so read it together with claim_recall. No useful passage gives 0. " +
	"A passage that supports a claim only together with others is not useful by itself. " + depthEdge +
	"An empty list scores 0, and has no value if the case cannot be answered. "

// ContextPrecision is whether the passages that support the reference come first.
var ContextPrecision = passageOrder(referenceInEach, metric.Def{
	Name:  "context_precision",
	Title: "Context precision",
	Doc: "Whether the passages that support the reference answer come first. " +
		"A passage is useful if it alone supports a claim of the reference.",
	Edges:  precisionEdge + firstEdge + unknownEdge,
	Source: "Ragas context_precision with a reference, computed from the rulings on claims; stat=share: " + ragChecker,
})

// ContextUsedPrecision is whether the passages that support the answer come first.
var ContextUsedPrecision = passageOrder(answerInEach, metric.Def{
	Name:  "context_used_precision",
	Title: "Context precision by the answer",
	Doc: "Whether the passages that support the answer come first. " +
		"A diagnostic without a reference: passages that support a wrong answer count as useful.",
	Edges:  precisionEdge + claimsEdge + unknownEdge,
	Source: "Ragas context_precision without a reference, which it also calls context utilization",
})

// passageOrder defines a metric of the order of the passages by their usefulness.
func passageOrder(c check, d metric.Def) *metric.Def {
	d.Formula = "with u_i = 1 if passage i alone supports a claim: " +
		"sum over i of u_i * (u_1 + … + u_i) / i, divided by the sum of u_i; stat=share: the mean of u_i"
	d.Cutoff, d.LabelQuestion = metric.OptionalCutoff, assay.LabelOrdered
	d.Params = []metric.Param{{
		Name: "stat", Doc: "ap depends on the order of the passages, share does not", Default: "ap", Values: []string{"ap", "share"},
	}}
	return c.define(d, func(in metric.Input, p metric.Params, r rulings) assay.Score {
		n := shown(in)
		if n == 0 {
			return emptyList(in)
		}
		u, k := usefulness(r.findings, n), cutAt(p.K, n)
		s := u.precision(k, p.Word("stat") == "share")
		for j, v := range u.degree[:k] {
			if v < 0.5 {
				e := assay.Evidence{Kind: "not useful", Text: excerpt(in.Response.Passages[j].Text), Where: passageNumber(j)}
				s.Evidence = append(s.Evidence, e)
			}
		}
		return s
	})
}

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
