package accuracy

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// Options say what is evaluated and by which models. Now, Sleep and the models of
// the evaluated dimensions are required.
type Options struct {
	// Dimensions are those that are evaluated; none means all.
	Dimensions []Dimension
	// KeyQuestions are the two judges of the key questions. They are asked at
	// the same time. The same model twice needs two draws.
	KeyQuestions []Model
	// Chunk rules on the relevance of chunks. Response writes the ideal answer
	// and compares.
	Chunk, Response Model
	// Chunks yields every chunk of the corpus, in order; nil when the target
	// does not expose them.
	Chunks iter.Seq[assay.Passage]
	// Corpus identifies Chunks; nil if unknown. If the result is of another corpus,
	// the evaluation says so and is [Partial].
	Corpus *Corpus
	// Truth is manual ground truth. It replaces Chunk for the sub-questions that
	// it covers. nil means none.
	Truth *Truth
	// Pool judges a part of the corpus; nil judges all of it.
	Pool *Pool
	// MaxDisagreement is that of [Config].
	MaxDisagreement *float64
	// Keywords replace those of the result's input; nil keeps them.
	Keywords []string
	// Language is that of the prompts; "" means that of the input.
	Language judge.Language
	// Describe adds to the metadata of a chunk, as in [About].
	Describe func(p assay.Passage, m *Metadata)

	EvaluationID string
	Now          func() time.Time
	// Sleep waits for d or until ctx is done, and then returns ctx's error.
	Sleep func(ctx context.Context, d time.Duration) error
	// Timeout bounds a call; 0 means 120 s.
	Timeout time.Duration
}

// Has reports whether a dimension is evaluated.
func (o Options) Has(d Dimension) bool {
	return len(o.Dimensions) == 0 || slices.Contains(o.Dimensions, d)
}

// keywords returns the keywords that the transcript of a result should have.
func (o Options) keywords(r *Result) []string {
	if o.Keywords != nil {
		return o.Keywords
	}
	return r.Input.Keywords
}

// An evaluator is one evaluation in progress.
type evaluator struct {
	Options
	result *Result
	corpus *corpus
	// alone is why only the chunks of the result count, if Chunks is nil.
	alone string
	// errors are those of the chunks and of the response, in this order.
	errors []DimensionError
}

// Evaluate says how good each stage was. A dimension that fails does not affect
// the others; the evaluation holds the reason. The error is that of ctx.
//
// The same options give the same scores for the same result if the models keep
// their calls in a ledger: see [llm.Client].
func Evaluate(ctx context.Context, r Result, o Options) (Evaluation, error) {
	if o.Language == "" {
		o.Language = judge.LanguageOf(r.Input.Text)
	}
	if o.Timeout <= 0 {
		o.Timeout = 120 * time.Second
	}
	e := &evaluator{Options: o, result: &r}
	began := o.Now()
	meter := &judge.Meter{}
	ctx = judge.WithMeter(ctx, meter)
	out := Evaluation{
		EvaluationID: o.EvaluationID, ResultID: r.ResultID, CreatedAt: began.UTC(), Status: Completed,
		Attribution: []Loss{}, Errors: []DimensionError{},
		Provenance: Provenance{Language: string(o.Language), PromptHash: PromptHash(), KeyQuestions: []string{}},
	}
	if o.Has(Audio) && r.Input.ReferenceTranscript != nil && r.InputType == AudioInput {
		out.AudioEvaluation = audio(*r.Input.ReferenceTranscript, r.Input.Text, o.keywords(&r))
		out.Timing.AudioEvaluationTimeMS = e.since(began)
	}
	// The key questions do not depend on the chunks.
	marked := make(chan error, 1)
	go func() {
		var err error
		if o.Has(KeyQuestions) {
			began := o.Now()
			out.KeyQuestionsEvaluation, err = e.keyQuestions(ctx)
			out.Timing.KeyQuestionsEvaluationTimeMS = e.since(began)
		}
		marked <- err
	}()
	e.chunksAndResponse(ctx, &out)
	out.Provenance.Corpus = e.Options.Corpus
	if err := <-marked; err != nil {
		out.Status = Failed
		out.Errors = append(out.Errors, DimensionError{KeyQuestions, err.Error()})
	}
	if ctx.Err() != nil {
		return Evaluation{}, context.Cause(ctx)
	}
	if o.Has(KeyQuestions) {
		for _, m := range o.KeyQuestions {
			out.Provenance.KeyQuestions = append(out.Provenance.KeyQuestions, m.identity())
		}
	}
	if len(e.errors) > 0 && out.Status == Completed {
		out.Status = Partial
	}
	out.Errors = append(out.Errors, e.errors...)
	_, out.Warnings = meter.Total()
	if k := out.KeyQuestionsEvaluation; k != nil && k.Disagreement.Flagged {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the judges of the key questions are %.4g points of 100 apart, more than %.4g: "+
			"read both before relying on the mean", k.Disagreement.TotalDifference, k.Disagreement.Bound))
	}
	out.Timing.TotalEvaluationTimeMS = e.since(began)
	return out, nil
}

// chunksAndResponse evaluates the chunks, and the response, which needs the
// relevant chunks.
func (e *evaluator) chunksAndResponse(ctx context.Context, out *Evaluation) {
	if !e.Has(Chunks) && !e.Has(Response) {
		return
	}
	began := e.Now()
	e.gather()
	chunks, lost := e.chunks(ctx)
	if chunks == nil {
		return
	}
	if e.Has(Chunks) {
		out.ChunkEvaluation = chunks
		out.Timing.ChunkEvaluationTimeMS = e.since(began)
		byModel := func(t ChunkTruth) bool { return t.GroundTruth.Source == byJudge }
		if e.Truth == nil || slices.ContainsFunc(chunks.PerSubQuestion, byModel) {
			out.Provenance.Chunk = e.Chunk.identity()
		}
	}
	if e.Has(Response) {
		began = e.Now()
		out.Provenance.Response = e.Options.Response.identity()
		out.ResponseEvaluation = e.responses(ctx, chunks)
		out.Timing.ResponseEvaluationTimeMS = e.since(began)
	}
	if e.Has(Chunks) {
		for i, t := range chunks.PerSubQuestion {
			var complete *float64
			if out.ResponseEvaluation != nil {
				complete = out.ResponseEvaluation.PerSubQuestion[i].CompletenessScore
			}
			out.Attribution = append(out.Attribution, e.losses(t, lost[i], complete)...)
		}
	}
}

// failed keeps the reason why something is missing.
func (e *evaluator) failed(d Dimension, err error) {
	e.errors = append(e.errors, DimensionError{d, err.Error()})
}

// since is the time from began to now in ms.
func (e *evaluator) since(began time.Time) int64 { return max(0, e.Now().Sub(began).Milliseconds()) }

// mean is that of the known values; nil when there is none.
func mean(values []*float64) *float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if v != nil {
			sum += *v
			n++
		}
	}
	if n == 0 {
		return nil
	}
	sum /= float64(n)
	return &sum
}
