package accuracy

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// Options say what is evaluated and by whom. Now and Sleep are required.
type Options struct {
	// Dimensions are those that are evaluated; nil is all.
	Dimensions []Dimension
	// KeyQuestions are the two judges of the key questions. They are asked at
	// the same time. Two that are the same model want different draws.
	KeyQuestions []Model
	// Chunk rules on the relevance of chunks, Response writes the ideal answer
	// and compares.
	Chunk, Response Model
	// Chunks yields every chunk of the corpus, in order; nil when the target
	// does not tell.
	Chunks iter.Seq[assay.Passage]
	// Truth is hand-made and used in the place of Chunk for the sub-questions
	// that it has; nil is none.
	Truth *Truth
	// Pool judges a part of the corpus; nil judges all of it.
	Pool *Pool
	// Language is that of the prompts; "" is that of the input.
	Language judge.Language
	// Describe adds to the metadata of a chunk, as in [About].
	Describe func(p assay.Passage, m *Metadata)

	// EvaluationID names the evaluation.
	EvaluationID string
	// Now tells the time.
	Now func() time.Time
	// Sleep waits for d or until ctx is done, and then returns ctx's error.
	Sleep func(ctx context.Context, d time.Duration) error
	// Concurrency is the most calls at once about chunks, and about responses;
	// below 1 it is 10.
	Concurrency int
	// Timeout bounds a call; 0 is 120 s.
	Timeout time.Duration
}

// Check says what is missing for the dimensions that are asked for.
func (o Options) Check() error {
	switch {
	case o.Now == nil || o.Sleep == nil:
		return errors.New("evaluation: want a clock and a way to wait")
	case o.has(KeyQuestions) && (len(o.KeyQuestions) != judges || slices.ContainsFunc(o.KeyQuestions, missing)):
		return fmt.Errorf("%s: %d judges: want %d", KeyQuestions, len(o.KeyQuestions), judges)
	case o.has(Chunks) && o.Truth == nil && missing(o.Chunk):
		return fmt.Errorf("%s: want a judge of chunks, or hand-made ground truth", Chunks)
	case o.has(Response) && missing(o.Response):
		return fmt.Errorf("%s: want a judge of responses", Response)
	case o.has(Response) && !o.has(Chunks) && o.Truth == nil:
		return fmt.Errorf("%s: needs %s, or hand-made ground truth", Response, Chunks)
	case o.Language != "" && o.Language != judge.English && o.Language != judge.Chinese:
		return fmt.Errorf("language %q: want %q or %q", o.Language, judge.Chinese, judge.English)
	case o.Pool != nil && o.Pool.Sample < 0:
		return fmt.Errorf("pool: a sample of %d: want 0 or more", o.Pool.Sample)
	}
	return nil
}

func missing(m Model) bool { return m.Provider == nil }

func (o Options) has(d Dimension) bool {
	return o.Dimensions == nil || slices.Contains(o.Dimensions, d)
}

// An evaluator is one evaluation that goes on.
type evaluator struct {
	Options
	result *Result

	mu     sync.Mutex
	errors []DimensionError
}

// Evaluate says how good each stage was. A dimension that fails leaves the
// others as they are; why it did is in the evaluation. An error is that of
// options that [Options.Check] refuses, or of ctx's end.
//
// The same result with the same options has the same scores when the models'
// calls are kept: see [llm.Client].
func Evaluate(ctx context.Context, r Result, o Options) (Evaluation, error) {
	if err := o.Check(); err != nil {
		return Evaluation{}, err
	}
	if o.Language == "" {
		o.Language = judge.LanguageOf(r.Input.Text)
	}
	if o.Concurrency < 1 {
		o.Concurrency = 10
	}
	if o.Timeout <= 0 {
		o.Timeout = 120 * time.Second
	}
	e := &evaluator{Options: o, result: &r}
	began := o.Now()
	out := Evaluation{
		EvaluationID: o.EvaluationID, ResultID: r.ResultID, CreatedAt: began.UTC(), Status: Completed, Attribution: []Loss{},
		Provenance: Provenance{Language: string(o.Language), PromptHash: PromptHash(), KeyQuestions: []string{}},
	}
	if o.has(Audio) && r.Input.ReferenceTranscript != nil && r.InputType == AudioInput {
		out.AudioEvaluation = audio(*r.Input.ReferenceTranscript, r.Input.Text)
		out.Timing.AudioEvaluationTimeMS = e.since(began)
	}
	// The key questions need nothing of the chunks, and the other way round.
	var both sync.WaitGroup
	if o.has(KeyQuestions) {
		for _, m := range o.KeyQuestions {
			out.Provenance.KeyQuestions = append(out.Provenance.KeyQuestions, m.identity())
		}
		both.Go(func() {
			began := o.Now()
			var err error
			if out.KeyQuestionsEvaluation, err = e.keyQuestions(ctx); err != nil {
				e.failed(KeyQuestions, err)
			}
			out.Timing.KeyQuestionsEvaluationTimeMS = e.since(began)
		})
	}
	both.Go(func() { e.chunksAndResponse(ctx, &out) })
	both.Wait()
	if ctx.Err() != nil {
		return Evaluation{}, context.Cause(ctx)
	}
	out.Attribution = append(out.Attribution, attribute(&r, out.ChunkEvaluation, out.ResponseEvaluation)...)
	out.Errors = e.inOrder()
	switch {
	case o.has(KeyQuestions) && out.KeyQuestionsEvaluation == nil:
		out.Status = Failed
	case len(out.Errors) > 0:
		out.Status = Partial
	}
	out.Timing.TotalEvaluationTimeMS = e.since(began)
	return out, nil
}

// chunksAndResponse evaluates the two dimensions of which one needs the other.
func (e *evaluator) chunksAndResponse(ctx context.Context, out *Evaluation) {
	if !e.has(Chunks) && !e.has(Response) {
		return
	}
	began := e.Now()
	// Hand-made truth serves the response alone, too.
	truth := e.chunks(ctx)
	if e.has(Chunks) {
		out.ChunkEvaluation = truth.evaluation
		out.Timing.ChunkEvaluationTimeMS = e.since(began)
		if e.Truth == nil || truth.judged {
			out.Provenance.Chunk = e.Chunk.identity()
		}
	}
	if e.has(Response) && ctx.Err() == nil {
		began = e.Now()
		out.Provenance.Response = e.Options.Response.identity()
		out.ResponseEvaluation = e.responses(ctx, truth)
		out.Timing.ResponseEvaluationTimeMS = e.since(began)
	}
}

// failed notes why something is missing.
func (e *evaluator) failed(d Dimension, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.errors = append(e.errors, DimensionError{d, err.Error()})
}

// inOrder gives what failed in the order of the dimensions, whatever ended
// first.
func (e *evaluator) inOrder() []DimensionError {
	out := []DimensionError{}
	for _, d := range Dimensions() {
		for _, f := range e.errors {
			if f.Dimension == d {
				out = append(out, f)
			}
		}
	}
	return out
}

// since is the time from began to now in ms.
func (e *evaluator) since(began time.Time) int64 { return max(0, e.Now().Sub(began).Milliseconds()) }

// mean is that of the values that are known; nil when none is.
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
