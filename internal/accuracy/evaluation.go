package accuracy

import "time"

// An Evaluation says how good each stage of a [Result] was.
type Evaluation struct {
	EvaluationID string    `json:"evaluation_id" doc:"id of the evaluation" example:"0197f0c3-11aa-7f00-9c3d-5e6f70819203"`
	ResultID     string    `json:"result_id" doc:"id of the result" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	CreatedAt    time.Time `json:"created_at" doc:"time when the evaluation began" example:"2026-03-02T09:30:00Z"`
	// Status is [Failed] when the key questions could not be marked, else
	// [Partial] when something else is missing, else [Completed].
	Status string `json:"status" enum:"completed,partial,failed" doc:"failed: no marks of key questions; partial: something else is missing"`
	// A dimension that was not asked for, does not apply, or failed without
	// leaving anything is nil.
	AudioEvaluation        *AudioEvaluation        `json:"audio_evaluation" doc:"transcript against its reference; null if there is none"`
	KeyQuestionsEvaluation *KeyQuestionsEvaluation `json:"key_questions_evaluation" doc:"marks of the key questions; null without any"`
	ChunkEvaluation        *ChunkEvaluation        `json:"chunk_evaluation" doc:"chunks against the relevant ones; null if not asked for"`
	ResponseEvaluation     *ResponseEvaluation     `json:"response_evaluation" doc:"answer against an ideal one; null if not asked for"`
	// Attribution says where relevant chunks were lost, by sub-question and stage.
	Attribution []Loss           `json:"attribution" nullable:"false" doc:"where relevant chunks were lost, by sub-question and stage"`
	Errors      []DimensionError `json:"errors" nullable:"false" doc:"why something is missing"`
	// ModelReplies counts the replies of the evaluators.
	ModelReplies ModelReplies `json:"model_replies" doc:"replies of the evaluators"`
	// Warnings say what the models could not be asked for, as thinking.
	Warnings []string         `json:"warnings,omitempty" nullable:"false" doc:"what a reader should know" example:"the judges are far apart"`
	Timing   EvaluationTiming `json:"timing" doc:"durations of the dimensions"`
	// Provenance names what the scores depend on besides the result.
	Provenance Provenance `json:"provenance" doc:"what the scores depend on besides the result"`
}

// AudioEvaluation compares the transcript with the reference. The top-level rates
// are those of Strict; the counts are of characters, as for CER.
type AudioEvaluation struct {
	Status string `json:"status" enum:"completed" doc:"always completed"`
	TranscriptErrors
	// Normalisation names the normalisation of both texts.
	Normalisation string `json:"normalisation" doc:"how both texts were normalised" example:"default 3"`
	// Strict distinguishes Traditional and Simplified Chinese, Folded does not.
	Strict TranscriptErrors `json:"strict" doc:"rates with Traditional and Simplified Chinese told apart; those of the top level"`
	Folded TranscriptErrors `json:"folded" doc:"rates with Traditional and Simplified Chinese as the same"`
	// NumbersLost are the numbers of the reference that the transcript lacks at their
	// place, as written; NumbersAdded are those that only the transcript has.
	NumbersLost  []string `json:"numbers_lost" nullable:"false" doc:"numbers that only the reference has, as written" example:"2021"`
	NumbersAdded []string `json:"numbers_added" nullable:"false" doc:"numbers that only the transcript has, as written" example:"2012"`
	// KeywordsSaid are the keywords that the reference has, KeywordsLost those of them
	// that the transcript lacks, with Traditional and Simplified Chinese told apart.
	KeywordsSaid []string `json:"keywords_said" nullable:"false" doc:"keywords that the reference has" example:"Basel,octopus|八達通"`
	KeywordsLost []string `json:"keywords_lost" nullable:"false" doc:"those of them that the transcript lacks" example:"Basel"`
}

// TranscriptErrors are error rates, 0 or more, and the counts of CER's
// alignment. A rate is nil when the reference is empty and the transcript is
// not.
type TranscriptErrors struct {
	CER *float64 `json:"cer" doc:"character error rate, from 0; null if only the reference is empty" example:"0.12"`
	WER *float64 `json:"wer" doc:"word error rate, from 0; null if only the reference is empty" example:"0.2"`
	// Mixer counts Chinese characters and the words of other scripts.
	Mixer *float64 `json:"mixer" doc:"error rate of Chinese characters and other words, from 0; null as cer" example:"0.15"`
	// NumberErrorRate compares numbers by value: (substituted + lost + added) /
	// numbers of the reference; nil when the reference has no number.
	NumberErrorRate *float64 `json:"number_error_rate" doc:"errors by numbers of the reference; null if it has none" example:"0.5"`
	// KeywordErrorRate is the share of the reference's keywords that the transcript
	// lost; nil when no keywords are given or the reference has none of them.
	KeywordErrorRate  *float64 `json:"keyword_error_rate" doc:"share of keywords_said that is lost; null if there are none" example:"0.25"`
	ReferenceLength   int      `json:"reference_length" doc:"characters of the reference" example:"25"`
	TranscribedLength int      `json:"transcribed_length" doc:"characters of the transcript" example:"24"`
	Substitutions     int      `json:"substitutions" doc:"wrong characters" example:"2"`
	Deletions         int      `json:"deletions" doc:"lost characters" example:"1"`
	Insertions        int      `json:"insertions" doc:"added characters" example:"0"`
	Hits              int      `json:"hits" doc:"right characters" example:"22"`
}

// KeyQuestionsEvaluation holds the marks of two judges, and their means.
type KeyQuestionsEvaluation struct {
	Evaluations   []Marks `json:"evaluations" nullable:"false" doc:"marks of the two judges"`
	AverageScores Scores  `json:"average_scores" doc:"means of the two judges, by dimension"`
	AverageTotal  float64 `json:"average_total" doc:"mean of the two totals, 0 to 100" example:"81.5"`
	// Disagreement compares the judges.
	Disagreement Disagreement `json:"disagreement" doc:"how far the judges are apart"`
}

// Disagreement is how far the judges of the key questions are apart.
type Disagreement struct {
	// TotalDifference is the difference of their totals, 0 to 100 points.
	TotalDifference float64 `json:"total_difference" doc:"difference of the totals, 0 to 100 points" example:"7"`
	// Bound is the difference up to which the judges count as agreeing.
	Bound float64 `json:"bound" doc:"difference up to which the judges agree, in points" example:"25"`
	// Flagged is set if the difference is larger: the mean is then that of two opinions,
	// and neither should be relied on unread.
	Flagged bool `json:"flagged" doc:"whether the difference is larger: the mean is then that of two opinions"`
}

// Marks are those of one judge.
type Marks struct {
	ModelName string `json:"model_name" doc:"model of the judge" example:"gpt-4.1"`
	Scores    Scores `json:"scores" doc:"points by dimension"`
	// TotalScore is the sum of the scores.
	TotalScore float64 `json:"total_score" doc:"sum of the points, 0 to 100" example:"83"`
	MaxScore   float64 `json:"max_score" doc:"the most points" example:"100"`
	Comments   string  `json:"comments" doc:"why the judge marks so" example:"complete, but the second question repeats the first"`
	// ThinkingTrace is the reasoning that the provider returns.
	ThinkingTrace string `json:"thinking_trace" doc:"reasoning that the provider returns; may be empty" example:"The first question asks …"`
	TimeMS        int64  `json:"time_ms" doc:"time of the judge in milliseconds" example:"2100"`
}

// Scores are points by dimension of the marking scheme.
type Scores struct {
	Accuracy     float64 `json:"dimension_1_準確性" minimum:"0" maximum:"40" doc:"points for accuracy" example:"34"`
	Completeness float64 `json:"dimension_2_完整性" minimum:"0" maximum:"25" doc:"points for completeness" example:"20"`
	Clarity      float64 `json:"dimension_3_清晰度" minimum:"0" maximum:"20" doc:"points for clarity" example:"17"`
	Conciseness  float64 `json:"dimension_4_簡潔性" minimum:"0" maximum:"15" doc:"points for conciseness" example:"12"`
}

// ChunkEvaluation compares the chunks of the pipeline with the relevant ones.
type ChunkEvaluation struct {
	// Status is [Partial] when a batch could not be judged, [Failed] when none
	// could.
	Status            string          `json:"status" enum:"completed,partial,failed" doc:"partial: some is not judged; failed: nothing is"`
	PerSubQuestion    []ChunkTruth    `json:"per_sub_question" nullable:"false" doc:"each sub-question, in order"`
	OverallUnfiltered AverageAccuracy `json:"overall_unfiltered" doc:"means of what was retrieved"`
	OverallFiltered   AverageAccuracy `json:"overall_filtered" doc:"means of what the filter kept"`
}

// ChunkTruth is the chunk evaluation of one sub-question.
type ChunkTruth struct {
	SubQuestionIndex   int           `json:"sub_question_index" doc:"number of the sub-question, from 0" example:"0"`
	SubQuestionText    string        `json:"sub_question_text" doc:"the sub-question" example:"Which river?"`
	GroundTruth        GroundTruth   `json:"ground_truth" doc:"the relevant chunks"`
	UnfilteredAccuracy ChunkAccuracy `json:"unfiltered_accuracy" doc:"what was retrieved against them"`
	FilteredAccuracy   ChunkAccuracy `json:"filtered_accuracy" doc:"what the filter kept against them"`
}

// GroundTruth names the relevant chunks, by the judge or by hand.
type GroundTruth struct {
	// RelevantDocuments are in the order of the corpus, as are RelevantChunks.
	RelevantDocuments   []string   `json:"relevant_documents" nullable:"false" doc:"ids of documents with a relevant chunk" example:"rhine.md"`
	RelevantChunks      []ChunkRef `json:"relevant_chunks" nullable:"false" doc:"the relevant chunks, in the order of the corpus"`
	TotalRelevantChunks int        `json:"total_relevant_chunks" doc:"number of relevant chunks" example:"3"`
	// Round2IncompleteBatches are the batches, from 0, that could not be judged.
	// Their chunks count as not relevant.
	Round2IncompleteBatches []int `json:"round_2_incomplete_batches" nullable:"false" doc:"batches, from 0, that failed" example:"[2]"`
	ChunkEvaluationTimeMS   int64 `json:"chunk_evaluation_time_ms" doc:"time of the judge in milliseconds" example:"5200"`
	// Suspicious is "all" or "none" if all or none of the judged chunks are
	// relevant; "" otherwise.
	Suspicious string `json:"suspicious,omitempty" enum:"all,none" doc:"set if all or none of the judged chunks are relevant"`
	// Source is "judge" or "manual".
	Source string `json:"source" enum:"judge,manual" doc:"who says what is relevant"`
	// Judged is the number of judged chunks, out of Corpus.
	Judged int `json:"judged_chunks" doc:"number of chunks that were judged; 0 if by hand" example:"240"`
	Corpus int `json:"corpus_chunks" doc:"number of chunks of the corpus" example:"240"`
	// Pool is set when only a part of the corpus was judged.
	Pool *PoolEstimate `json:"pool,omitempty" doc:"which part of the corpus was judged; absent if all of it"`
}

// A ChunkRef names a chunk.
type ChunkRef struct {
	DocumentID string `json:"document_id" doc:"id of the document" example:"rhine.md"`
	ChunkIndex int    `json:"chunk_index" doc:"position of the chunk in the document, from 0" example:"3"`
}

// PoolEstimate says which part of the corpus was judged, and estimates the rest.
type PoolEstimate struct {
	// Pooled is the number of chunks that the pipeline retrieved or kept, all of
	// which are judged. Sampled is the number of judged chunks from the others,
	// of which there are Rest.
	Pooled  int    `json:"pooled" doc:"judged chunks that the pipeline retrieved or kept" example:"12"`
	Sampled int    `json:"sampled" doc:"judged chunks out of the others" example:"100"`
	Rest    int    `json:"rest" doc:"number of these others" example:"4000"`
	Seed    uint64 `json:"seed" doc:"seed of the sample" example:"7"`
	// RelevantPooled and RelevantSampled are the numbers of relevant chunks in each.
	RelevantPooled  int `json:"relevant_pooled" doc:"relevant chunks of pooled" example:"3"`
	RelevantSampled int `json:"relevant_sampled" doc:"relevant chunks of sampled" example:"1"`
	// EstimatedRelevant is an unbiased estimate of the number of relevant chunks
	// in the corpus; nil when none of the others was judged.
	EstimatedRelevant *float64 `json:"estimated_relevant" doc:"estimated relevant chunks of the corpus; null if not known" example:"43"`
	// Interval is the exact 95 % interval of EstimatedRelevant.
	Interval *[2]float64 `json:"estimated_relevant_interval" doc:"95 % interval of the estimate; null without one" example:"[4, 215]"`
}

// ChunkAccuracy compares a list of chunks with the relevant ones.
//
// Precision is nil when the list is empty and nothing is relevant, and 0 when only
// the list is empty. Recall and F1 are nil when nothing is relevant. All three are
// nil when nothing could be judged.
type ChunkAccuracy struct {
	Precision *float64 `json:"precision" doc:"share of the list that is relevant; null if it is not known" example:"0.6"`
	Recall    *float64 `json:"recall" doc:"share of the relevant chunks in the list; null if none is relevant" example:"1"`
	F1        *float64 `json:"f1" doc:"harmonic mean of both; null if none is relevant" example:"0.75"`
	// PipelineChunks is the length of the list without repetitions.
	PipelineChunks     int `json:"pipeline_chunks" doc:"length of the list without repetitions" example:"5"`
	RelevantInPipeline int `json:"relevant_in_pipeline" doc:"relevant chunks in the list" example:"3"`
	// RecallInterval is set when the recall is estimated from a sample.
	RecallInterval *[2]float64 `json:"recall_interval,omitempty" nullable:"false" doc:"interval of an estimated recall" example:"[0.2, 1]"`
}

// AverageAccuracy holds the means over the sub-questions that have a value; nil
// when none has.
type AverageAccuracy struct {
	AvgPrecision *float64 `json:"avg_precision" doc:"mean precision over the sub-questions with a value; null if none has" example:"0.6"`
	AvgRecall    *float64 `json:"avg_recall" doc:"mean recall over the sub-questions with a value; null if none has" example:"1"`
	AvgF1        *float64 `json:"avg_f1" doc:"mean F1 over the sub-questions with a value; null if none has" example:"0.75"`
}

// ResponseEvaluation compares the answer with an ideal one.
type ResponseEvaluation struct {
	// Status is [Partial] when a sub-question failed or its chunks are unknown, [Failed]
	// when all failed, and [Skipped] when there was nothing to compare.
	Status         string          `json:"status" enum:"completed,partial,failed,skipped" doc:"skipped: nothing to compare; failed: all failed"`
	PerSubQuestion []ResponseTruth `json:"per_sub_question" nullable:"false" doc:"each sub-question, in order"`
	// OverallCompleteness and OverallFactualAccuracy are means over the
	// sub-questions that have a score; nil when none has.
	OverallCompleteness    *float64 `json:"overall_completeness" doc:"mean over those with a score; null if none has" example:"0.9"`
	OverallFactualAccuracy *float64 `json:"overall_factual_accuracy" doc:"mean over those with a score; null if none has" example:"1"`
}

// ResponseTruth is the response evaluation of one sub-question.
type ResponseTruth struct {
	SubQuestionIndex int    `json:"sub_question_index" doc:"number of the sub-question, from 0" example:"0"`
	SubQuestionText  string `json:"sub_question_text" doc:"the sub-question" example:"Which river?"`
	// GroundTruthResponse is the ideal answer, from the relevant chunks only.
	GroundTruthResponse     string `json:"ground_truth_response" doc:"ideal answer; empty if skipped" example:"The Rhine."`
	PipelineResponseSection string `json:"pipeline_response_section" doc:"part of the answer that is compared" example:"The Rhine."`
	// CompletenessScore and FactualAccuracyScore are levels of the judge, one of 0, 0.25,
	// 0.5, 0.75 and 1: how much of the ideal answer the answer has, and how much of what it
	// says agrees with that. What the answer adds lowers neither. They are nil when the
	// sub-question was skipped or failed, FactualAccuracyScore also when the answer declines.
	CompletenessScore           *float64 `json:"completeness_score" doc:"share of the ideal answer that it has; null without" example:"0.75"`
	FactualAccuracyScore        *float64 `json:"factual_accuracy_score" doc:"share that agrees with the ideal one; null without, and when it declines" example:"1"`
	Comments                    string   `json:"comments" doc:"why the judge scores so" example:"names the river"`
	GroundTruthGenerationTimeMS int64    `json:"ground_truth_generation_time_ms" doc:"time of the ideal answer in milliseconds" example:"1400"`
	ComparisonTimeMS            int64    `json:"comparison_time_ms" doc:"time of the comparison in milliseconds" example:"1100"`
	// Skipped says why there is nothing to compare; "" if there is.
	Skipped string `json:"skipped,omitempty" doc:"why there is nothing to compare; absent if there is" example:"no chunk is relevant"`
}

// A Loss is a stage that lost relevant chunks, or their content.
type Loss struct {
	SubQuestionIndex int `json:"sub_question_index" doc:"number of the sub-question, from 0" example:"0"`
	// Stage is one of assay.LossStages.
	Stage    string `json:"stage" enum:"not_in_index,transcribe,decompose,retrieve,filter,pack,generate,present" doc:"stage that lost it"`
	Evidence string `json:"evidence" doc:"what was lost" example:"1 of 3 relevant chunks not retrieved: rhine.md#3"`
}

// A DimensionError says why something is missing.
type DimensionError struct {
	Dimension Dimension `json:"dimension" enum:"audio,key_questions,chunks,response" doc:"dimension of which something is missing"`
	Message   string    `json:"message" doc:"why it is missing" example:"sub-question 0: 1 of 3 batches could not be judged"`
}

// EvaluationTiming holds the durations of the dimensions; 0 for those that were
// not evaluated.
type EvaluationTiming struct {
	AudioEvaluationTimeMS        int64 `json:"audio_evaluation_time_ms" doc:"audio in milliseconds; 0 if not evaluated" example:"3"`
	KeyQuestionsEvaluationTimeMS int64 `json:"key_questions_evaluation_time_ms" doc:"key questions in milliseconds; 0 if none" example:"2300"`
	ChunkEvaluationTimeMS        int64 `json:"chunk_evaluation_time_ms" doc:"chunks in milliseconds; 0 if not evaluated" example:"5200"`
	ResponseEvaluationTimeMS     int64 `json:"response_evaluation_time_ms" doc:"response in milliseconds; 0 if not evaluated" example:"2600"`
	TotalEvaluationTimeMS        int64 `json:"total_evaluation_time_ms" doc:"the whole evaluation in milliseconds" example:"7900"`
}

// Provenance names what the scores of an evaluation depend on.
type Provenance struct {
	// Language is that of the prompts: "zh" or "en".
	Language string `json:"language" enum:"zh,en" doc:"language of the prompts"`
	// PromptHash changes when a prompt changes.
	PromptHash string `json:"prompt_hash" doc:"fingerprint of the evaluators' prompts" example:"sha256:9f86d081"`
	// The evaluators are named as "provider:model".
	KeyQuestions []string `json:"key_questions_evaluators" nullable:"false" doc:"judges of the key questions" example:"openai:gpt-4.1"`
	Chunk        string   `json:"chunk_evaluator" doc:"judge of the chunks; empty if none was asked" example:"openai:gpt-4.1"`
	Response     string   `json:"response_evaluator" doc:"judge of the answer; empty if none was asked" example:"openai:gpt-4.1"`
	// Corpus is what the result's chunks were compared with; nil if the target does
	// not expose its chunks.
	Corpus *Corpus `json:"corpus,omitempty" doc:"chunks that the result was compared with; absent if the target does not show its own"`
}

// Truth is manual ground truth: the chunks that are relevant to sub-questions. It
// replaces the judge.
type Truth struct {
	PerSubQuestion []SubQuestionTruth `json:"per_sub_question" nullable:"false" doc:"sub-questions whose relevant chunks are known"`
}

// SubQuestionTruth lists all chunks that are relevant to one sub-question. An
// empty list means that nothing is.
type SubQuestionTruth struct {
	SubQuestionIndex int        `json:"sub_question_index" minimum:"0" doc:"number of the sub-question, from 0" example:"0"`
	RelevantChunks   []ChunkRef `json:"relevant_chunks" nullable:"false" doc:"all its relevant chunks; an empty list means that nothing is"`
}
