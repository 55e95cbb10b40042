package gate_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// approved returns the baseline of a run whose cases all have the given value, the
// successor of old.
func approved(t *testing.T, m assay.MetricInfo, value float64, old *gate.Baseline) *gate.Baseline {
	t.Helper()
	b, err := gate.NewBaseline(several([]assay.MetricInfo{m}, []any{value}, []any{value}).run(), "why", time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	b.Follow(old)
	read, err := gate.ReadBaseline(strings.NewReader(written(t, b)))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// Each step is within the tolerance of 0.03, and two of them are not.
func TestDrifts(t *testing.T) {
	for _, tc := range []struct {
		name   string
		metric assay.MetricInfo
		steps  []float64
		want   string
	}{
		{"small losses add up", ratio("mrr"), []float64{0.9, 0.88, 0.86}, "[{mrr  0.9 0.86 0.03}]"},
		{"one is within", ratio("mrr"), []float64{0.9, 0.88}, "[]"},
		{"a gain takes one back", ratio("mrr"), []float64{0.9, 0.88, 0.91, 0.88}, "[]"},
		{"where less is better", less("mrr"), []float64{0.1, 0.12, 0.14}, "[{mrr  0.1 0.14 0.03}]"},
		{"tracked only", ratio("ndcg@10"), []float64{0.9, 0.1}, "[]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var b *gate.Baseline
			for _, v := range tc.steps {
				b = approved(t, tc.metric, v, b)
			}
			if got := fmt.Sprint(gate.Policy{}.Drifts(b)); got != tc.want {
				t.Errorf("drifts %s, want %s", got, tc.want)
			}
		})
	}
	t.Run("another version begins anew", func(t *testing.T) {
		old, m := approved(t, ratio("mrr"), 0.9, nil), ratio("mrr")
		m.Version++
		if b := approved(t, m, 0.5, old); b.Metrics["mrr"].First != nil {
			t.Errorf("first is %g: the means are not comparable", *b.Metrics["mrr"].First)
		}
	})
}

// The guide tells how often a tolerance of 0 fails a system that has not changed, if
// some cases are right in half of all runs. Every outcome of one and two such cases is
// judged; the other rows are the formula that these confirm.
func TestToleranceOfZero(t *testing.T) {
	page, err := os.ReadFile("../docs/gating.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, noisy := range []int{1, 2, 5, 20} {
		// Both runs have the same number right in Σ C(n,i)² = C(2n,n) of 4ⁿ outcomes; of
		// the others half are worse.
		same := math.Exp(choose(2*noisy, noisy) - float64(noisy)*math.Log(4))
		fails := (1 - same) / 2
		if noisy <= 2 {
			if got := failures(t, noisy); math.Abs(got-fails) > 1e-12 {
				t.Errorf("%d noisy cases: the gate fails %g of all outcomes, the formula says %g", noisy, got, fails)
			}
		}
		if row := fmt.Sprintf("| %d | %.0f %% |", noisy, 100*fails); !strings.Contains(string(page), row) {
			t.Errorf("docs/gating.md has no row %q", row)
		}
	}
}

// choose returns the logarithm of a binomial coefficient.
func choose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// failures returns the share of outcomes of two runs of an unchanged system that fail
// at a tolerance of 0. Ten cases are always right, noisy ones in half of all runs.
func failures(t *testing.T, noisy int) float64 {
	t.Helper()
	metrics := []assay.MetricInfo{ratio("hit@3")}
	outcome := func(bits int) recorded {
		rows := slices.Repeat([][]any{{1}}, 10)
		for i := range noisy {
			rows = append(rows, []any{bits >> i & 1})
		}
		return several(metrics, rows...)
	}
	failed, all := 0, 0
	for was := range 1 << noisy {
		b, err := gate.NewBaseline(outcome(was).run(), "", time.Unix(0, 0))
		if err != nil {
			t.Fatal(err)
		}
		for is := range 1 << noisy {
			o, ok := gate.Policy{Baseline: b}.Judge(outcome(is).run())
			if !ok {
				t.Fatal("the baseline gates nothing")
			}
			all++
			if o.Verdict == gate.Fail {
				failed++
			}
		}
	}
	return float64(failed) / float64(all)
}
