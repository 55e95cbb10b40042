package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/llm"
)

// An OpenTarget is a target that answers single questions, outside of a run.
type OpenTarget struct {
	assay.Target
	Warnings []string
	close    func() error
}

// Close gives back what opening took.
func (t *OpenTarget) Close() error { return t.close() }

// Open opens the target of a configuration to ask it outside of a run. Models
// that it needs answer from the ledger, in the name of run. The built-in pipeline
// is opened by [Pipeline], and what was recorded belongs to a data set.
func Open(ctx context.Context, r *config.Resolved, w World, ledger llm.Ledger, run string) (_ *OpenTarget, err error) {
	if a := r.Adapter; a == "builtin" || a == "recorded" {
		return nil, fmt.Errorf("adapter %s cannot be asked outside of a run", a)
	}
	j := &Job{cfg: r.Config, world: w, secrets: r.Secrets(), close: func() error { return nil }}
	defer func() {
		if err != nil {
			_ = j.Close() // what opening says is the reason
		}
	}()
	if j.models, err = OpenModels(r.Config, w); err != nil {
		return nil, err
	}
	o, err := j.openTarget(ctx, nil)
	if err != nil {
		return nil, err
	}
	if err := j.models.Connect(ledger, run, 0); err != nil {
		return nil, err
	}
	if err := j.start(ctx); err != nil {
		return nil, err
	}
	return &OpenTarget{Target: j.target, Warnings: o.warnings, close: j.Close}, nil
}
