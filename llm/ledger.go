package llm

import (
	"context"

	"github.com/assay-eval/assay"
)

// A Ledger keeps calls. It is safe for concurrent use; a call that PutCall
// returned nil for survives the death of the process.
type Ledger interface {
	// Call returns the call of that key, and whether there is one.
	Call(ctx context.Context, key string) (assay.Call, bool, error)
	// PutCall keeps a call. A key that is there already is replaced: the
	// caller asked for a fresh reply.
	PutCall(ctx context.Context, c assay.Call) error
}
