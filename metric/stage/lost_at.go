package stage

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// LostAt is the family lost_at.not_in_index … lost_at.present: the share of
// facts that were lost at each of [assay.LossStages].
var LostAt = lostAtEach(assay.LossStages())

const (
	// factsAre says what is counted.
	factsAre = "Facts are the vital points of the ideal answer, else the labelled passages, else the relevant documents, else the keywords. "

	pooledFacts = "Facts are pooled over cases. " + factsAre
)

// losses describes the places where evidence is lost.
var losses = map[string]struct{ title, doc, formula string }{
	assay.LostNotInIndex: {
		"not in the index", "How much of the evidence could not be found because the index does not hold it.", "no passage of the index carries",
	},
	assay.StageTranscribe: {
		"transcription", "How much of the evidence was lost because the question was transcribed wrongly: " +
			"with the right transcript the retriever finds it, or, where it does so anyway, the answer has it.",
		"reach the retriever's output, or else the answer, with the right transcript and not with the actual one",
	},
	assay.StageDecompose: {
		"decomposition", "How much of the evidence was lost because the question was decomposed wrongly: " +
			"with the labelled sub-questions the retriever finds it, or, where it does so anyway, the answer has it.",
		"reach the retriever's output, or else the answer, with the labelled sub-questions and not with the actual ones",
	},
	assay.StageRetrieve: {
		"retrieval", "How much of the evidence the retriever did not find although the index holds it.",
		"no retrieved passage carries, though the index does",
	},
	assay.StageFilter: {
		"the filter", "How much of the evidence was retrieved and then dropped by the filter.",
		"a retrieved passage carries and none that the filter kept",
	},
	assay.LostPack: {
		"packing", "How much of the evidence the filter kept and the prompt left out.", "a kept passage carries and none in the prompt",
	},
	assay.StageGenerate: {
		"generation", "How much of the evidence was in the prompt and is not in the answer.",
		"a passage in the prompt carries and the answer does not",
	},
	assay.LostPresent: {
		"presentation", "How much of the evidence the generated text had and the shown answer does not have.",
		"the generated text carries and the shown answer does not",
	},
}

func lostAtEach(stages []string) []*metric.Def {
	var out []*metric.Def
	for _, s := range stages {
		reads := metric.ReadPassages
		if s == assay.StageGenerate || s == assay.LostPresent {
			reads |= metric.ReadAnswer
		}
		out = append(out, followed(metric.Def{
			Name: "lost_at." + s, Title: "Lost at " + losses[s].title, Doc: losses[s].doc,
			Formula: "facts that " + losses[s].formula + " / facts",
			Edges: "Each is lost at one stage at most, the first that does not carry it. " +
				"A stage that the trace does not report, or whose right output is not labelled, " +
				"counts with a later one, and the attribution of the case says with which. ",
			Better: metric.Lower, Reads: reads,
		}, s, "lost", func(f assay.Fact) bool { return f.Lost == s }))
	}
	return out
}

// EvidenceSurvival is the share of facts that reach the answer.
var EvidenceSurvival = followed(metric.Def{
	Name:  "evidence_survival",
	Title: "Evidence survival",
	Doc: "How much of the evidence comes through every stage and reaches the answer. " +
		"What is missing to 1 is the sum of lost_at over all stages.",
	Formula: "facts that every stage carries, including the answer / facts",
	Edges:   "A fact that the answer has and the prompt did not have is lost: see evidence_self_knowledge. ",
	Reads:   metric.ReadAnswer | metric.ReadPassages,
}, "", "", func(f assay.Fact) bool { return f.Lost == "" })

// EvidenceSelfKnowledge is the share of facts that the answer has and the prompt does
// not have.
var EvidenceSelfKnowledge = followed(metric.Def{
	Name:  "evidence_self_knowledge",
	Title: "Self-knowledge of facts",
	Doc: "How much of the evidence the generator wrote although the prompt did not have it: from memory, or by chance. " +
		"It is counted separately, and not as survival. The judged self_knowledge is about claims, this one about labelled facts.",
	Formula: "facts that the answer carries and no passage in the prompt / facts",
	Better:  metric.Lower,
	Reads:   metric.ReadAnswer | metric.ReadPassages,
}, "", "from memory", func(f assay.Fact) bool { return f.SelfKnowledge })

// WhyUnknown says why evidence could not be followed, and what would allow it.
func WhyUnknown(at *assay.Attribution) string {
	if at == nil {
		return ""
	}
	return map[string]string{
		assay.UnknownTexts:    ": passages have no text; report the text of each passage",
		assay.UnknownNames:    ": passages have no id, or a stage names them otherwise than the one before; report the same id at every stage",
		assay.UnknownLanguage: ": a retrieved text is in another language or script than the question or the label; add the ids of chunks to expected_contexts",
		assay.UnknownCut:      ": a retrieved text, or the prompt, is cut where it is reported; report whole texts, or add the ids of chunks to expected_contexts",
		assay.UnknownOutput:   ": the output of a search or filter is missing or cannot be read; report a list of its passages",
		assay.UnknownAnswer:   ": the answer may have it in other words; add a reference answer, or name a judge",
		assay.UnknownWords:    ": a passage may have it in other words; add the ids of chunks to expected_contexts",
	}[at.Unknown]
}

// answersFor returns the stage that answers for another one too, "" if none does: the trace cannot tell them apart, or
// does not show the other one.
func answersFor(stage string, in metric.Input) string {
	into := in.Attribution.Merged[stage]
	next := map[string]string{
		assay.StageTranscribe: assay.StageDecompose, assay.StageDecompose: assay.StageRetrieve,
		assay.StageFilter: assay.LostPack, assay.LostPack: assay.StageGenerate,
	}
	for s := stage; into == "" && next[s] != "" && in.Response != nil && !in.Response.ShowsStage(s); {
		s = next[s]
		if into = in.Attribution.Merged[s]; in.Response.ShowsStage(s) {
			into = cmp.Or(into, s)
		}
	}
	return into
}

// followed defines the share of facts for which is holds. kind, if it is not "", lists
// them as evidence; stage, if it is not "", says which stage counts with a later one.
func followed(d metric.Def, stage, kind string, is func(assay.Fact) bool) *metric.Def {
	d.Follows, d.Pooled, d.Documents = true, true, assay.ByFacts
	d.Edges = pooledFacts + d.Edges + "Not applicable if no evidence of a case can be followed, such as by ids alone."
	d.Source = "own definition: evidence funnel, each fact lost at the first stage that does not carry it"
	return define(d, func(in metric.Input, _ metric.Params) assay.Score {
		if in.Attribution == nil || len(in.Attribution.Facts) == 0 {
			return assay.None("no evidence of the case could be followed" + WhyUnknown(in.Attribution))
		}
		n := 0
		var evidence []assay.Evidence
		for _, f := range in.Attribution.Facts {
			if !is(f) {
				continue
			}
			n++
			e := assay.Evidence{Kind: kind, Text: f.Text, Where: f.ID}
			if e.Text == "" {
				e.Text, e.Where = f.ID, ""
			}
			if kind != "" {
				evidence = append(evidence, e)
			}
		}
		s := assay.Ratio(float64(n), float64(len(in.Attribution.Facts)))
		s.Evidence = evidence
		if into := answersFor(stage, in); into != "" {
			s.Reason = fmt.Sprintf("%s cannot be told from %s, which answers for both", stage, into)
			// What the later stage lost may have been lost here.
			for _, f := range in.Attribution.Facts {
				if f.Lost == into {
					n++
				}
			}
			s.Upper = float64(n) / s.Den
		}
		return s
	})
}
