package gate_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// 1 of 20 is 5 %, which is allowed; 1 of 19 is more. The rules pass whatever the
// missing score is: only its absence speaks against them.
func TestTooMuchMissing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cases int
		want  gate.Verdict
	}{{20, gate.Pass}, {19, gate.Inconclusive}} {
		scores := []any{assay.Score{State: assay.JudgeError, Reason: "unreadable"}}
		was := []any{0}
		for range test.cases - 1 {
			scores, was = append(scores, 1), append(was, 0)
		}
		m := ratio("m")
		threshold := 0.1
		m.Threshold = &threshold
		p := gate.Policy{Baseline: baseline(t, one(ratio("m"), was...)), Rules: rules(t, "m >= 0.1", "m.lower >= 0.1", "m vs baseline >= 0")}
		o, _ := p.Judge(one(m, scores...).run())
		if len(o.Results) < 4 {
			t.Fatalf("%d results, want the threshold and three rules", len(o.Results))
		}
		for _, r := range o.Results[:4] {
			if r.Verdict != test.want || r.Noise {
				t.Errorf("%d cases: %s: %s (noise %t) because %q, want %s", test.cases, r.Rule, r.Verdict, r.Noise, because(r), test.want)
			}
		}
	}
}
