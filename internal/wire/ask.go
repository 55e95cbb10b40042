package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/target/adapter"
)

// An OpenTarget is a target that answers single questions, outside of a run.
type OpenTarget struct {
	assay.Target
	Warnings []string
	close    func() error
}

// Close releases the resources of the target.
func (t *OpenTarget) Close() error { return t.close() }

// Open opens the target of a configuration for single questions outside of a
// run. Calls to the models that it needs go through the ledger and are recorded
// under run. Open does not open the built-in pipeline, for which see
// [Pipeline], nor recorded responses, which belong to a dataset.
func Open(ctx context.Context, r *config.Resolved, w World, ledger llm.Ledger, run string) (_ *OpenTarget, err error) {
	if a := adapter.Find(r.Adapter); a.RunOnly {
		return nil, fmt.Errorf("adapter %s cannot be asked outside of a run", a.Name)
	}
	wiring, err := newWiring(r, w)
	if err != nil {
		return nil, err
	}
	o, err := wiring.openTarget(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = o.close() // what opening says is the reason
		}
	}()
	if err := wiring.models.Connect(ledger, run, 0); err != nil {
		return nil, err
	}
	if err := wiring.models.Reach(ctx); err != nil {
		return nil, err
	}
	if err := o.start(ctx, w.Stop); err != nil {
		return nil, err
	}
	return &OpenTarget{Target: o.Target, Warnings: o.Warnings, close: o.close}, nil
}
