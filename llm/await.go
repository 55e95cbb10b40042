package llm

import (
	"context"
	"time"
)

// await waits until a channel is closed or, after a while, no longer. The error is the cause of ctx.
func await(ctx context.Context, changed <-chan struct{}, while time.Duration) error {
	t := time.NewTimer(while)
	defer t.Stop()
	select {
	case <-changed:
	case <-t.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
