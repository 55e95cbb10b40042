package assay

import (
	"context"
	"iter"
	"time"
)

// A Staged target can run with the outputs of some stages replaced. This shows
// which stage lost an answer.
type Staged interface {
	Target
	// AskGiven is Ask with replaced stage outputs. The trace shows the replaced
	// outputs, with a note.
	AskGiven(ctx context.Context, c *Case, given Given) (Response, error)
	// HasStage reports whether the target has a stage with that name.
	HasStage(name string) bool
}

// Given holds replacements for stage outputs. For every field, nil means that the
// stage runs.
type Given struct {
	Transcript   *string
	SubQuestions []string
	// Retrieved and Kept hold the passages for each sub-question, best first; a
	// single list if the question is not decomposed.
	Retrieved, Kept [][]Passage
}

// An Index gives access to everything that a target can retrieve.
type Index interface {
	// Chunks returns the passages of a document, identified by its id or its
	// source, in order; none if the document is not indexed.
	Chunks(document string) []Passage
	// All yields every passage, by document and index.
	All() iter.Seq[Passage]
}

// A Transcriber turns speech into text. Transcribe must be safe for concurrent
// use.
type Transcriber interface {
	Transcribe(ctx context.Context, r Recording) (Transcription, error)
	// Identity changes whenever the texts would change: it has the model, command
	// and settings.
	Identity() string
}

// A Recording is an audio file.
type Recording struct {
	// Name is the file name; its extension gives the format.
	Name string
	// Path is the path of the file; "" if Data has its content.
	Path string
	Data []byte
	// Language is "yue", "zh", "en" or another ISO 639 code; "" or "auto" lets
	// the transcriber detect it.
	Language string
}

// A Transcription is the result of speech recognition.
type Transcription struct {
	Text string
	// Language is the detected language; "" if not reported.
	Language string
	// Duration is the length of the recording; 0 if unknown.
	Duration time.Duration
	// Usage is what the transcription consumed.
	Usage Usage
}
