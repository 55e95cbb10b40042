package stage_test

import (
	"fmt"
	"testing"

	"github.com/assay-eval/assay/metric/stage"
)

func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o    stage.Overlap
		want string
	}{
		// 2 of 3 are relevant, and they are 2 of the 4 labels: F1 = 2·2/(3+4).
		{stage.Overlap{Relevant: 2, Listed: 3, Found: 2, Labels: 4}, "0.6667 0.5000 0.5714"},
		// 2 of 4 find the one label: P = 1/2, R = 1, F1 = 2·(1/2)/(3/2).
		{stage.Overlap{Relevant: 2, Listed: 4, Found: 1, Labels: 1}, "0.5000 1.0000 0.6667"},
		{stage.Overlap{Listed: 3, Labels: 4}, "0.0000 0.0000 0.0000"},
		{stage.Overlap{Labels: 4}, "0.0000 0.0000 0.0000"},
		{stage.Overlap{Listed: 3}, "0.0000 - -"},
		{stage.Overlap{}, "- - -"},
	} {
		show := func(v float64, ok bool) string {
			if !ok {
				return "-"
			}
			return fmt.Sprintf("%.4f", v)
		}
		if got := show(c.o.Precision()) + " " + show(c.o.Recall()) + " " + show(c.o.F1()); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.o, got, c.want)
		}
	}
}
