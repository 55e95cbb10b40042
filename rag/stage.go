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

// MaxSubQuestions is the maximum number of sub-questions.
const MaxSubQuestions = 5

// A Decomposer splits a question into key questions: 1 to [MaxSubQuestions], none
// blank. It is safe for concurrent use.
type Decomposer interface {
	Decompose(ctx context.Context, t Turn, question string) ([]string, Step, error)
	// Identity changes whenever the questions might.
	Identity() string
}

// A Filter rates the relevance of each passage to a sub-question, 0 to 10, in their
// order; with [Config.Keep] any scale will do. It is safe for concurrent use.
type Filter interface {
	Relevance(ctx context.Context, t Turn, question string, passages []assay.Passage) ([]float64, Step, error)
	// Identity changes whenever the relevance might.
	Identity() string
}

// An Answerer answers a question from the passages for its sub-questions, cited as [n]
// by their numbers. It is safe for concurrent use.
type Answerer interface {
	Answer(ctx context.Context, t Turn, sections []Section) (Answered, Step, error)
	// Identity changes whenever the answers might.
	Identity() string
}

// A Turn is the context of a stage's call.
type Turn struct {
	// Question is the complete question, as asked or transcribed.
	Question string
	Profile  profile.Profile
	// Draw is the case's draw, so that each draw gets replies of its own.
	Draw int
}

// A Step describes how a stage produced its output.
type Step struct {
	// Prompt is the exact prompt; "" if no model was asked.
	Prompt string
	Note   string
	Usage  assay.Usage
}

// A Section is a sub-question with its passages.
type Section struct {
	Question string
	Passages []Numbered
}

// A Numbered passage has the number used in citations: its position in the response,
// from 1.
type Numbered struct {
	N int
	assay.Passage
}

// Answered is the result of an [Answerer].
type Answered struct {
	Text string
	// Given are the numbers of the passages in the prompt; the others did not fit.
	Given []int
	// Stop is why the model's reply ended, as in [llm.Reply].
	Stop string
}

// A StageError is the failure of a stage, which leaves no response. The engine reads it
// through its methods.
type StageError struct {
	// Stage is one of the assay.Stage… constants, SubQuestion counts from 1; 0 means
	// none.
	Stage       string
	SubQuestion int
	Err         error
}

// Error returns the stage, the sub-question and the cause.
func (e *StageError) Error() string {
	if e.SubQuestion > 0 {
		return fmt.Sprintf("%s, sub-question %d: %v", e.Stage, e.SubQuestion, e.Err)
	}
	return e.Stage + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *StageError) Unwrap() error { return e.Err }

// Failure returns the error in the form that a record stores: "timeout", "reply" if a
// reply is unusable, else "error".
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

// Retry reports whether a retry may help, and the minimum wait: according to the cause
// if it says so, else true. It is false for an unusable reply, since the ledger would
// return the same one.
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

// A replyError is a failure that a retry would repeat: an unusable reply, or a prompt
// that cannot be built.
type replyError struct{ err error }

func (e *replyError) Error() string { return e.err.Error() }
func (e *replyError) Unwrap() error { return e.err }

// lasting returns a replyError.
func lasting(format string, args ...any) error { return &replyError{fmt.Errorf(format, args...)} }
