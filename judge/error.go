package judge

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
)

// An Error is a question without a readable answer of the judge. It never becomes a score.
type Error struct {
	// Operation is the question: "support".
	Operation string
	// Message says what is wrong and what would have been right.
	Message string
	// Raw is the text of the last reply, "" if there was none.
	Raw string
	Err error
}

// Error returns the operation, what is wrong and the beginning of the reply.
func (e *Error) Error() string {
	s := "judge: " + e.Operation + ": " + e.Message
	if e.Raw != "" {
		s += fmt.Sprintf("; the reply: %q", text.Shorten(e.Raw, 300))
	}
	return s
}

// Unwrap returns the cause, such as an error of the provider.
func (e *Error) Unwrap() error { return e.Err }

// A FatalError ends a run: the key is refused, the model does not exist, the budget is
// spent, the ledger cannot be written. Earlier judgements are kept.
type FatalError struct{ Err error }

// Error returns the message of the cause.
func (e *FatalError) Error() string { return "judge: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *FatalError) Unwrap() error { return e.Err }

// Fatal reports whether err ends the run: further questions would fail too.
func Fatal(err error) bool {
	var f *FatalError
	return errors.As(err, &f)
}

// A DeclinedError is a question that a judge does not answer, by rule and not by failure:
// its rulings would not be worth reading. Metrics that read the answer are not measured.
type DeclinedError struct{ Reason string }

// Error returns the reason.
func (e *DeclinedError) Error() string { return e.Reason }

// GivesUp counts a task that stays unanswered, unless the run is ending, and returns its
// error.
func GivesUp(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !Fatal(err) {
		Count(ctx, assay.Spending{Failed: 1})
	}
	return err
}

// Over reports whether err ends the run, not only this task.
func Over(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || Fatal(err))
}

// Reason is the message of an error, without the reply.
func Reason(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
