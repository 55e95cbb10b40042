package run

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// An Attributor finds out at which stage a case was lost. It is safe for
// concurrent use.
type Attributor interface {
	// Follow follows the evidence of a case through the stages of its response,
	// before it is scored; nil when there is nothing to follow. said is what
	// the judge said of the response, nil when nothing was asked. An error that
	// is not that of ctx fails the metrics that follow the evidence, and nothing
	// else.
	Follow(ctx context.Context, c *assay.Case, r *assay.Response, said *judge.Assessment) (*assay.Attribution, error)
	// Explain decides by the scores whether the case failed, and for one that
	// did adds to the attribution which stage is to blame. It may ask the target
	// again, and a judge: what that costs is counted as the case's own. An error
	// that is neither that of ctx nor a *[judge.FatalError] is a remark on the
	// record.
	Explain(ctx context.Context, c *assay.Case, r *assay.Response, scores map[string]assay.Score, a *assay.Attribution) error
}

// follow follows the evidence of a record's own response. A version of it without
// what addresses the judge had the same stages, and is not followed again.
// unfollowed says why a metric that follows it has no score; the error is that of
// ctx.
func (e *engine) follow(
	ctx context.Context, rec *assay.Record, resp *assay.Response, said *judge.Assessment,
) (lost *assay.Attribution, unfollowed string, err error) {
	switch {
	case resp == nil:
		return nil, "", nil
	case e.cfg.Attributor == nil:
		return nil, "no attributor is configured", nil
	case resp != rec.Response:
		return rec.Attribution, "", nil
	}
	func() {
		defer recovered(&err)
		lost, err = e.cfg.Attributor.Follow(ctx, &rec.Case, resp, said)
	}()
	rec.Attribution = lost
	switch {
	case err == nil:
		return lost, "", nil
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	}
	unfollowed = shorten(fmt.Sprintf("following the evidence: %v", err))
	judge.Warn(ctx, unfollowed)
	return lost, unfollowed, nil
}

// explain finds the stage that lost the case, when it failed. The error is that of
// ctx or a *[judge.FatalError].
func (e *engine) explain(ctx context.Context, rec *assay.Record) (err error) {
	if rec.Attribution == nil || rec.Response == nil {
		return nil
	}
	// A panic leaves what was found before it.
	func() {
		defer recovered(&err)
		err = e.cfg.Attributor.Explain(ctx, &rec.Case, rec.Response, rec.Scores, rec.Attribution)
	}()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case judge.Fatal(err):
		// What is scored was paid for. The record stands, and the run ends.
		e.end.reach(err)
		return nil
	}
	judge.Warn(ctx, shorten(fmt.Sprintf("finding the stage that failed: %v", err)))
	return nil
}

// recovered turns a panic into an error.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &crash{v, trace()}
	}
}
