package accuracy

import "time"

// The kinds of input of a [Result].
const (
	TextInput  = "text"
	AudioInput = "audio"
)

// A Result holds the output of every stage for one question.
type Result struct {
	ResultID string `json:"result_id"`
	// InputType is [TextInput] or [AudioInput].
	InputType string `json:"input_type" enum:"text,audio"`
	// Profile names the prompts: "A", "B" or "C".
	Profile string `json:"profile"`
	// Target is the name of the system; "" is the built-in pipeline.
	Target string `json:"target,omitempty"`
	// Corpus is what was searched; nil if the target does not say.
	Corpus    *Corpus   `json:"corpus,omitempty"`
	Label     string    `json:"label"`
	CreatedAt time.Time `json:"created_at"`
	Input     Input     `json:"input"`
	// ExtractedKeyQuestions are the sub-questions, or the question itself if the
	// pipeline does not decompose it.
	ExtractedKeyQuestions []string  `json:"extracted_key_questions"`
	Retrieval             Retrieval `json:"retrieval"`
	Filtered              Filtered  `json:"filtered"`
	Response              Reply     `json:"response"`
	Timing                Timing    `json:"timing"`
	// ModelReplies counts the replies of the pipeline's models.
	ModelReplies ModelReplies `json:"model_replies"`
	Prompts      Prompts      `json:"prompts"`
}

// ModelReplies counts replies of models.
type ModelReplies struct {
	// Total counts all, Cached those that were kept of earlier requests and are used
	// again. If Cached is not 0, a request with refresh may give another result.
	Total  int `json:"total"`
	Cached int `json:"cached"`
}

// A Corpus identifies the chunks that a target searches. Two results whose corpora
// differ cannot be compared, nor can one be judged by the chunks of the other.
type Corpus struct {
	// Hash changes with the documents, as in the header of a run.
	Hash string `json:"hash"`
	// Chunking is how the documents were split, with its settings.
	Chunking string `json:"chunking"`
}

// Input is the question. Text is the transcript of a spoken one.
type Input struct {
	Text string `json:"text"`
	// ReferenceTranscript is nil if there is none.
	ReferenceTranscript *string `json:"reference_transcript,omitempty"`
	// Keywords are those that a transcript should keep, for the keyword error rate. One
	// may list alternatives, as in octopus|八達通.
	Keywords             []string `json:"keywords,omitempty"`
	AudioFilename        string   `json:"audio_filename,omitempty"`
	AudioDurationSeconds *float64 `json:"audio_duration_seconds,omitempty"`
	ASRLanguage          string   `json:"asr_language,omitempty"`
}

// Retrieval is the output of the retriever.
type Retrieval struct {
	PerSubQuestion []SubQuestionChunks `json:"per_sub_question"`
	// TotalChunksRetrieved is the sum over the sub-questions: a chunk that was
	// found for two counts twice.
	TotalChunksRetrieved int   `json:"total_chunks_retrieved"`
	RetrieverTimeMS      int64 `json:"retriever_time_ms"`
}

// Filtered is the output of the filter. A pipeline without a filter keeps all
// chunks.
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
	// ChunkIndex is the position in the list, from 0. Metadata has the position in
	// the document.
	ChunkIndex int      `json:"chunk_index"`
	Text       string   `json:"text"`
	Metadata   Metadata `json:"metadata"`
	// Distance is the distance from the question, see [FromResponse]; nil after
	// the filter.
	Distance *float64 `json:"distance,omitempty"`
}

// Metadata says where a chunk comes from.
type Metadata struct {
	Filename string `json:"filename"`
	// UploadDate and PageNumber are nil if unknown.
	UploadDate *time.Time `json:"upload_date"`
	// ContentSummary is the beginning of the text.
	ContentSummary string `json:"content_summary"`
	// ChunkIndex is the position in the document, from 0. With DocumentID it
	// identifies the chunk.
	ChunkIndex int    `json:"chunk_index"`
	PageNumber *int   `json:"page_number"`
	DocumentID string `json:"document_id"`
	// StrategyType names the way the document was split.
	StrategyType string `json:"strategy_type"`
	// RelevanceScore is the filter's, 0 to 10; nil before the filter or without
	// one.
	RelevanceScore *float64 `json:"relevance_score,omitempty"`
	// ChunkID and Title are the target's own.
	ChunkID string `json:"chunk_id,omitempty"`
	Title   string `json:"title,omitempty"`
}

// Reply is the answer and the chunks that it was written from.
type Reply struct {
	FinalAnswer string `json:"final_answer"`
	// SubQuestionSources are the chunks in the prompt.
	SubQuestionSources []SubQuestionSources `json:"sub_question_sources"`
	GenerateTimeMS     int64                `json:"generate_time_ms"`
}

// SubQuestionSources are the chunks that the answer to one sub-question was
// written from.
type SubQuestionSources struct {
	SubQuestionIndex int        `json:"sub_question_index"`
	SubQuestionText  string     `json:"sub_question_text"`
	Sources          []Metadata `json:"sources"`
	// Answer is this sub-question's part of the answer, if the pipeline reports it.
	Answer string `json:"answer,omitempty"`
}

// Timing holds the durations of the stages; 0 for a stage that did not run.
type Timing struct {
	ASRTimeMS        *int64 `json:"asr_time_ms,omitempty"`
	DecomposerTimeMS int64  `json:"decomposer_time_ms"`
	RetrieverTimeMS  int64  `json:"retriever_time_ms"`
	FilterTimeMS     int64  `json:"filter_time_ms"`
	GeneratorTimeMS  int64  `json:"generator_time_ms"`
	TotalTimeMS      int64  `json:"total_time_ms"`
}

// Prompts holds the prompts of the models; "" for a stage without a model. The
// prompts of several calls of a stage are joined.
type Prompts struct {
	DecomposePrompt string `json:"decompose_prompt"`
	FilterPrompt    string `json:"filter_prompt"`
	GeneratePrompt  string `json:"generate_prompt"`
	// ProfileHash identifies the templates: "sha256:" and hexadecimal digits.
	ProfileHash string `json:"profile_hash"`
	Models      Models `json:"models"`
}

// Models names the model or algorithm of each stage; "" for a stage that the
// pipeline does not have.
type Models struct {
	Decompose string `json:"decompose"`
	Filter    string `json:"filter"`
	Generate  string `json:"generate"`
	ASR       string `json:"asr"`
}
