package run

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
)

// An Attributor determines the stage at which a case was lost. It is safe for
// concurrent use.
type Attributor interface {
	// Follow follows the evidence of a case through the stages of its response,
	// before scoring; it returns nil if there is nothing to follow. said is the
	// judge's assessment of the response, nil if there is none. An error other
	// than that of ctx fails only the metrics that need the attribution.
	Follow(ctx context.Context, c *assay.Case, r *assay.Response, said *judge.Assessment) (*assay.Attribution, error)
	// Explain decides from the scores whether the case failed. If it did, Explain
	// adds the responsible stage to the attribution. It may ask the target and a
	// judge again, at the case's expense. An error that is neither that of ctx
	// nor a *[judge.FatalError] becomes a warning of the record.
	Explain(ctx context.Context, c *assay.Case, r *assay.Response, scores map[string]assay.Score, a *assay.Attribution) error
}

// follow follows the evidence of a record's own response. A copy of the response
// without instructions to the judge has the same stages and is not followed
// again. unfollowed says why a metric that needs the attribution has no score;
// the error is that of ctx.
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

// explain determines the stage that lost a failed case. The error is that of ctx
// or a *[judge.FatalError].
func (e *engine) explain(ctx context.Context, rec *assay.Record) (err error) {
	if rec.Attribution == nil || rec.Response == nil {
		return nil
	}
	// A panic keeps what was found before it.
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
		// The scores were paid for, so the record is kept, and the run ends.
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
