package accuracy

import "time"

// The kinds of input of a [Result].
const (
	TextInput  = "text"
	AudioInput = "audio"
)

// A Result is what every stage of a pipeline made of one question.
type Result struct {
	ResultID string `json:"result_id"`
	// InputType is [TextInput] or [AudioInput].
	InputType string `json:"input_type" enum:"text,audio"`
	// Profile names the prompts: "A", "B" or "C".
	Profile string `json:"profile"`
	// Target is the name of the system that was asked; "" is the built-in
	// pipeline of the server's own settings.
	Target    string    `json:"target,omitempty"`
	Label     string    `json:"label"`
	CreatedAt time.Time `json:"created_at"`
	Input     Input     `json:"input"`
	// ExtractedKeyQuestions are the sub-questions; the question itself when
	// the pipeline does not decompose.
	ExtractedKeyQuestions []string  `json:"extracted_key_questions"`
	Retrieval             Retrieval `json:"retrieval"`
	Filtered              Filtered  `json:"filtered"`
	Response              Reply     `json:"response"`
	Timing                Timing    `json:"timing"`
	Prompts               Prompts   `json:"prompts"`
}

// Input is what was asked. Text is the transcript when it was spoken.
type Input struct {
	Text string `json:"text"`
	// ReferenceTranscript is what was really said; nil when nobody wrote it
	// down.
	ReferenceTranscript  *string  `json:"reference_transcript,omitempty"`
	AudioFilename        string   `json:"audio_filename,omitempty"`
	AudioDurationSeconds *float64 `json:"audio_duration_seconds,omitempty"`
	ASRLanguage          string   `json:"asr_language,omitempty"`
}

// Retrieval is what was found for each sub-question.
type Retrieval struct {
	PerSubQuestion []SubQuestionChunks `json:"per_sub_question"`
	// TotalChunksRetrieved counts the chunks of all sub-questions: one that was
	// found for two counts twice.
	TotalChunksRetrieved int   `json:"total_chunks_retrieved"`
	RetrieverTimeMS      int64 `json:"retriever_time_ms"`
}

// Filtered is what the filter kept for each sub-question. A pipeline without a
// filter keeps all.
type Filtered struct {
	PerSubQuestion      []SubQuestionChunks `json:"per_sub_question"`
	TotalChunksFiltered int                 `json:"total_chunks_filtered"`
	FilterTimeMS        int64               `json:"filter_time_ms"`
}

// SubQuestionChunks are the chunks of one sub-question, best first.
type SubQuestionChunks struct {
	// SubQuestionIndex counts from 0.
	SubQuestionIndex int     `json:"sub_question_index"`
	SubQuestionText  string  `json:"sub_question_text"`
	Chunks           []Chunk `json:"chunks"`
}

// A Chunk is a piece of a document in a list.
type Chunk struct {
	// ChunkIndex is the place in the list, from 0; the place in the document
	// is that of Metadata.
	ChunkIndex int      `json:"chunk_index"`
	Text       string   `json:"text"`
	Metadata   Metadata `json:"metadata"`
	// Distance is how far the chunk is from the question; see [FromResponse].
	// nil after the filter.
	Distance *float64 `json:"distance,omitempty"`
}

// Metadata says where a chunk comes from.
type Metadata struct {
	Filename string `json:"filename"`
	// UploadDate and PageNumber are nil when they are not known.
	UploadDate *time.Time `json:"upload_date"`
	// ContentSummary is the beginning of the text.
	ContentSummary string `json:"content_summary"`
	// ChunkIndex is the place in the document, from 0. With DocumentID it says
	// which chunk this is.
	ChunkIndex int    `json:"chunk_index"`
	PageNumber *int   `json:"page_number"`
	DocumentID string `json:"document_id"`
	// StrategyType says how the document was split.
	StrategyType string `json:"strategy_type"`
	// RelevanceScore is the filter's, 0 to 10; nil before the filter, and
	// without one.
	RelevanceScore *float64 `json:"relevance_score,omitempty"`
	// ChunkID and Title are the target's own.
	ChunkID string `json:"chunk_id,omitempty"`
	Title   string `json:"title,omitempty"`
}

// Reply is the answer and what it was written from.
type Reply struct {
	FinalAnswer string `json:"final_answer"`
	// SubQuestionSources are the chunks that stood in the prompt.
	SubQuestionSources []SubQuestionSources `json:"sub_question_sources"`
	GenerateTimeMS     int64                `json:"generate_time_ms"`
}

// SubQuestionSources are the chunks that the answer to one sub-question was
// written from.
type SubQuestionSources struct {
	SubQuestionIndex int        `json:"sub_question_index"`
	SubQuestionText  string     `json:"sub_question_text"`
	Sources          []Metadata `json:"sources"`
	// Answer is the part of the answer that is this sub-question's, when the
	// pipeline tells.
	Answer string `json:"answer,omitempty"`
}

// Timing is how long the stages took. A stage that did not run took 0.
type Timing struct {
	ASRTimeMS        *int64 `json:"asr_time_ms,omitempty"`
	DecomposerTimeMS int64  `json:"decomposer_time_ms"`
	RetrieverTimeMS  int64  `json:"retriever_time_ms"`
	FilterTimeMS     int64  `json:"filter_time_ms"`
	GeneratorTimeMS  int64  `json:"generator_time_ms"`
	TotalTimeMS      int64  `json:"total_time_ms"`
}

// Prompts are the words that the models were given, "" where none was asked.
// Those of several calls of a stage stand one after the other.
type Prompts struct {
	DecomposePrompt string `json:"decompose_prompt"`
	FilterPrompt    string `json:"filter_prompt"`
	GeneratePrompt  string `json:"generate_prompt"`
	// ProfileHash identifies the templates: "sha256:" and hexadecimal digits.
	ProfileHash string `json:"profile_hash"`
	Models      Models `json:"models"`
}

// Models names the model, or the algorithm, of each stage; "" for a stage that
// the pipeline does not have.
type Models struct {
	Decompose string `json:"decompose"`
	Filter    string `json:"filter"`
	Generate  string `json:"generate"`
	ASR       string `json:"asr"`
}
