package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8/decor"

	"github.com/assay-eval/assay"
)

// Estimates count only cases of this run, and disappear when the run is about to end: a
// bar longer than a line of 80 columns is not erased completely.
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
	// All but one of the thirty took ten seconds, and the last is still waited for.
	if got := shown(59); got != "" {
		t.Errorf("for the last case: %q", got)
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

// With --verbose the mean so far stands after every tenth case.
func TestLinesShowTheMeanSoFar(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := &lines{out: &out}
	l.Started(assay.Header{Metrics: []assay.MetricInfo{{Name: "hit@3", Range: [2]float64{0, 1}}}, Dataset: assay.DatasetInfo{Cases: 45}}, 0)
	for i := range 45 {
		l.Finished(assay.Record{
			Case: assay.Case{ID: fmt.Sprint(i)}, Response: &assay.Response{},
			Scores: map[string]assay.Score{"hit@3": assay.Value(float64(i % 2))},
		})
	}
	if n := strings.Count(out.String(), "hit@3 so far 0.500 (0."); n != 4 {
		t.Errorf("%d lines with a mean, want 4: %s", n, out.String())
	}
	if !strings.Contains(out.String(), "95 % at all looks) over 40 cases\n") {
		t.Error(out.String())
	}
}
