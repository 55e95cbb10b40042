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
	// Attribution says where relevant chunks were lost, by sub-question and stage.
	Attribution []Loss           `json:"attribution"`
	Errors      []DimensionError `json:"errors"`
	// ModelReplies counts the replies of the evaluators.
	ModelReplies ModelReplies `json:"model_replies"`
	// Warnings say what the models could not be asked for, as thinking.
	Warnings []string         `json:"warnings,omitempty"`
	Timing   EvaluationTiming `json:"timing"`
	// Provenance names what the scores depend on besides the result.
	Provenance Provenance `json:"provenance"`
}

// AudioEvaluation compares the transcript with the reference. The top-level rates
// are those of Strict; the counts are of characters, as for CER.
type AudioEvaluation struct {
	Status string `json:"status"`
	TranscriptErrors
	// Normalisation names the normalisation of both texts.
	Normalisation string `json:"normalisation"`
	// Strict distinguishes Traditional and Simplified Chinese, Folded does not.
	Strict TranscriptErrors `json:"strict"`
	Folded TranscriptErrors `json:"folded"`
	// NumbersLost are the numbers of the reference that the transcript lacks at their
	// place, as written; NumbersAdded are those that only the transcript has.
	NumbersLost  []string `json:"numbers_lost"`
	NumbersAdded []string `json:"numbers_added"`
	// KeywordsSaid are the keywords that the reference has, KeywordsLost those of them
	// that the transcript lacks, with Traditional and Simplified Chinese told apart.
	KeywordsSaid []string `json:"keywords_said"`
	KeywordsLost []string `json:"keywords_lost"`
}

// TranscriptErrors are error rates, 0 or more, and the counts of CER's
// alignment. A rate is nil when the reference is empty and the transcript is
// not.
type TranscriptErrors struct {
	CER *float64 `json:"cer"`
	WER *float64 `json:"wer"`
	// Mixer counts Chinese characters and the words of other scripts.
	Mixer *float64 `json:"mixer"`
	// NumberErrorRate compares numbers by value: (substituted + lost + added) /
	// numbers of the reference; nil when the reference has no number.
	NumberErrorRate *float64 `json:"number_error_rate"`
	// KeywordErrorRate is the share of the reference's keywords that the transcript
	// lost; nil when no keywords are given or the reference has none of them.
	KeywordErrorRate  *float64 `json:"keyword_error_rate"`
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
	// Disagreement compares the judges.
	Disagreement Disagreement `json:"disagreement"`
}

// Disagreement is how far the judges of the key questions are apart.
type Disagreement struct {
	// TotalDifference is the difference of their totals, 0 to 100 points.
	TotalDifference float64 `json:"total_difference"`
	// Bound is the difference up to which the judges count as agreeing.
	Bound float64 `json:"bound"`
	// Flagged is set if the difference is larger: the mean is then that of two opinions,
	// and neither should be relied on unread.
	Flagged bool `json:"flagged"`
}

// Marks are those of one judge.
type Marks struct {
	ModelName string `json:"model_name"`
	Scores    Scores `json:"scores"`
	// TotalScore is the sum of the scores.
	TotalScore float64 `json:"total_score"`
	MaxScore   float64 `json:"max_score"`
	Comments   string  `json:"comments"`
	// ThinkingTrace is the reasoning that the provider returns.
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

// GroundTruth names the relevant chunks, by the judge or by hand.
type GroundTruth struct {
	// RelevantDocuments are in the order of the corpus, as are RelevantChunks.
	RelevantDocuments   []string   `json:"relevant_documents"`
	RelevantChunks      []ChunkRef `json:"relevant_chunks"`
	TotalRelevantChunks int        `json:"total_relevant_chunks"`
	// Round2IncompleteBatches are the batches, from 0, that could not be judged.
	// Their chunks count as not relevant.
	Round2IncompleteBatches []int `json:"round_2_incomplete_batches"`
	ChunkEvaluationTimeMS   int64 `json:"chunk_evaluation_time_ms"`
	// Suspicious is "all" or "none" if all or none of the judged chunks are
	// relevant; "" otherwise.
	Suspicious string `json:"suspicious,omitempty" enum:"all,none"`
	// Source is "judge" or "manual".
	Source string `json:"source"`
	// Judged is the number of judged chunks, out of Corpus.
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

// PoolEstimate says which part of the corpus was judged, and estimates the rest.
type PoolEstimate struct {
	// Pooled is the number of chunks that the pipeline retrieved or kept, all of
	// which are judged. Sampled is the number of judged chunks from the others,
	// of which there are Rest.
	Pooled  int    `json:"pooled"`
	Sampled int    `json:"sampled"`
	Rest    int    `json:"rest"`
	Seed    uint64 `json:"seed"`
	// RelevantPooled and RelevantSampled are the numbers of relevant chunks in each.
	RelevantPooled  int `json:"relevant_pooled"`
	RelevantSampled int `json:"relevant_sampled"`
	// EstimatedRelevant is an unbiased estimate of the number of relevant chunks
	// in the corpus; nil when none of the others was judged.
	EstimatedRelevant *float64 `json:"estimated_relevant"`
	// Interval is the exact 95 % interval of EstimatedRelevant.
	Interval *[2]float64 `json:"estimated_relevant_interval"`
}

// ChunkAccuracy compares a list of chunks with the relevant ones.
//
// Precision is nil when the list is empty and nothing is relevant, and 0 when only
// the list is empty. Recall and F1 are nil when nothing is relevant. All three are
// nil when nothing could be judged.
type ChunkAccuracy struct {
	Precision *float64 `json:"precision"`
	Recall    *float64 `json:"recall"`
	F1        *float64 `json:"f1"`
	// PipelineChunks is the length of the list without repetitions.
	PipelineChunks     int `json:"pipeline_chunks"`
	RelevantInPipeline int `json:"relevant_in_pipeline"`
	// RecallInterval is set when the recall is estimated from a sample.
	RecallInterval *[2]float64 `json:"recall_interval,omitempty"`
}

// AverageAccuracy holds the means over the sub-questions that have a value; nil
// when none has.
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
	// OverallCompleteness and OverallFactualAccuracy are means over the
	// sub-questions that have a score; nil when none has.
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
	// CompletenessScore and FactualAccuracyScore are marks of the judge from 0 to 1: how
	// much of the ideal answer the answer has, and how much of what it says agrees with
	// that. What the answer adds lowers neither. They are nil when the sub-question was
	// skipped or failed.
	CompletenessScore           *float64 `json:"completeness_score"`
	FactualAccuracyScore        *float64 `json:"factual_accuracy_score"`
	Comments                    string   `json:"comments"`
	GroundTruthGenerationTimeMS int64    `json:"ground_truth_generation_time_ms"`
	ComparisonTimeMS            int64    `json:"comparison_time_ms"`
	// Skipped says why there is nothing to compare; "" if there is.
	Skipped string `json:"skipped,omitempty"`
}

// A Loss is a stage that lost relevant chunks, or their content.
type Loss struct {
	SubQuestionIndex int `json:"sub_question_index"`
	// Stage is one of assay.LossStages.
	Stage    string `json:"stage"`
	Evidence string `json:"evidence"`
}

// A DimensionError says why something is missing.
type DimensionError struct {
	Dimension Dimension `json:"dimension"`
	Message   string    `json:"message"`
}

// EvaluationTiming holds the durations of the dimensions; 0 for those that were
// not evaluated.
type EvaluationTiming struct {
	AudioEvaluationTimeMS        int64 `json:"audio_evaluation_time_ms"`
	KeyQuestionsEvaluationTimeMS int64 `json:"key_questions_evaluation_time_ms"`
	ChunkEvaluationTimeMS        int64 `json:"chunk_evaluation_time_ms"`
	ResponseEvaluationTimeMS     int64 `json:"response_evaluation_time_ms"`
	TotalEvaluationTimeMS        int64 `json:"total_evaluation_time_ms"`
}

// Provenance names what the scores of an evaluation depend on.
type Provenance struct {
	// Language is that of the prompts: "zh" or "en".
	Language string `json:"language"`
	// PromptHash changes when a prompt changes.
	PromptHash string `json:"prompt_hash"`
	// The evaluators are named as "provider:model".
	KeyQuestions []string `json:"key_questions_evaluators"`
	Chunk        string   `json:"chunk_evaluator"`
	Response     string   `json:"response_evaluator"`
	// Corpus is what the result's chunks were compared with; nil if the target does
	// not expose its chunks.
	Corpus *Corpus `json:"corpus,omitempty"`
}

// Truth is manual ground truth: the chunks that are relevant to sub-questions. It
// replaces the judge.
type Truth struct {
	PerSubQuestion []SubQuestionTruth `json:"per_sub_question"`
}

// SubQuestionTruth lists all chunks that are relevant to one sub-question. An
// empty list means that nothing is.
type SubQuestionTruth struct {
	SubQuestionIndex int        `json:"sub_question_index" minimum:"0"`
	RelevantChunks   []ChunkRef `json:"relevant_chunks"`
}
