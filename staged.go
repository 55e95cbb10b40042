package assay

import (
	"context"
	"iter"
	"time"
)

// A Staged target can be asked with the outputs of some of its stages put in
// their place, and the others run on from there. That is how it is found out
// which stage lost an answer.
type Staged interface {
	Target
	// AskGiven is Ask with what is given in the place of the stages' outputs.
	// The trace shows what was given as those stages' outputs, with a note.
	AskGiven(ctx context.Context, c *Case, given Given) (Response, error)
	// HasStage reports whether the target has the stage of that name.
	HasStage(name string) bool
}

// Given holds outputs that are put in the place of a pipeline's stages'. In
// every field nil means that the stage runs.
type Given struct {
	Transcript   *string
	SubQuestions []string
	// Retrieved and Kept hold the passages of each sub-question, best first;
	// one list when nothing is decomposed.
	Retrieved, Kept [][]Passage
}

// An Index tells what a target can find at all.
type Index interface {
	// Chunks gives the passages of a document, by its id or its source, in
	// order; none when the index does not hold it.
	Chunks(document string) []Passage
	// All yields every passage, by document and index.
	All() iter.Seq[Passage]
}

// A Transcriber turns speech into text. Transcribe must be safe for concurrent
// use.
type Transcriber interface {
	Transcribe(ctx context.Context, r Recording) (Transcription, error)
	// Identity changes whenever the texts would: model, command and settings.
	Identity() string
}

// A Recording is speech as a file.
type Recording struct {
	// Name is the file's, with the extension that tells its format.
	Name string
	// Path is where the file is; "" when Data holds it.
	Path string
	Data []byte
	// Language is "yue", "zh", "en" or another code of ISO 639; "" or "auto"
	// leaves it to the transcriber.
	Language string
}

// A Transcription is what was heard.
type Transcription struct {
	Text string
	// Language is what the transcriber found it to be; "" when it does not say.
	Language string
	// Duration is the recording's; 0 when it is not known.
	Duration time.Duration
	// Usage is what the transcription consumed.
	Usage Usage
}
