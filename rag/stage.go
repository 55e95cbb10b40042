package rag

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag/profile"
)

// MaxSubQuestions is the most that a decomposition gives.
const MaxSubQuestions = 5

// A Decomposer finds the key questions that a question is made of: 1 to
// [MaxSubQuestions], none blank. It is safe for concurrent use.
type Decomposer interface {
	Decompose(ctx context.Context, t Turn, question string) ([]string, Step, error)
	// Identity changes whenever the questions would.
	Identity() string
}

// A Filter says how relevant each passage is to a sub-question, 0 to 10, in
// their order. It is safe for concurrent use.
type Filter interface {
	Relevance(ctx context.Context, t Turn, question string, passages []assay.Passage) ([]float64, Step, error)
	// Identity changes whenever the relevance would.
	Identity() string
}

// An Answerer writes the answer to a question from the passages for its
// sub-questions, cited as [n] by their numbers. It is safe for concurrent use.
type Answerer interface {
	Answer(ctx context.Context, t Turn, sections []Section) (Answered, Step, error)
	// Identity changes whenever the answers would.
	Identity() string
}

// A Turn is what a stage works for, beside its input.
type Turn struct {
	// Question is the whole one, as it was asked or transcribed.
	Question string
	Profile  profile.Profile
	// Draw is the case's, so that each draw of it has replies of its own.
	Draw int
}

// A Step tells how a stage came to its output.
type Step struct {
	// Prompt is what a model was asked, exactly; "" when none was.
	Prompt string
	Note   string
	Usage  assay.Usage
}

// A Section is a sub-question with its passages.
type Section struct {
	Question string
	Passages []Numbered
}

// A Numbered passage has the number that citations give it: its place in the
// response, from 1.
type Numbered struct {
	N int
	assay.Passage
}

// Answered is what an [Answerer] wrote.
type Answered struct {
	Text string
	// Given are the numbers of the passages that it was given in the end; the
	// others did not fit.
	Given []int
}

// A StageError is a stage that failed, so that there is no response. The engine
// understands it through its methods.
type StageError struct {
	// Stage is one of the assay.Stage… constants, SubQuestion counts from 1; 0
	// is none.
	Stage       string
	SubQuestion int
	Err         error
}

// Error names the stage, the sub-question and what is wrong.
func (e *StageError) Error() string {
	if e.SubQuestion > 0 {
		return fmt.Sprintf("%s, sub-question %d: %v", e.Stage, e.SubQuestion, e.Err)
	}
	return e.Stage + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *StageError) Unwrap() error { return e.Err }

// Failure is the error as a record keeps it: "timeout", "reply" when what came
// back cannot be used, else "error".
func (e *StageError) Failure() assay.Failure {
	kind := "error"
	var call *llm.Error
	var reply *replyError
	switch {
	case errors.As(e.Err, &reply), errors.As(e.Err, &call) && (call.Kind == llm.KindReply || call.Kind == llm.KindRefused):
		kind = "reply"
	case errors.As(e.Err, &call) && call.Kind == llm.KindTimeout, errors.Is(e.Err, context.DeadlineExceeded):
		kind = "timeout"
	}
	return assay.Failure{Kind: kind, Message: e.Error()}
}

// Retry says whether another attempt may help, and the least time to wait: what
// the cause says of itself when it does, else it may. The ledger would give a
// reply that cannot be used again.
func (e *StageError) Retry() (after time.Duration, ok bool) {
	var call *llm.Error
	if errors.As(e.Err, &call) {
		return call.After, call.Temporary()
	}
	var other interface {
		Retry() (after time.Duration, ok bool)
	}
	if errors.As(e.Err, &other) {
		return other.Retry()
	}
	var temporary interface{ Temporary() bool }
	if errors.As(e.Err, &temporary) {
		return 0, temporary.Temporary()
	}
	var lasting *replyError
	return 0, !errors.As(e.Err, &lasting)
}

// A replyError is a stage that will give the same again: a reply that cannot be
// used, or a prompt that cannot be made.
type replyError struct{ err error }

func (e *replyError) Error() string { return e.err.Error() }
func (e *replyError) Unwrap() error { return e.err }

// lasting makes a replyError.
func lasting(format string, args ...any) error { return &replyError{fmt.Errorf(format, args...)} }
