package accuracy

import "time"

// An Evaluation says how good each stage of a [Result] was.
type Evaluation struct {
	EvaluationID string    `json:"evaluation_id"`
	ResultID     string    `json:"result_id"`
	CreatedAt    time.Time `json:"created_at"`
	// Status is [Failed] when the key questions could not be marked, else
	// [Partial] when something else is missing, else [Completed].
	Status string `json:"status" enum:"completed,partial,failed"`
	// A dimension that was not asked for, does not apply, or failed without
	// leaving anything is nil.
	AudioEvaluation        *AudioEvaluation        `json:"audio_evaluation"`
	KeyQuestionsEvaluation *KeyQuestionsEvaluation `json:"key_questions_evaluation"`
	ChunkEvaluation        *ChunkEvaluation        `json:"chunk_evaluation"`
	ResponseEvaluation     *ResponseEvaluation     `json:"response_evaluation"`
	// Attribution says where relevant chunks were lost, in the order of the
	// sub-questions and of the pipeline.
	Attribution []Loss           `json:"attribution"`
	Errors      []DimensionError `json:"errors"`
	Timing      EvaluationTiming `json:"timing"`
	// Provenance is what the scores depend on beside the result.
	Provenance Provenance `json:"provenance"`
}

// AudioEvaluation compares the transcript with the reference. The rates at the
// top are the strict ones; the counts are of characters, those of CER.
type AudioEvaluation struct {
	Status string `json:"status"`
	TranscriptErrors
	// Normalisation names what was made equal on both sides before.
	Normalisation string `json:"normalisation"`
	// Strict takes the characters as they are, Folded takes Traditional and
	// Simplified Chinese for the same.
	Strict TranscriptErrors `json:"strict"`
	Folded TranscriptErrors `json:"folded"`
}

// TranscriptErrors are error rates, 0 or more, and the counts of CER's
// alignment. A rate is nil when the reference is empty and the transcript is
// not.
type TranscriptErrors struct {
	CER *float64 `json:"cer"`
	WER *float64 `json:"wer"`
	// Mixer takes Chinese characters and the words of other scripts as units.
	Mixer             *float64 `json:"mixer"`
	ReferenceLength   int      `json:"reference_length"`
	TranscribedLength int      `json:"transcribed_length"`
	Substitutions     int      `json:"substitutions"`
	Deletions         int      `json:"deletions"`
	Insertions        int      `json:"insertions"`
	Hits              int      `json:"hits"`
}

// KeyQuestionsEvaluation holds the marks of two judges, and their means.
type KeyQuestionsEvaluation struct {
	Evaluations   []Marks `json:"evaluations"`
	AverageScores Scores  `json:"average_scores"`
	AverageTotal  float64 `json:"average_total"`
}

// Marks are those of one judge.
type Marks struct {
	ModelName string `json:"model_name"`
	Scores    Scores `json:"scores"`
	// TotalScore is the sum of the scores.
	TotalScore float64 `json:"total_score"`
	MaxScore   float64 `json:"max_score"`
	Comments   string  `json:"comments"`
	// ThinkingTrace is the reasoning that the provider lets us see.
	ThinkingTrace string `json:"thinking_trace"`
	TimeMS        int64  `json:"time_ms"`
}

// Scores are points by dimension of the marking scheme.
type Scores struct {
	Accuracy     float64 `json:"dimension_1_準確性" minimum:"0" maximum:"40"`
	Completeness float64 `json:"dimension_2_完整性" minimum:"0" maximum:"25"`
	Clarity      float64 `json:"dimension_3_清晰度" minimum:"0" maximum:"20"`
	Conciseness  float64 `json:"dimension_4_簡潔性" minimum:"0" maximum:"15"`
}

// ChunkEvaluation compares the chunks of the pipeline with the relevant ones.
type ChunkEvaluation struct {
	// Status is [Partial] when a batch could not be judged, [Failed] when none
	// could.
	Status            string          `json:"status"`
	PerSubQuestion    []ChunkTruth    `json:"per_sub_question"`
	OverallUnfiltered AverageAccuracy `json:"overall_unfiltered"`
	OverallFiltered   AverageAccuracy `json:"overall_filtered"`
}

// ChunkTruth is the chunk evaluation of one sub-question.
type ChunkTruth struct {
	SubQuestionIndex   int           `json:"sub_question_index"`
	SubQuestionText    string        `json:"sub_question_text"`
	GroundTruth        GroundTruth   `json:"ground_truth"`
	UnfilteredAccuracy ChunkAccuracy `json:"unfiltered_accuracy"`
	FilteredAccuracy   ChunkAccuracy `json:"filtered_accuracy"`
}

// GroundTruth is which chunks are relevant, by the judge or by hand.
type GroundTruth struct {
	// RelevantDocuments are in the order of the corpus, as are RelevantChunks.
	RelevantDocuments   []string   `json:"relevant_documents"`
	RelevantChunks      []ChunkRef `json:"relevant_chunks"`
	TotalRelevantChunks int        `json:"total_relevant_chunks"`
	// Round2IncompleteBatches count from 0 the batches that could not be
	// judged. Their chunks count as not relevant.
	Round2IncompleteBatches []int `json:"round_2_incomplete_batches"`
	ChunkEvaluationTimeMS   int64 `json:"chunk_evaluation_time_ms"`
	// Suspicious is "all" or "none" when so many of the judged chunks are
	// relevant; "" otherwise.
	Suspicious string `json:"suspicious,omitempty" enum:"all,none"`
	// Source is "judge" or "manual".
	Source string `json:"source"`
	// Judged counts the chunks that were judged, of Corpus.
	Judged int `json:"judged_chunks"`
	Corpus int `json:"corpus_chunks"`
	// Pool is set when only a part of the corpus was judged.
	Pool *PoolEstimate `json:"pool,omitempty"`
}

// A ChunkRef names a chunk.
type ChunkRef struct {
	DocumentID string `json:"document_id"`
	ChunkIndex int    `json:"chunk_index"`
}

// PoolEstimate says what was judged in place of the whole corpus, and what
// follows for the rest.
type PoolEstimate struct {
	// Pooled counts the chunks that the pipeline retrieved or kept, all of
	// which were judged; Sampled those that were drawn from the others and
	// judged, of Rest.
	Pooled  int    `json:"pooled"`
	Sampled int    `json:"sampled"`
	Rest    int    `json:"rest"`
	Seed    uint64 `json:"seed"`
	// RelevantPooled and RelevantSampled count the relevant ones of each.
	RelevantPooled  int `json:"relevant_pooled"`
	RelevantSampled int `json:"relevant_sampled"`
	// EstimatedRelevant is the number of relevant chunks in the whole corpus,
	// without bias; nil when nothing could be drawn from a rest that is there.
	EstimatedRelevant *float64 `json:"estimated_relevant"`
	// Interval is that of EstimatedRelevant, exact, at 95 %.
	Interval *[2]float64 `json:"estimated_relevant_interval"`
}

// ChunkAccuracy compares a list of chunks with the relevant ones.
//
// Precision is nil when the list and the truth are empty, and 0 when only the
// list is. Recall and F1 are nil when nothing is relevant. All three are nil when
// nothing could be judged.
type ChunkAccuracy struct {
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
	F1        *float64 `json:"f1"`
	// PipelineChunks counts the list, each chunk once.
	PipelineChunks     int `json:"pipeline_chunks"`
	RelevantInPipeline int `json:"relevant_in_pipeline"`
	// RecallInterval is set when the recall is estimated from a sample.
	RecallInterval *[2]float64 `json:"recall_interval,omitempty"`
}

// AverageAccuracy is the mean over the sub-questions of which the value is
// known; nil when there is none.
type AverageAccuracy struct {
	AvgPrecision *float64 `json:"avg_precision"`
	AvgRecall    *float64 `json:"avg_recall"`
	AvgF1        *float64 `json:"avg_f1"`
}

// ResponseEvaluation compares the answer with an ideal one.
type ResponseEvaluation struct {
	// Status is [Partial] when a sub-question failed, [Failed] when all did.
	Status         string          `json:"status"`
	PerSubQuestion []ResponseTruth `json:"per_sub_question"`
	// The means over the sub-questions that have a score; nil when none has.
	OverallCompleteness    *float64 `json:"overall_completeness"`
	OverallFactualAccuracy *float64 `json:"overall_factual_accuracy"`
}

// ResponseTruth is the response evaluation of one sub-question.
type ResponseTruth struct {
	SubQuestionIndex int    `json:"sub_question_index"`
	SubQuestionText  string `json:"sub_question_text"`
	// GroundTruthResponse is the ideal answer, from the relevant chunks only.
	GroundTruthResponse     string `json:"ground_truth_response"`
	PipelineResponseSection string `json:"pipeline_response_section"`
	// The scores are nil when the sub-question was skipped or failed.
	CompletenessScore           *float64 `json:"completeness_score"`
	FactualAccuracyScore        *float64 `json:"factual_accuracy_score"`
	Comments                    string   `json:"comments"`
	GroundTruthGenerationTimeMS int64    `json:"ground_truth_generation_time_ms"`
	ComparisonTimeMS            int64    `json:"comparison_time_ms"`
	// Skipped says why there is nothing to compare; "" when there is.
	Skipped string `json:"skipped,omitempty"`
}

// A Loss is a stage at which relevant chunks, or what they say, got lost.
type Loss struct {
	SubQuestionIndex int `json:"sub_question_index"`
	// Stage is one of assay.LossStages.
	Stage    string `json:"stage"`
	Evidence string `json:"evidence"`
}

// A DimensionError is why something is missing.
type DimensionError struct {
	Dimension Dimension `json:"dimension"`
	Message   string    `json:"message"`
}

// EvaluationTiming is how long the dimensions took; 0 for those that were not
// evaluated.
type EvaluationTiming struct {
	AudioEvaluationTimeMS        int64 `json:"audio_evaluation_time_ms"`
	KeyQuestionsEvaluationTimeMS int64 `json:"key_questions_evaluation_time_ms"`
	ChunkEvaluationTimeMS        int64 `json:"chunk_evaluation_time_ms"`
	ResponseEvaluationTimeMS     int64 `json:"response_evaluation_time_ms"`
	TotalEvaluationTimeMS        int64 `json:"total_evaluation_time_ms"`
}

// Provenance is what the scores of an evaluation depend on.
type Provenance struct {
	// Language is that of the prompts: "zh" or "en".
	Language string `json:"language"`
	// PromptHash changes whenever a word of the prompts does.
	PromptHash string `json:"prompt_hash"`
	// Models names who was asked, as "provider:model".
	KeyQuestions []string `json:"key_questions_evaluators"`
	Chunk        string   `json:"chunk_evaluator"`
	Response     string   `json:"response_evaluator"`
}

// Truth is hand-made: which chunks are relevant to the sub-questions. It is
// used in the place of the judge.
type Truth struct {
	PerSubQuestion []SubQuestionTruth `json:"per_sub_question"`
}

// SubQuestionTruth lists the chunks that are relevant to one sub-question, all
// of them: none means that nothing is.
type SubQuestionTruth struct {
	SubQuestionIndex int        `json:"sub_question_index" minimum:"0"`
	RelevantChunks   []ChunkRef `json:"relevant_chunks"`
}
