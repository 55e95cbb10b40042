package progress_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/progress"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	var p progress.Progress
	ctx := progress.With(t.Context(), &p)
	progress.Of(ctx).Start(2)
	progress.Of(ctx).Add(3)
	if done, total := p.At(); done != 2 || total != 2 {
		t.Errorf("%d of %d: want 2 of 2", done, total)
	}
	progress.Of(ctx).Start(5)
	if done, total := p.At(); done != 0 || total != 5 {
		t.Errorf("%d of %d: want 0 of 5", done, total)
	}
	nobody := progress.Of(t.Context())
	nobody.Start(5)
	nobody.Add(1)
	if done, total := nobody.At(); done != 0 || total != 0 {
		t.Errorf("%d of %d: nobody waits", done, total)
	}
}
