package assay

import (
	"cmp"
	"slices"
	"strings"
)

// The places where evidence is lost, beside the stages of a pipeline.
const (
	// LostNotInIndex means that what holds the answer cannot be found at all.
	LostNotInIndex = "not_in_index"
	// LostPack means that a passage was kept, but did not fit the prompt.
	LostPack = "pack"
	// LostPresent means that the answer had it, and what was shown did not.
	LostPresent = "present"
	// LostUnresolved means that the case fails even with the right output of
	// every stage: its labels, or what judges it, are wrong.
	LostUnresolved = "unresolved"
)

// LossStages lists the places where evidence can be lost, in the order of a
// pipeline, without [LostUnresolved].
func LossStages() []string {
	return []string{LostNotInIndex, StageTranscribe, StageDecompose, StageRetrieve, StageFilter, LostPack, StageGenerate, LostPresent}
}

// CompareStages orders the names of stages as a pipeline does: [LossStages], then
// names that are not among them by alphabet, then [LostUnresolved], then "". It
// is a comparison for [slices.SortFunc].
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
		_, told := r.Given()
		return told
	case StageFilter:
		_, told := r.StagePassages(stage)
		return told
	}
	return len(r.Stages(stage)) > 0
}

// An Attribution says what became of the evidence of one case, stage by stage.
type Attribution struct {
	// Facts are what the answer rests on: the points of an ideal answer, else
	// the labelled passages, else the relevant documents.
	Facts []Fact `json:"facts,omitempty"`
	// Failed is set when the case's outcome is wrong; only then is there a
	// Ladder.
	Failed bool `json:"failed,omitempty"`
	// Stage is the one verdict on a failed case: by the ladder when it was
	// climbed, else where the most facts were lost, the earliest of equals; ""
	// when nothing failed or nothing can be said.
	Stage string `json:"stage,omitempty"`
	// Evidence says in a few words what the verdict rests on.
	Evidence string  `json:"evidence,omitempty"`
	Ladder   *Ladder `json:"ladder,omitempty"`
	// Merged maps a stage that could not be told apart, for want of a label or
	// of a stage in the trace, to the later one that answers for both.
	Merged map[string]string `json:"merged,omitempty"`
	// RetrievalDelta is the share of the facts that the retriever finds with the
	// right transcript, less the share that it found with the one that was heard:
	// -1 to 1; nil when nobody asked with the right one.
	RetrievalDelta *float64 `json:"retrieval_delta,omitempty"`
	// Outcome names what decided that the case failed, such as
	// "answer_correctness >= 0.5" or "facts".
	Outcome string `json:"outcome,omitempty"`
}

// A Fact is one piece of evidence and its way through the stages.
type Fact struct {
	// Text is what it says; ID names the point, passage or document.
	ID   string `json:"id,omitempty"`
	Text string `json:"text,omitempty"`
	// Lost is one of [LossStages]; "" means that the answer has it.
	Lost string `json:"lost,omitempty"`
	// SelfKnowledge is set when the answer has it and the prompt had not. Lost
	// is then the stage that lost it all the same.
	SelfKnowledge bool `json:"self_knowledge,omitempty"`
	// Match says how it was looked for: "id", "text", "coverage" or "judge".
	Match string `json:"match,omitempty"`
}

// A Ladder is what the outcome of a case becomes when the outputs of more and
// more stages, from the first on, are replaced by the right ones.
type Ladder struct {
	// Rungs begin with the actual outcome, whose Stage is "".
	Rungs []Rung `json:"rungs"`
	// Undistracted is the rung of retrieval, or of the filter where there is one,
	// with the right passages alone, when it failed with those and what was
	// retrieved beside them: where it is right, what distracts the generator is at
	// fault and no evidence is missing. nil when nobody asked.
	Undistracted *Rung `json:"undistracted,omitempty"`
	// NonMonotone is set when a rung failed after an earlier one had succeeded.
	NonMonotone bool `json:"non_monotone,omitempty"`
	// Error says why the ladder was not climbed to its end.
	Error string `json:"error,omitempty"`
}

// A Rung is one step of a ladder.
type Rung struct {
	// Stage is the last one whose output was replaced; "" is none.
	Stage string `json:"stage,omitempty"`
	// Right is the share of the repetitions with the right outcome, 0 to 1.
	Right float64 `json:"right"`
	// Runs counts the repetitions.
	Runs int `json:"runs"`
	// Answer is that of the first repetition.
	Answer string `json:"answer,omitempty"`
}
