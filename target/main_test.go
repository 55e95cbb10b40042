package target_test

import (
	"io"
	"testing"

	"go.uber.org/goleak"
)

// No adapter leaves a goroutine behind once it is closed.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// closing closes a target when the test has ended.
func closing(t testing.TB, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}
