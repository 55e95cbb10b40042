package progress_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/progress"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	var p progress.Progress
	ctx := progress.With(t.Context(), &p)
	progress.Of(ctx).Start(progress.Runs, 2)
	for range 3 {
		progress.Of(ctx).Step()
	}
	if unit, done, total := p.At(); unit != progress.Runs || done != 2 || total != 2 {
		t.Errorf("unit %d, %d of %d: want 2 of 2 runs", unit, done, total)
	}
	progress.Of(progress.With(ctx, nil)).Start(progress.Cases, 5)
	if unit, done, total := p.At(); unit != progress.Runs || done != 2 || total != 2 {
		t.Errorf("unit %d, %d of %d: the work of a part tells nobody", unit, done, total)
	}
	progress.Of(ctx).Start(progress.Cases, 5)
	if unit, done, total := p.At(); unit != progress.Cases || done != 0 || total != 5 {
		t.Errorf("unit %d, %d of %d: want 0 of 5 cases", unit, done, total)
	}
	nobody := progress.Of(t.Context())
	nobody.Start(progress.Cases, 5)
	nobody.Step()
	if _, done, total := nobody.At(); done != 0 || total != 0 {
		t.Errorf("%d of %d: nobody waits", done, total)
	}
}
