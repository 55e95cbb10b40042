package accuracy

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/assay-eval/assay/stats"
)

// NotEvaluated is the status of a [Member] without an evaluation.
const NotEvaluated = "not_evaluated"

// A Member is what a batch knows of one result.
type Member struct {
	ResultID string `json:"result_id" doc:"id of the result" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
	// EvaluationID is "" if there is no evaluation.
	EvaluationID string `json:"evaluation_id,omitempty" doc:"id of its evaluation" example:"0197f0c3-11aa-7f00-9c3d-5e6f70819203"`
	// Status is that of the evaluation, or NotEvaluated.
	Status string `json:"status" enum:"completed,partial,failed,not_evaluated" doc:"status of its evaluation" example:"completed"`
	// Reason says why there is no evaluation; "" if there is one.
	Reason string `json:"reason,omitempty" doc:"why there is no evaluation" example:"no such result"`
	// Errors say why something is missing of the evaluation.
	Errors []DimensionError `json:"errors" nullable:"false" doc:"why something is missing of the evaluation"`
	// Question identifies the question; "" if the result could not be read.
	Question string `json:"question_hash,omitempty" doc:"same for results of the same question" example:"9f86d081884c7d65"`
	// Values maps the names of quantities to those that have a value.
	Values map[string]float64 `json:"values" nullable:"false" doc:"its numbers, by path" example:"{\"audio_evaluation.cer\": 0.12}"`
}

// A Mean is the mean of one quantity over the evaluations of a batch. N, Failed and
// NotApplicable add up to the members.
type Mean struct {
	Metric    string    `json:"metric" doc:"path of the number in an evaluation" example:"response_evaluation.overall_completeness"`
	Dimension Dimension `json:"dimension" enum:"audio,key_questions,chunks,response" doc:"dimension of the number" example:"chunks"`
	Mean      *float64  `json:"mean" doc:"mean over n evaluations; null if n is 0" example:"0.82"`
	// Interval is nil below [stats.Readable] values and where [stats.Mean] has none.
	Interval *[2]float64 `json:"interval" doc:"confidence interval of the mean; null if n is below 5" example:"[0.71, 0.9]"`
	// Bounds are nil if nothing failed, nothing is known or the quantity has no bounds.
	Bounds *[2]float64 `json:"bounds" doc:"means with failed values as 0 and as the most; null if none failed" example:"[0.8, 0.83]"`
	Level  float64     `json:"level" doc:"confidence level of the interval" example:"0.95"`
	N      int         `json:"n" doc:"evaluations with a value" example:"197"`
	Failed int         `json:"failed" doc:"results without a value because something failed" example:"3"`
	// NotApplicable counts what has nothing to measure, as a transcript of a text question.
	NotApplicable int `json:"not_applicable" doc:"evaluations with nothing to measure" example:"0"`
}

// A Failure counts the members that something is missing of for one reason.
type Failure struct {
	// Dimension is "" if there is no evaluation.
	Dimension Dimension `json:"dimension,omitempty" enum:"audio,key_questions,chunks,response" doc:"what is missing; absent: all"`
	Reason    string    `json:"reason" doc:"why it is missing" example:"no such result"`
	Count     int       `json:"count" doc:"results of which it is missing" example:"3"`
	ResultIDs []string  `json:"result_ids" nullable:"false" doc:"at most 5 of these results" example:"0197f0c2-5a3b-7c1d-8e4f-0a1b2c3d4e5f"`
}

// A Batch summarises the evaluations of many results.
type Batch struct {
	Results      int `json:"results" doc:"results in the summary" example:"200"`
	Completed    int `json:"completed" doc:"evaluations with nothing missing" example:"190"`
	Partial      int `json:"partial" doc:"evaluations of which something is missing" example:"6"`
	Failed       int `json:"failed" doc:"evaluations whose key questions could not be marked" example:"1"`
	NotEvaluated int `json:"not_evaluated" doc:"results that could not be evaluated" example:"3"`
	// Metrics are in the order of quantities.
	Metrics  []Mean    `json:"metrics" nullable:"false" doc:"means of each number of the dimensions that were asked for"`
	Failures []Failure `json:"failures" nullable:"false" doc:"why something is missing, the most frequent first, at most 50"`
	// OtherFailures counts what Failures leaves out.
	OtherFailures int `json:"other_failures" doc:"how much is missing for other reasons than these 50" example:"0"`
}

// batchLevel is the confidence level of a batch's intervals, that of reports by default.
const batchLevel = 0.95

// The most reasons of failure in a batch, and the most results named with each.
const (
	maxReasons  = 50
	maxExamples = 5
)

// A quantity is a number of an evaluation.
type quantity struct {
	// name is its path in the JSON of an evaluation.
	name      string
	dimension Dimension
	// most bounds it, from 0; 0 if nothing does.
	most float64
	// of returns nil if the evaluation has no value.
	of func(*Evaluation) *float64
}

// quantities are the numbers that a batch takes the means of.
var quantities = slices.Concat(
	[]quantity{
		heard("cer", func(t TranscriptErrors) *float64 { return t.CER }),
		heard("wer", func(t TranscriptErrors) *float64 { return t.WER }),
		heard("mixer", func(t TranscriptErrors) *float64 { return t.Mixer }),
		heard("number_error_rate", func(t TranscriptErrors) *float64 { return t.NumberErrorRate }),
		heard("keyword_error_rate", func(t TranscriptErrors) *float64 { return t.KeywordErrorRate }),
		marked("average_total", 100, func(k *KeyQuestionsEvaluation) float64 { return k.AverageTotal }),
		marked("average_scores.dimension_1_準確性", 40, func(k *KeyQuestionsEvaluation) float64 { return k.AverageScores.Accuracy }),
		marked("average_scores.dimension_2_完整性", 25, func(k *KeyQuestionsEvaluation) float64 { return k.AverageScores.Completeness }),
		marked("average_scores.dimension_3_清晰度", 20, func(k *KeyQuestionsEvaluation) float64 { return k.AverageScores.Clarity }),
		marked("average_scores.dimension_4_簡潔性", 15, func(k *KeyQuestionsEvaluation) float64 { return k.AverageScores.Conciseness }),
	},
	overlaps("overall_unfiltered", func(c *ChunkEvaluation) AverageAccuracy { return c.OverallUnfiltered }),
	overlaps("overall_filtered", func(c *ChunkEvaluation) AverageAccuracy { return c.OverallFiltered }),
	[]quantity{
		compared("overall_completeness", func(r *ResponseEvaluation) *float64 { return r.OverallCompleteness }),
		compared("overall_factual_accuracy", func(r *ResponseEvaluation) *float64 { return r.OverallFactualAccuracy }),
	},
)

func heard(name string, of func(TranscriptErrors) *float64) quantity {
	return quantity{"audio_evaluation." + name, Audio, 0, func(e *Evaluation) *float64 {
		if e.AudioEvaluation == nil {
			return nil
		}
		return of(e.AudioEvaluation.TranscriptErrors)
	}}
}

func marked(name string, most float64, of func(*KeyQuestionsEvaluation) float64) quantity {
	return quantity{"key_questions_evaluation." + name, KeyQuestions, most, func(e *Evaluation) *float64 {
		if e.KeyQuestionsEvaluation == nil {
			return nil
		}
		v := of(e.KeyQuestionsEvaluation)
		return &v
	}}
}

func overlaps(part string, of func(*ChunkEvaluation) AverageAccuracy) (out []quantity) {
	for _, rate := range []struct {
		name string
		of   func(AverageAccuracy) *float64
	}{
		{"avg_precision", func(a AverageAccuracy) *float64 { return a.AvgPrecision }},
		{"avg_recall", func(a AverageAccuracy) *float64 { return a.AvgRecall }},
		{"avg_f1", func(a AverageAccuracy) *float64 { return a.AvgF1 }},
	} {
		out = append(out, quantity{"chunk_evaluation." + part + "." + rate.name, Chunks, 1, func(e *Evaluation) *float64 {
			if e.ChunkEvaluation == nil {
				return nil
			}
			return rate.of(of(e.ChunkEvaluation))
		}})
	}
	return out
}

func compared(name string, of func(*ResponseEvaluation) *float64) quantity {
	return quantity{"response_evaluation." + name, Response, 1, func(e *Evaluation) *float64 {
		if e.ResponseEvaluation == nil {
			return nil
		}
		return of(e.ResponseEvaluation)
	}}
}

// MemberOf returns what a batch keeps of the evaluation of a result.
func MemberOf(e *Evaluation, r *Result) Member {
	sum := sha256.Sum256([]byte(r.Input.Text))
	m := Member{
		ResultID: e.ResultID, EvaluationID: e.EvaluationID, Status: e.Status, Errors: e.Errors, Question: hex.EncodeToString(sum[:8]),
		Values: map[string]float64{},
	}
	for _, q := range quantities {
		if v := q.of(e); v != nil {
			m.Values[q.name] = *v
		}
	}
	return m
}

// Missed is a result that could not be evaluated.
func Missed(resultID, reason string) Member {
	return Member{ResultID: resultID, Status: NotEvaluated, Reason: reason, Errors: []DimensionError{}, Values: map[string]float64{}}
}

// lacks reports whether something failed that a quantity needs.
func (m *Member) lacks(q quantity) bool {
	return m.Status == NotEvaluated || slices.ContainsFunc(m.Errors, func(e DimensionError) bool {
		// Without the relevant chunks there is no response to compare with.
		return e.Dimension == q.dimension || q.dimension == Response && e.Dimension == Chunks
	})
}

// Summarise summarises the members of a batch for the dimensions, of which none means
// all. Evaluations of the same question are not independent: they are one cluster of the
// intervals.
func Summarise(members []Member, dimensions []Dimension) Batch {
	results := map[string]int{}
	for _, m := range members {
		results[m.Question]++
	}
	cluster := func(m *Member) string {
		if results[m.Question] < 2 {
			return ""
		}
		return m.Question
	}
	b := Batch{Results: len(members), Metrics: []Mean{}}
	for _, m := range members {
		switch m.Status {
		case Completed:
			b.Completed++
		case Partial:
			b.Partial++
		case Failed:
			b.Failed++
		default:
			b.NotEvaluated++
		}
	}
	asked := Options{Dimensions: dimensions}
	for _, q := range quantities {
		if asked.Has(q.dimension) {
			b.Metrics = append(b.Metrics, q.mean(members, cluster))
		}
	}
	b.Failures, b.OtherFailures = reasons(members)
	return b
}

// mean is that of a quantity.
func (q quantity) mean(members []Member, cluster func(*Member) string) Mean {
	out := Mean{Metric: q.name, Dimension: q.dimension, Level: batchLevel}
	var samples []stats.Sample
	for i := range members {
		m := &members[i]
		switch v, ok := m.Values[q.name]; {
		case ok:
			samples = append(samples, stats.Sample{Value: v, Cluster: cluster(m)})
		case m.lacks(q):
			out.Failed++
		default:
			out.NotApplicable++
		}
	}
	e := stats.Mean(samples, batchLevel)
	out.N = e.N
	if e.N == 0 {
		return out
	}
	out.Mean = &e.Mean
	if e.CI != nil && e.N >= stats.Readable {
		ci := *e.CI
		if q.most > 0 {
			ci = ci.Clip(0, q.most)
		}
		out.Interval = &[2]float64{ci.Lo, ci.Hi}
	}
	if out.Failed > 0 && q.most > 0 {
		all := float64(e.N + out.Failed)
		low := e.Mean * float64(e.N) / all
		out.Bounds = &[2]float64{low, low + q.most*float64(out.Failed)/all}
	}
	return out
}

// reasons counts the errors of the members by dimension and text. A member counts once
// for each.
func reasons(members []Member) (out []Failure, others int) {
	out = []Failure{}
	at := map[DimensionError]int{}
	for _, m := range members {
		errs := m.Errors
		if m.Reason != "" {
			errs = append(slices.Clone(errs), DimensionError{Message: m.Reason})
		}
		for i, e := range errs {
			if slices.Contains(errs[:i], e) {
				continue
			}
			n, known := at[e]
			if !known {
				n = len(out)
				at[e] = n
				out = append(out, Failure{Dimension: e.Dimension, Reason: e.Message})
			}
			if out[n].Count++; len(out[n].ResultIDs) < maxExamples {
				out[n].ResultIDs = append(out[n].ResultIDs, m.ResultID)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Failure) int { return cmp.Compare(b.Count, a.Count) })
	for len(out) > maxReasons {
		others += out[len(out)-1].Count
		out = out[:len(out)-1]
	}
	return out, others
}
