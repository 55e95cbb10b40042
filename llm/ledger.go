package llm

import (
	"context"

	"github.com/assay-eval/assay"
)

// A Ledger stores calls. It is safe for concurrent use. Once PutCall has returned nil,
// the call is durable: it survives a crash of the process.
type Ledger interface {
	// Call returns the call with that key and reports whether it exists.
	Call(ctx context.Context, key string) (assay.Call, bool, error)
	// PutCall stores a call. It replaces an existing call with the same key, because
	// the caller requested a new reply. If the existing one was another payment (of another run, or
	// at another time), a ledger that accounts for what runs have paid sets it aside under a key of
	// its own, as the store does.
	PutCall(ctx context.Context, c assay.Call) error
}
