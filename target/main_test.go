package target_test

import (
	"testing"

	"go.uber.org/goleak"
)

// No adapter leaves a goroutine behind once it is closed.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
