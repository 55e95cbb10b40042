// Package accuracy is the JSON of the accuracy tests of the HTTP API: one question
// or recording, followed through all stages of a pipeline. A [Result] holds the
// output of every stage, an [Evaluation] says how good each stage was.
//
// It is a view. The judges are asked the questions of judge/question; what they
// find relevant labels the sub-questions, which then are the cases of a run with
// the chunk metrics and the attribution of every other run.
package accuracy

// A Dimension is one of the things that are evaluated.
type Dimension string

// The dimensions.
const (
	// Audio compares the transcript with the reference.
	Audio Dimension = "audio"
	// KeyQuestions marks the key questions by a scheme of 100 points.
	KeyQuestions Dimension = "key_questions"
	// Chunks compares the retrieved chunks, and those that the filter kept, with
	// the relevant ones.
	Chunks Dimension = "chunks"
	// Response compares the answer with one that is written from the relevant
	// chunks. It needs Chunks, or a [Truth].
	Response Dimension = "response"
)

// The states of an evaluation and of its parts.
const (
	Completed = "completed"
	// Partial means that something is missing; the rest counts.
	Partial = "partial"
	// Skipped means that there was nothing to evaluate.
	Skipped = "skipped"
	Failed  = "failed"
)
