package stage

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// LostAt is the family lost_at.not_in_index … lost_at.present: the share of
// facts that were lost at each of [assay.LossStages].
var LostAt = lostAtEach(assay.LossStages())

const (
	// factsAre tells the reader what is counted.
	factsAre = "Facts are the vital points of the ideal answer, else the labelled passages, else the relevant documents, else the keywords. "
	// noFacts is the reason where nothing could be followed.
	noFacts     = "no evidence of the case could be followed"
	ownFunnel   = "own definition: evidence funnel, each fact lost at the first stage that does not carry it"
	pooledFacts = "Facts are pooled over cases. " + factsAre
)

// lost describes the places where evidence is lost.
var lost = map[string]struct{ title, doc, formula string }{
	assay.LostNotInIndex:  {"not in the index", "How much of the evidence could never be found, because the index does not hold it.", "no passage of the index carries"},
	assay.StageTranscribe: {"transcription", "How much of the evidence was lost because the question was misheard: with the right transcript the retriever finds it, or, where it does so anyway, the answer has it.", "come further with the right transcript, to the retriever or else to the answer, than with the one that was heard"},
	assay.StageDecompose:  {"decomposition", "How much of the evidence was lost because the question was taken apart wrongly: with the labelled sub-questions the retriever finds it, or, where it does so anyway, the answer has it.", "come further with the labelled sub-questions, to the retriever or else to the answer, than with those that were made"},
	assay.StageRetrieve:   {"retrieval", "How much of the evidence the retriever did not find although the index holds it.", "no retrieved passage carries, though the index does"},
	assay.StageFilter:     {"the filter", "How much of the evidence was retrieved and then dropped by the filter.", "a retrieved passage carries and none that the filter kept"},
	assay.LostPack:        {"packing", "How much of the evidence the filter kept and the prompt had no room for.", "a kept passage carries and none in the prompt"},
	assay.StageGenerate:   {"generation", "How much of the evidence stood in the prompt and is not in the answer.", "a passage in the prompt carries and the answer does not"},
	assay.LostPresent:     {"presentation", "How much of the evidence the generated text had and what was shown had not.", "the generated text carries and what was shown does not"},
}

func lostAtEach(stages []string) []*metric.Def {
	var out []*metric.Def
	for _, s := range stages {
		reads := metric.ReadPassages
		if s == assay.StageGenerate || s == assay.LostPresent {
			reads |= metric.ReadAnswer
		}
		out = append(out, followed(metric.Def{
			Name: "lost_at." + s, Title: "Lost at " + lost[s].title, Doc: lost[s].doc,
			Formula: "facts that " + lost[s].formula + " / facts",
			Edges: pooledFacts + "Each is lost at one stage at most, the first that does not carry it. A stage that the trace does not tell of, or for which the labels lack what is right, " +
				"counts with a later one, and the attribution of the case says with which. Not applicable when no evidence of a case could be followed.",
			Better: metric.Lower, Reads: reads, Pooled: true,
		}, func(a *assay.Attribution) assay.Score {
			at := func(f assay.Fact) bool { return f.Lost == s }
			out := counted(a.Facts, at)
			out.Evidence = listed(a.Facts, "lost", at)
			if into := a.Merged[s]; into != "" {
				out.Reason = fmt.Sprintf("%s cannot be told from %s, which answers for both", s, into)
			}
			return out
		}))
	}
	return out
}

// followed defines a metric of facts that were followed through the stages.
func followed(d metric.Def, f func(*assay.Attribution) assay.Score) *metric.Def {
	d.Follows = true
	if d.Source == "" {
		d.Source = ownFunnel
	}
	d.New = func(metric.Params) metric.Func {
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			if in.Attribution == nil || len(in.Attribution.Facts) == 0 {
				return assay.None(noFacts), nil
			}
			return f(in.Attribution), nil
		}
	}
	return define(d)
}

// counted is the share of facts that are so.
func counted(facts []assay.Fact, is func(assay.Fact) bool) assay.Score {
	n := 0
	for _, f := range facts {
		if is(f) {
			n++
		}
	}
	return assay.Ratio(float64(n), float64(len(facts)))
}

// listed names the facts that are so.
func listed(facts []assay.Fact, kind string, is func(assay.Fact) bool) []assay.Evidence {
	var out []assay.Evidence
	for _, f := range facts {
		if is(f) {
			e := assay.Evidence{Kind: kind, Text: f.Text, Where: f.ID}
			if e.Text == "" {
				e.Text, e.Where = f.ID, ""
			}
			out = append(out, e)
		}
	}
	return out
}
