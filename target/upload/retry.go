package upload

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-eval/assay/internal/backoff"
	"github.com/assay-eval/assay/target"
)

// try makes attempts until one succeeds, a retry cannot help, or the retries are used
// up. doubtful tells an attempt that an earlier one may have succeeded although it
// reported an error. Error texts are free of secrets.
func (u *upload) try(ctx context.Context, stream uint64, attempt func(ctx context.Context, doubtful bool) error) error {
	doubtful := false
	for n := 1; ; n++ {
		if u.limit != nil {
			if err := u.limit.Wait(u.startCtx); err != nil {
				return cmp.Or(ctx.Err(), u.startCtx.Err(), err)
			}
		}
		err := u.bounded(ctx, func(ctx context.Context) error { return attempt(ctx, doubtful) })
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		after, again := retry(err)
		if !again {
			return u.scrub(err)
		}
		if mayHaveWorked(err) {
			doubtful = true
			u.mu.Lock()
			u.doubtful = true
			u.mu.Unlock()
		}
		switch {
		case n > u.cfg.Retries:
			return u.scrub(err)
		case u.cfg.MaxWait > 0 && after > u.cfg.MaxWait:
			return u.scrub(&target.Error{Kind: target.Status, Err: fmt.Errorf("%w (it asks for a wait of %v; the maximum is %v)", err, after,
				u.cfg.MaxWait)})
		}
		wait := backoff.Jittered(backoff.Doubled(n), after, u.cfg.Seed, stream, n)
		if err := u.cfg.Sleep(u.startCtx, wait); err != nil || u.startCtx.Err() != nil {
			return cmp.Or(ctx.Err(), u.startCtx.Err(), err)
		}
	}
}

func (u *upload) bounded(ctx context.Context, attempt func(context.Context) error) error {
	if u.cfg.Timeout <= 0 {
		return attempt(ctx)
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, u.cfg.Timeout)
	defer cancel()
	err := attempt(ctx)
	if err != nil && outer.Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return target.Errorf(target.Timeout, "no response within %v", u.cfg.Timeout)
	}
	return err
}

// retry reports whether a retry may help, and the minimum wait.
func retry(err error) (after time.Duration, again bool) {
	var known *target.Error
	if !isTransient(err, &known) {
		return 0, false
	}
	// An unreadable reply is undecided: the next one may be readable.
	return known.After, known.Again || known.Kind == target.Reply
}

// isTransient reports whether an error is due to the system's present state rather than
// to this program, the user's settings or the document. known becomes the target's error.
func isTransient(err error, known **target.Error) bool {
	return errors.As(err, known) && !errors.As(err, new(*FatalError)) && !errors.As(err, new(*RefusedError))
}

// mayHaveWorked reports whether a failed request may have been executed: not if there
// was no connection, and not if the system denies it or says when to come again.
func mayHaveWorked(err error) bool {
	var known *target.Error
	if errors.As(err, &known) && known.Status != 0 {
		return known.Status >= 500 && (known.Status != 503 || known.After == 0)
	}
	return known == nil || known.Kind != target.Refused && known.Kind != target.Failed
}

// A cleanError shows the text of an error without secrets.
type cleanError struct {
	text  string
	cause error
}

func (e *cleanError) Error() string { return e.text }

// Unwrap returns the cause, for its type.
func (e *cleanError) Unwrap() error { return e.cause }

// scrub removes secrets from an error's text and keeps its type.
func (u *upload) scrub(err error) error {
	if clean := u.cfg.Secrets.Scrub(err.Error()); clean != err.Error() {
		return &cleanError{clean, err}
	}
	return err
}
