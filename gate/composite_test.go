package gate_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

// A part that no case has leaves rules of every kind on the composite open, whatever its
// value is. A part that one case has does not.
func TestCompositeWithoutAPart(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{ratio("composite"), ratio("faithfulness"), ratio("relevance")}
	metrics[1].Weight, metrics[2].Weight = 0.8, 0.2
	run := func(part, relevance assay.Score) recorded {
		rows := [][]any{{relevance, part, relevance}}
		for range 11 {
			rows = append(rows, []any{relevance, assay.None("no passages"), relevance})
		}
		return several(metrics, rows...)
	}
	for _, kind := range []string{"composite >= 0.5", "composite.lower >= 0.2", "composite.min >= 0.5", "below(composite, 0.5) <= 1",
		"composite vs baseline >= 0", "a tolerance", "a threshold"} {
		for name, test := range map[string]struct {
			part, relevance assay.Score
			want            gate.Verdict
		}{
			"in no case":                {assay.None("no passages"), assay.Value(1), gate.Inconclusive},
			"in no case, and the worst": {assay.None("no passages"), assay.Value(0), gate.Inconclusive},
			"in one case":               {assay.Value(1), assay.Value(1), gate.Pass},
		} {
			r := run(test.part, test.relevance)
			r.Records[0].Case.Critical = true
			var p gate.Policy
			switch {
			case kind == "a tolerance":
				p.Baseline, p.Tolerances = baseline(t, run(test.part, assay.Value(1))), map[string]float64{"composite": 0.1}
			case kind == "a threshold":
				half := 0.5
				r.Summary.Metrics[0].Threshold = &half
			default:
				p.Rules = rules(t, kind)
				if strings.Contains(kind, "baseline") {
					p.Baseline = baseline(t, run(test.part, assay.Value(1)))
				}
			}
			o, _ := p.Judge(r.run())
			res := o.Results[0]
			if res.Metric != "composite" || res.Verdict != test.want || res.Final(false) == gate.Pass != (test.want == gate.Pass) {
				t.Errorf("%s, %s: %s %s because %q, want %s", kind, name, res.Rule, res.Verdict, because(res), test.want)
			}
			if test.want == gate.Inconclusive {
				if want := "no case has faithfulness, 80 % of the weights"; !strings.Contains(because(res), want) {
					t.Errorf("%s, %s: because %q, want %q", kind, name, because(res), want)
				}
				if state := o.Checks()(r.Records[0]).State; state != summary.Unchecked {
					t.Errorf("%s, %s: the critical case is %s by a composite without a part", kind, name, state)
				}
			}
		}
	}
}
