package gate_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/gate"
)

// A plain rule on 20 cases of which two fall and one rises by 1. If 5 % fall, 46 % must rise
// for mid-p to show it four times in five. A rule that tolerates as much, a test of the same, and a run in which
// nothing moved have nothing to say.
func TestPlainRulesSayWhatTheyCannotSee(t *testing.T) {
	t.Parallel()
	var was, is []any
	for i := range 20 {
		old, new := 1, 1
		switch i {
		case 0, 1:
			new = 0
		case 2:
			old = 0
		}
		was, is = append(was, old), append(is, new)
	}
	old, run := one(ratio("m"), was...), one(ratio("m"), is...)
	says := func(run recorded, rule string) string {
		o, _ := gate.Policy{Baseline: baseline(t, old), Rules: rules(t, rule)}.Judge(run.run())
		return strings.Join(english(o.Warnings), "; ")
	}
	want := "20 cases cannot tell a difference below 0.31 (m) from chance (4 times in 5); " +
		"a rule on a smaller one also passes and fails by chance"
	if got := says(run, "m vs baseline >= -0.02"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for rule, run := range map[string]recorded{"m vs baseline >= -0.32": run, "m.lower vs baseline >= -0.02": run, "m vs baseline >= 0": old} {
		if got := says(run, rule); got != "" {
			t.Errorf("%s: got %q, want nothing", rule, got)
		}
	}
}
