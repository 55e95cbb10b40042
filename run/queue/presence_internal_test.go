package queue

import (
	"testing"
	"time"

	"github.com/assay-eval/assay/store"
)

// The cases of a worker whose machine is gone go on elsewhere within half a minute:
// the server drops its claim, and it is missed at two looks.
func TestLostWithinHalfAMinute(t *testing.T) {
	if most := store.Unanswered + 2*absence + 2*poll; most > 30*time.Second {
		t.Errorf("the cases of a lost worker go on after up to %v, want 30s at most", most)
	}
}
