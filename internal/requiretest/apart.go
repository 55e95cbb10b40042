package requiretest

import "testing"

// Apart skips a test under the race detector, which only slows it down: its work is arithmetic of
// one goroutine, or that of another program. CI runs the test without the detector.
func Apart(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("runs without the race detector")
	}
}
