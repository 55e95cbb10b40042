package cli

import (
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8/decor"
)

// Estimates count what this run did, and make room when it is about to end: a bar
// that is longer than a line of 80 columns leaves traces of itself.
func TestBarEstimates(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	b := &bars{from: 30, stop: stop}
	start := time.Now().Add(-10 * time.Second)
	eta := b.whileRunning(decor.NewAverageETA(decor.ET_STYLE_GO, start, nil), " left")
	shown := func(current int64) string {
		text, _ := eta.Decor(decor.Statistics{Current: current, Total: 60})
		return text
	}
	if got := shown(30); got != "" {
		t.Errorf("before the first case: %q", got)
	}
	// Ten of the thirty that were left took ten seconds.
	if got := shown(40); got != "  20s left" {
		t.Errorf("after ten cases: %q, want 20s", got)
	}
	if stopping(stop) != "" {
		t.Error("stopping before anybody asked")
	}
	close(stop)
	if got := shown(40); got != "" {
		t.Errorf("while it stops: %q", got)
	}
	// The bar of 40 columns, its counts, and the word.
	if n := len(stopping(stop)) + 42 + len(" 1000/1000"); n > 80 {
		t.Errorf("the line is %d columns long", n)
	}
}
