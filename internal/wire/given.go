package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target/adapter"
)

// code is what the header of a run calls a target that its caller made.
const code = "code"

// given is a target that the caller made, with nothing but Ask: it is the
// caller's to open and to close.
type given struct{ assay.Target }

func openGiven(t assay.Target) func(context.Context, *adapter.Env) (adapter.Opened, error) {
	return func(context.Context, *adapter.Env) (adapter.Opened, error) {
		info := assay.TargetInfo{Adapter: code, Endpoint: fmt.Sprintf("%T", t)}
		return adapter.Opened{Target: given{t}, Reports: adapter.Anything, Info: info}, nil
	}
}
