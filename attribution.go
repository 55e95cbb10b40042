package assay

import (
	"cmp"
	"slices"
	"strings"
)

// Places where evidence can be lost that are not stages of a pipeline.
const (
	// LostNotInIndex means that the index does not contain the evidence.
	LostNotInIndex = "not_in_index"
	// LostPack means that a passage was kept but did not fit in the prompt.
	LostPack = "pack"
	// LostPresent means that the answer contained the evidence and the displayed
	// text did not.
	LostPresent = "present"
	// LostUnresolved means that the case fails even when every stage has the
	// correct output: its labels or its judge are wrong.
	LostUnresolved = "unresolved"
)

// LossStages lists the places where evidence can be lost, in pipeline order,
// without [LostUnresolved].
func LossStages() []string {
	return []string{LostNotInIndex, StageTranscribe, StageDecompose, StageRetrieve, StageFilter, LostPack, StageGenerate, LostPresent}
}

// CompareStages orders stage names: first [LossStages], then other names
// alphabetically, then [LostUnresolved], then "". It is a comparison function
// for [slices.SortFunc].
func CompareStages(a, b string) int {
	known := LossStages()
	place := func(s string) int {
		switch i := slices.Index(known, s); {
		case i >= 0:
			return i
		case s == LostUnresolved:
			return len(known) + 1
		case s == "":
			return len(known) + 2
		}
		return len(known)
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
}

// ShowsStage reports whether a response, which may be nil, shows that it went
// through a stage. Every response was retrieved and, where the target answers,
// generated. [LostNotInIndex] and [LostPresent] leave no trace of their own.
func (r *Response) ShowsStage(stage string) bool {
	switch stage {
	case StageRetrieve:
		return true
	case StageGenerate:
		return r == nil || !r.NoAnswer
	case LostPack:
		return slices.ContainsFunc(r.Stages(StageGenerate), func(s Stage) bool { return s.Prompt != "" || len(s.Input) > 0 })
	case StageFilter:
		_, told := r.StagePassages(stage)
		return told
	}
	return len(r.Stages(stage)) > 0
}

// An Attribution records, stage by stage, where the evidence of one case was
// lost.
type Attribution struct {
	// Facts are the evidence that the answer rests on: the points of an ideal
	// answer, else the labelled passages, else the relevant documents.
	Facts []Fact `json:"facts,omitempty"`
	// Failed is set when the outcome of the case is wrong. Ladder is set only
	// then.
	Failed bool `json:"failed,omitempty"`
	// Stage is the verdict on a failed case. It comes from the ladder if the
	// ladder ran, else it is the stage that lost the most facts, the earliest on
	// a tie. It is "" when nothing failed or no verdict is possible.
	Stage string `json:"stage,omitempty"`
	// Unknown is one of the Unknown… constants when some evidence of the case could
	// not be followed: Facts leaves it out, except for UnknownChunk.
	Unknown string `json:"unknown,omitempty"`
	// Evidence summarizes the basis of the verdict.
	Evidence string  `json:"evidence,omitempty"`
	Ladder   *Ladder `json:"ladder,omitempty"`
	// Merged maps a stage that could not be told apart, because a label or a
	// stage of the trace is missing, to the later stage that stands for both.
	Merged map[string]string `json:"merged,omitempty"`
	// RetrievalDelta is the share of facts that the retriever finds with the
	// correct transcript, minus the share that it found with the recognized
	// transcript. The range is -1 to 1. It is nil when retrieval was not
	// repeated with the correct transcript.
	RetrievalDelta *float64 `json:"retrieval_delta,omitempty"`
	// Outcome names what decided that the case failed, such as
	// "answer_correctness >= 0.5" or "facts".
	Outcome string `json:"outcome,omitempty"`
}

// How much of a fact is left. Half of a passage's words is not the fact, and a
// document without the answer's text is not either.
const (
	FactWhole  = "whole"
	FactPartly = "partly"
	FactAbsent = "absent"
)

// Why it is not known at which stage evidence was lost.
const (
	// UnknownTexts means that passages are reported without their texts, and no
	// label names their ids.
	UnknownTexts = "texts"
	// UnknownNames means that documents are labelled, and passages are reported
	// without ids or documents, or named otherwise by one stage than by the one before.
	UnknownNames = "names"
	// UnknownChunk means that only the id of a document matches, of which other
	// chunks may be meant.
	UnknownChunk = "chunk"
	// UnknownWords means that a passage may say what is labelled in other words.
	UnknownWords = "words"
	// UnknownLanguage means that a retrieved text is in another language or script than the
	// question or what is labelled.
	UnknownLanguage = "language"
	// UnknownCut means that a retrieved text, what a filter kept, or the prompt is cut where it is reported.
	UnknownCut = "cut"
	// UnknownOutput means that a search or filter shows no passages in its output.
	UnknownOutput = "output"
	// UnknownEnough means that one labelled passage or document states the reference answer, was lost at a later
	// stage than others, and that nothing shows whether the answer needs those.
	UnknownEnough = "enough"
	// UnknownAnswer means that the answer may say what is labelled in other words.
	UnknownAnswer = "answer"
)

// A Fact is one piece of evidence and where it was lost.
type Fact struct {
	// ID identifies the point, passage or document; Text is its content.
	ID   string `json:"id,omitempty"`
	Text string `json:"text,omitempty"`
	// Lost is one of [LossStages]; "" means that the answer contains the fact.
	Lost string `json:"lost,omitempty"`
	// Left says how much of the fact was left in the output of the stage that lost
	// it: FactPartly or FactAbsent; FactWhole if it was not lost. It is "" in records
	// written before this was recorded.
	Left string `json:"left,omitempty"`
	// SelfKnowledge is set when the answer contains the fact and the prompt did
	// not. Lost is then still the stage that lost it.
	SelfKnowledge bool `json:"self_knowledge,omitempty"`
	// Match is the matching method: "id", "document" (the id of the
	// document alone), "text", "coverage" or "judge".
	Match string `json:"match,omitempty"`
}

// A Ladder records the outcome of a case as the outputs of more and more stages,
// starting with the first, are replaced by the correct ones.
type Ladder struct {
	// Rungs starts with the actual outcome, whose Stage is "".
	Rungs []Rung `json:"rungs"`
	// Undistracted is the rung of retrieval, or of the filter if there is one,
	// repeated with the relevant passages alone. It is set only if that rung
	// failed with the relevant and the retrieved passages together. If it
	// succeeds, the generator was distracted and no evidence is missing. nil
	// means that it was not tried.
	Undistracted *Rung `json:"undistracted,omitempty"`
	// NonMonotone is set when a rung failed after an earlier rung had succeeded.
	NonMonotone bool `json:"non_monotone,omitempty"`
	// Error says why the ladder was not completed.
	Error string `json:"error,omitempty"`
}

// A Rung is one step of a ladder.
type Rung struct {
	// Stage is the last stage whose output was replaced; "" means none.
	Stage string `json:"stage,omitempty"`
	// Right is the share of repetitions with a correct outcome, 0 to 1.
	Right float64 `json:"right"`
	// Runs counts the repetitions.
	Runs int `json:"runs"`
	// Answer is the answer of the first repetition.
	Answer string `json:"answer,omitempty"`
}
