package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// An estimate decides no rule of any kind unless the policy allows it, and then under
// a warning; a ruling decides.
func TestEstimatesDecideOnlyWhereAllowed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		judged, estimate, allow bool
		want                    gate.Verdict
	}{
		"an estimate":             {true, true, false, gate.Inconclusive},
		"an estimate by its mark": {false, true, false, gate.Inconclusive},
		"an estimate that may":    {true, true, true, gate.Pass},
		"a ruling":                {true, false, false, gate.Pass},
		"a formula, no estimate":  {false, false, false, gate.Pass},
	} {
		m := ratio("m")
		m.Judged, m.Estimate = test.judged, test.estimate
		run := one(m, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
		for _, kind := range []string{"m >= 0.5", "m.lower >= 0.2", "m vs baseline >= 0", "m.lower vs baseline >= -0.5",
			"a tolerance", "a threshold", "new_total_losses <= 0"} {
			p := gate.Policy{AllowEstimates: test.allow}
			run := run
			switch {
			case kind == "a tolerance":
				p.Baseline, p.Tolerances = baseline(t, run), map[string]float64{"m": 0.1}
			case kind == "new_total_losses <= 0":
				p.Rules, p.Baseline, p.Tolerances = rules(t, kind), baseline(t, run), map[string]float64{"m": 0.1}
			case kind == "a threshold":
				half := 0.5
				m.Threshold = &half
				run = recorded{Summary: summary.Of([]assay.MetricInfo{m}, columns.Of(run.Records), stats.DefaultLevel), Records: run.Records}
				m.Threshold = nil
			default:
				p.Rules = rules(t, kind)
				if strings.Contains(kind, "baseline") {
					p.Baseline = baseline(t, run)
				}
			}
			o, _ := p.Judge(run.run())
			if o.Results[0].Verdict != test.want || o.Passed(false) != (test.want == gate.Pass) {
				t.Errorf("%s, %s: %+v, want %s", name, kind, o.Results, test.want)
			}
			warned := slices.Contains(english(o.Warnings), "m: decided by an estimate, because the policy allows it")
			if want := test.allow && kind != "a threshold"; warned != want {
				t.Errorf("%s, %s: warnings %q", name, kind, english(o.Warnings))
			}
		}
	}
}

// A bad estimate does not fail a gate by its value either, and one that was measured
// on no case still fails.
func TestEstimatesDoNotFail(t *testing.T) {
	t.Parallel()
	m := ratio("m")
	m.Estimate = true
	p := gate.Policy{Rules: rules(t, "m >= 0.9")}
	if o, _ := p.Judge(one(m, 0, 0, 0).run()); o.Verdict != gate.Inconclusive || !strings.Contains(english(
		[]gate.Finding{o.Results[0].Reason})[0], "no verdict without a judge") {
		t.Errorf("%+v: want inconclusive", o)
	}
	run := one(m, 0)
	run.Records[0].Scores["m"] = assay.None("no label")
	run.Summary = summary.Of([]assay.MetricInfo{m}, columns.Of(run.Records), stats.DefaultLevel)
	if o, _ := p.Judge(run.run()); o.Verdict != gate.Fail {
		t.Errorf("%+v: want fail", o)
	}
}
