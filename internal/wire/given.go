package wire

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
)

// code is what the header of a run calls a target that its caller made.
const code = "code"

// given is a target that the caller made, with nothing but Ask: it is the
// caller's to open and to close.
type given struct{ assay.Target }

func (w *wiring) openGiven(context.Context, *selection) (opened, error) {
	t := w.world.Target
	return opened{target: given{t}, reports: anything, info: assay.TargetInfo{Adapter: code, Endpoint: fmt.Sprintf("%T", t)}}, nil
}
