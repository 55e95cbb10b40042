package assay

import (
	"context"
	"encoding/json"
	"time"
)

// A Target is the system under test. Ask must be safe for concurrent use and must
// honour ctx. An error means that there is no response, of which nothing but Usage is read
// then; a refusal to answer is a response.
type Target interface {
	Ask(ctx context.Context, c *Case) (Response, error)
}

// An Embedder turns texts into vectors. Embed must be safe for concurrent use. It
// returns one vector per text, in order, each with Dimensions values and length
// 1, so that a dot product is a cosine. An empty text also has a vector.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Dimensions() int
	// Identity changes whenever the vectors would change: it has the model,
	// weights and version, as in "minilm@1f3c…". It is part of cache keys and run
	// headers.
	Identity() string
}

// A Response is what a target returned for one case.
type Response struct {
	Answer string `json:"answer,omitempty"`
	// NoAnswer means that the target never answers, like a search engine, so
	// metrics over answers do not apply. An empty answer of a target that should
	// answer is different, and scores 0.
	NoAnswer bool `json:"no_answer,omitempty"`
	// Unread says where in the reply a text is that may be the answer, though none was read: then NoAnswer is not certain,
	// and whether the case is right is unknown.
	Unread string `json:"unread,omitempty"`
	// Withheld is the word of the server for why it gives no answer, such as
	// content_filter: Answer is empty, and whether the target could answer is unknown.
	Withheld string `json:"withheld,omitempty"`
	// Passages are the retrieved passages, best first. nil means that the target
	// does not report them, so metrics over passages do not apply; empty means
	// that nothing was retrieved, which scores 0.
	Passages []Passage `json:"passages"`
	// Cites means that Passages are an empty list under a name that also stands for what an
	// answer cites, such as sources. If no response of the run has passages, what was
	// retrieved is not known.
	Cites bool `json:"cites,omitempty"`
	// Trace holds the target's stages, if it reports them.
	Trace *Trace `json:"trace,omitempty"`
	Usage Usage  `json:"usage,omitzero"`
	// Latency is the time from the question to the complete response.
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
	// Score is the target's score, higher is better; only its order is meaningful.
	Score float64 `json:"score,omitempty"`
	// Details is nil if the target reports none of them.
	Details *Details `json:"details,omitempty"`
}

// Details are what some targets report of a chunk besides.
type Details struct {
	// Distance is the distance from the question: lower is nearer.
	Distance *float64 `json:"distance,omitempty"`
	// Page is the page in the document, from 1; 0 is unknown.
	Page int `json:"page_number,omitempty"`
	// Uploaded is when the document was stored; nil is unknown.
	Uploaded *time.Time `json:"upload_date,omitempty"`
	Summary  string     `json:"content_summary,omitempty"`
	// Strategy is how the document was split.
	Strategy string `json:"strategy_type,omitempty"`
	// File is the file of the chunk.
	File string `json:"chunk_file_path,omitempty"`
}

// A Trace is the record of a target's stages, in execution order.
type Trace struct {
	Stages []Stage `json:"stages"`
	// Latency is what the target reports for the whole question; 0 is unknown.
	Latency time.Duration `json:"latency_ns,omitempty"`
}

// A Stage is one step of a pipeline with its input and output.
type Stage struct {
	// Name is one of the Stage… constants, or the target's own word.
	Name string `json:"name"`
	// SubQuestion is the number, from 1, of the sub-question that the stage
	// worked on; 0 means all of them, or none.
	SubQuestion int `json:"sub_question,omitempty"`
	// Model is the model or the algorithm with its parameters.
	Model   string        `json:"model,omitempty"`
	Prompt  string        `json:"prompt,omitempty"`
	Latency time.Duration `json:"latency_ns,omitempty"`
	// Start is when the stage began, from the start of the question; nil if it is not
	// known. It is set for stages that ran at the same time.
	Start *time.Duration `json:"start_ns,omitempty"`
	// Input and Output are JSON values: a string, a list of strings, or a list of
	// [Passage]. Passages of the response appear without their texts; see
	// [Response.StagePassages].
	Input  json.RawMessage `json:"input,omitempty"`
	Output json.RawMessage `json:"output,omitempty"`
	// Note is a remark for the reader, such as "3 of 10 passages cut".
	Note string `json:"note,omitempty"`
	// Usage is what the stage consumed, as part of that of the response.
	Usage Usage `json:"usage,omitzero"`
}

// Names of the stages of a pipeline, in order.
const (
	// StageTranscribe converts a recording to text. Its input is the name of the
	// recording.
	StageTranscribe = "transcribe"
	// StageDecompose turns the question into a list of sub-questions.
	StageDecompose = "decompose"
	// StageRetrieve finds passages for a question, best first.
	StageRetrieve = "retrieve"
	// StageFilter keeps some of the passages, whose Score is then their
	// relevance from 0 to 10.
	StageFilter = "filter"
	// StageGenerate answers from its input, the passages in the prompt.
	StageGenerate = "generate"
)

// Usage counts what a call consumed. Zero means none or not reported.
type Usage struct {
	InputTokens  int `json:"input_tokens,omitempty"`
	OutputTokens int `json:"output_tokens,omitempty"`
	// Cost is in micro-dollars.
	Cost int64 `json:"cost_micro_usd,omitempty"`
}

// Plus returns the sum of two usages.
func (u Usage) Plus(o Usage) Usage {
	return Usage{InputTokens: u.InputTokens + o.InputTokens, OutputTokens: u.OutputTokens + o.OutputTokens, Cost: u.Cost + o.Cost}
}
