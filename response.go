package assay

import (
	"context"
	"encoding/json"
	"time"
)

// A Target is the system under test. Ask must be safe for concurrent use and
// must honour ctx. An error means that the target gave no response at all; an
// answer that declines is a response.
type Target interface {
	Ask(ctx context.Context, c *Case) (Response, error)
}

// An Embedder turns texts into vectors. Embed must be safe for concurrent use
// and returns one vector a text, in order, each of Dimensions values and of
// length 1, so that a dot product is a cosine. An empty text has a vector too.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Dimensions() int
	// Identity changes whenever the vectors would: model, weights and
	// version, as in "minilm@1f3c…". It keys caches and enters run headers.
	Identity() string
}

// A Response is what a target returned for one case.
type Response struct {
	Answer string `json:"answer,omitempty"`
	// NoAnswer says that the target gives no answers, as a search engine does,
	// so that metrics over answers do not apply. An answer that is empty, where
	// one was due, is not this, and scores 0.
	NoAnswer bool `json:"no_answer,omitempty"`
	// Passages are what was retrieved, best first. nil means that the target
	// does not report them, so that metrics over passages do not apply; empty
	// means that nothing was retrieved, which scores 0.
	Passages []Passage `json:"passages"`
	// Trace records the target's stages, if the target reports them.
	Trace *Trace `json:"trace,omitempty"`
	Usage Usage  `json:"usage,omitzero"`
	// Latency is the time from the question to the whole response.
	Latency time.Duration `json:"latency_ns,omitempty"`
	// Warnings are remarks of the adapter about this response.
	Warnings []string `json:"warnings,omitempty"`
}

// A Passage is one retrieved chunk of text.
type Passage struct {
	// ID identifies the chunk. It is empty when the target reports no id.
	ID string `json:"id,omitempty"`
	// Document is the id of the document that the chunk belongs to.
	Document string `json:"document,omitempty"`
	// Source is the file or address of that document.
	Source string `json:"source,omitempty"`
	Title  string `json:"title,omitempty"`
	Text   string `json:"text,omitempty"`
	// Index is the position of the chunk in its document, from 0.
	Index int `json:"index,omitempty"`
	// Score is the target's score; only its order is meaningful.
	Score float64 `json:"score,omitempty"`
}

// A Trace is the record of a target's stages, in the order they ran.
type Trace struct {
	Stages []Stage `json:"stages"`
}

// A Stage is one step of a pipeline with what went in and what came out.
type Stage struct {
	// Name is one of the Stage… constants, or the target's own word.
	Name string `json:"name"`
	// SubQuestion counts from 1 which of the decomposition's sub-questions the
	// stage worked on; 0 is all of them, or that there are none.
	SubQuestion int `json:"sub_question,omitempty"`
	// Model is the model or the algorithm with its parameters.
	Model   string        `json:"model,omitempty"`
	Prompt  string        `json:"prompt,omitempty"`
	Latency time.Duration `json:"latency_ns,omitempty"`
	// Input and Output are JSON values: a string, a list of strings, or a
	// list of [Passage]. Passages that the response has stand here without
	// their texts; see [Response.StagePassages].
	Input  json.RawMessage `json:"input,omitempty"`
	Output json.RawMessage `json:"output,omitempty"`
	// Note holds what a reader should know, such as "3 of 10 passages cut".
	Note string `json:"note,omitempty"`
}

// The names of the stages of a pipeline, in order.
const (
	// StageTranscribe converts a recording, whose name is its input, to text.
	StageTranscribe = "transcribe"
	// StageDecompose turns the question into a list of sub-questions.
	StageDecompose = "decompose"
	// StageRetrieve finds passages for a question, best first.
	StageRetrieve = "retrieve"
	// StageFilter keeps some of the passages, whose Score is then their
	// relevance from 0 to 10.
	StageFilter = "filter"
	// StageGenerate answers from the passages that are its input: those in the
	// prompt.
	StageGenerate = "generate"
)

// Usage counts what a call consumed. Zero means none, or not reported.
type Usage struct {
	InputTokens  int `json:"input_tokens,omitempty"`
	OutputTokens int `json:"output_tokens,omitempty"`
	// Cost is in micro-dollars.
	Cost int64 `json:"cost_micro_usd,omitempty"`
}
