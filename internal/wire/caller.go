package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/adapter"
)

// code is the name in a run's header of a target that the caller provides.
const code = "code"

// callerTarget hides all methods but Ask of a target that the caller provides,
// because the caller opens and closes it.
type callerTarget struct{ assay.Target }

func openCallerTarget(t assay.Target) func(context.Context, *adapter.Env) (adapter.Opened, error) {
	return func(context.Context, *adapter.Env) (adapter.Opened, error) {
		info := assay.TargetInfo{Adapter: code, Endpoint: fmt.Sprintf("%T", t)}
		return adapter.Opened{Target: callerTarget{t}, Reports: adapter.Anything, Info: info}, nil
	}
}
