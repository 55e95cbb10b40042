package accuracy

import "time"

// The kinds of input of a [Result].
const (
	TextInput  = "text"
	AudioInput = "audio"
)

// A Result holds the output of every stage for one question.
type Result struct {
	ResultID string `json:"result_id" doc:"id of the result" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	// InputType is [TextInput] or [AudioInput].
	InputType string `json:"input_type" enum:"text,audio" doc:"kind of the question: typed, or a recording"`
	// Profile names the prompts: "A", "B" or "C".
	Profile string `json:"profile" doc:"name of the profile with the prompts" example:"A"`
	// Target is the name of the system; "" is the built-in pipeline.
	Target string `json:"target,omitempty" doc:"name of the target; absent: the built-in pipeline" example:"slow"`
	// Corpus is what was searched; nil if the target does not say.
	Corpus    *Corpus   `json:"corpus,omitempty" doc:"what was searched; absent if the target does not say"`
	Label     string    `json:"label" doc:"label that the result was given; may be empty" example:"release 2.1"`
	CreatedAt time.Time `json:"created_at" doc:"time when the question was asked" example:"2026-03-02T09:30:00Z"`
	Input     Input     `json:"input" doc:"the question"`
	// ExtractedKeyQuestions are the sub-questions, or the question itself if the
	// pipeline does not decompose it.
	ExtractedKeyQuestions []string  `json:"extracted_key_questions" nullable:"false" doc:"sub-questions, or question" example:"Which river?"`
	Retrieval             Retrieval `json:"retrieval" doc:"what was retrieved"`
	Filtered              Filtered  `json:"filtered" doc:"what the filter kept; all that was retrieved if there is no filter"`
	Response              Reply     `json:"response" doc:"the answer and the chunks in its prompt"`
	Timing                Timing    `json:"timing" doc:"durations of the stages"`
	// ModelReplies counts the replies of the pipeline's models.
	ModelReplies ModelReplies `json:"model_replies" doc:"replies of the pipeline's models"`
	Prompts      Prompts      `json:"prompts" doc:"prompts and models of the stages"`
}

// ModelReplies counts replies of models.
type ModelReplies struct {
	// Total counts all, Cached those that were kept of earlier requests and are used
	// again. If Cached is not 0, a request with refresh may give another result.
	Total  int `json:"total" doc:"number of replies of models" example:"12"`
	Cached int `json:"cached" doc:"those of them that were kept of earlier requests" example:"3"`
}

// A Corpus identifies the chunks that a target searches. Two results whose corpora
// differ cannot be compared, nor can one be judged by the chunks of the other.
type Corpus struct {
	// Hash changes with the documents, as in the header of a run.
	Hash string `json:"hash" doc:"fingerprint of the documents" example:"sha256:9f86d081"`
	// Chunking is how the documents were split, with its settings.
	Chunking string `json:"chunking" doc:"how the documents were split, with its settings" example:"recursive(160,32)"`
}

// Input is the question. Text is the transcript of a spoken one.
type Input struct {
	Text string `json:"text" doc:"the question, or the transcript" example:"Which river?"`
	// ReferenceTranscript is nil if there is none.
	ReferenceTranscript *string `json:"reference_transcript,omitempty" doc:"what is really said; absent if unknown" example:"Which river?"`
	// Keywords are those that a transcript should keep, for the keyword error rate. One
	// may list alternatives, as in octopus|八達通.
	Keywords             []string `json:"keywords,omitempty" nullable:"false" doc:"what a transcript should keep" example:"octopus|八達通"`
	AudioFilename        string   `json:"audio_filename,omitempty" doc:"file name of the recording; absent for text" example:"question.wav"`
	AudioDurationSeconds *float64 `json:"audio_duration_seconds,omitempty" doc:"seconds of the recording; absent if unknown" example:"3.2"`
	ASRLanguage          string   `json:"asr_language,omitempty" doc:"what is spoken: yue, zh, en or auto; absent for text" example:"yue"`
}

// Retrieval is the output of the retriever.
type Retrieval struct {
	PerSubQuestion []SubQuestionChunks `json:"per_sub_question" nullable:"false" doc:"chunks of each sub-question, in order"`
	// TotalChunksRetrieved is the sum over the sub-questions: a chunk that was
	// found for two counts twice.
	TotalChunksRetrieved int   `json:"total_chunks_retrieved" doc:"sum over the sub-questions" example:"10"`
	RetrieverTimeMS      int64 `json:"retriever_time_ms" doc:"time of the retriever in milliseconds" example:"42"`
}

// Filtered is the output of the filter. A pipeline without a filter keeps all
// chunks.
type Filtered struct {
	PerSubQuestion      []SubQuestionChunks `json:"per_sub_question" nullable:"false" doc:"chunks of each sub-question, in order"`
	TotalChunksFiltered int                 `json:"total_chunks_filtered" doc:"sum over the sub-questions" example:"4"`
	FilterTimeMS        int64               `json:"filter_time_ms" doc:"time of the filter in milliseconds; 0 without one" example:"310"`
}

// SubQuestionChunks are the chunks of one sub-question, best first.
type SubQuestionChunks struct {
	// SubQuestionIndex counts from 0.
	SubQuestionIndex int     `json:"sub_question_index" doc:"number of the sub-question, from 0" example:"0"`
	SubQuestionText  string  `json:"sub_question_text" doc:"the sub-question" example:"Which river?"`
	Chunks           []Chunk `json:"chunks" nullable:"false" doc:"the chunks, best first"`
}

// A Chunk is a piece of a document in a list.
type Chunk struct {
	// ChunkIndex is the position in the list, from 0. Metadata has the position in
	// the document.
	ChunkIndex int      `json:"chunk_index" doc:"position in this list, from 0" example:"0"`
	Text       string   `json:"text" doc:"text of the chunk; if the corpus has another one, the chunks of the result are judged alone" example:"The Rhine."`
	Metadata   Metadata `json:"metadata" doc:"where the chunk comes from"`
	// Distance is the distance from the question, see [FromResponse]; nil after
	// the filter, and if the target reports neither distances nor scores.
	Distance *float64 `json:"distance,omitempty" doc:"distance from the question, smaller is nearer; absent if unknown" example:"0.18"`
}

// Metadata says where a chunk comes from.
type Metadata struct {
	Filename string `json:"filename" doc:"name of the file, or the id of the document" example:"rhine.md"`
	// UploadDate and PageNumber are nil if unknown.
	UploadDate *time.Time `json:"upload_date" doc:"time of the upload; null if it is not known" example:"2026-03-02T09:30:00Z"`
	// ContentSummary is the beginning of the text.
	ContentSummary string `json:"content_summary" doc:"beginning of the text, about 100 characters" example:"The Rhine."`
	// ChunkIndex is the position in the document, from 0. With DocumentID it
	// identifies the chunk.
	ChunkIndex int    `json:"chunk_index" doc:"position in the document, from 0; names the chunk with document_id" example:"3"`
	PageNumber *int   `json:"page_number" doc:"page in the document, from 1; null if it is not known" example:"2"`
	DocumentID string `json:"document_id" doc:"id of the document" example:"rhine.md"`
	// StrategyType names the way the document was split.
	StrategyType  string `json:"strategy_type" doc:"how the document was split; empty if it is not known" example:"recursive"`
	ChunkFilePath string `json:"chunk_file_path,omitempty" doc:"file of the chunk; absent if the target reports none" example:"/data/3.pdf"`
	// RelevanceScore is the filter's, 0 to 10; nil before the filter, or if none
	// is reported.
	RelevanceScore *float64 `json:"relevance_score,omitempty" doc:"score of the filter, 0 to 10; absent without one" example:"8"`
	// ChunkID and Title are the target's own.
	ChunkID string `json:"chunk_id,omitempty" doc:"the target's own id of the chunk" example:"rhine.md#3"`
	Title   string `json:"title,omitempty" doc:"title of the document" example:"Rhine"`
}

// Reply is the answer and the chunks that it was written from.
type Reply struct {
	FinalAnswer string `json:"final_answer" doc:"the answer" example:"The Rhine."`
	// SubQuestionSources are the chunks in the prompt.
	SubQuestionSources []SubQuestionSources `json:"sub_question_sources" nullable:"false" doc:"chunks in the prompt, by sub-question"`
	GenerateTimeMS     int64                `json:"generate_time_ms" doc:"time of the generator in milliseconds" example:"900"`
}

// SubQuestionSources are the chunks that the answer to one sub-question was
// written from.
type SubQuestionSources struct {
	SubQuestionIndex int        `json:"sub_question_index" doc:"number of the sub-question, from 0" example:"0"`
	SubQuestionText  string     `json:"sub_question_text" doc:"the sub-question" example:"Which river?"`
	Sources          []Metadata `json:"sources" nullable:"false" doc:"chunks in the prompt"`
	// Answer is this sub-question's part of the answer, if the pipeline reports it.
	Answer string `json:"answer,omitempty" doc:"its part of the answer; absent if not reported" example:"The Rhine."`
}

// Timing holds the durations of the stages; 0 for a stage that did not run.
type Timing struct {
	ASRTimeMS        *int64 `json:"asr_time_ms,omitempty" doc:"transcription in milliseconds; absent if there was none" example:"450"`
	DecomposerTimeMS int64  `json:"decomposer_time_ms" doc:"decomposition in milliseconds; 0 if there was none" example:"380"`
	RetrieverTimeMS  int64  `json:"retriever_time_ms" doc:"retrieval in milliseconds; 0 if there was none" example:"42"`
	FilterTimeMS     int64  `json:"filter_time_ms" doc:"filter in milliseconds; 0 if there was none" example:"310"`
	GeneratorTimeMS  int64  `json:"generator_time_ms" doc:"generation in milliseconds; 0 if there was none" example:"900"`
	TotalTimeMS      int64  `json:"total_time_ms" doc:"the whole question in milliseconds" example:"1650"`
}

// Prompts holds the prompts of the models; "" for a stage without a model. The
// prompts of several calls of a stage are joined.
type Prompts struct {
	DecomposePrompt string `json:"decompose_prompt" doc:"prompts of the decomposition, joined; may be empty" example:"Split the question: …"`
	FilterPrompt    string `json:"filter_prompt" doc:"prompts of the filter, joined; may be empty" example:"Rate the chunks: …"`
	GeneratePrompt  string `json:"generate_prompt" doc:"prompts of the generator, joined; may be empty" example:"Answer the question: …"`
	// ProfileHash identifies the templates: "sha256:" and hexadecimal digits.
	ProfileHash string `json:"profile_hash" doc:"fingerprint of the profile's templates" example:"sha256:9f86d081"`
	Models      Models `json:"models" doc:"model or algorithm of each stage"`
}

// Models names the model or algorithm of each stage; "" for a stage that the
// pipeline does not have.
type Models struct {
	Decompose string `json:"decompose" doc:"of the decomposition; empty without one" example:"openai:gpt-4.1"`
	Filter    string `json:"filter" doc:"of the filter; empty without one" example:"openai:gpt-4.1"`
	Generate  string `json:"generate" doc:"of the generator; empty without one" example:"openai:gpt-4.1"`
	ASR       string `json:"asr" doc:"of the transcription; empty without one" example:"openai:whisper-1"`
}
