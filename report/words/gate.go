package words

import (
	"cmp"
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

func (w Words) BaselineRefused(reason string) string {
	return w.Say("BaselineRefused", v{"reason": reason})
}
func (w Words) Verdict(verdict gate.Verdict) string { return w.Say("Verdict", v{"verdict": verdict}) }

func (w Words) Status(s assay.Status) string { return w.Say("Status."+string(s), nil) }

// State says why there is no value.
func (w Words) State(s assay.State) string {
	name := map[assay.State]string{assay.NotApplicable: "notApplicable", assay.Abstained: "abstained", assay.TargetError: "error"}[s]
	return w.Say("State."+cmp.Or(name, "unscored"), nil)
}

// GateHeads are the headings of the table of rules.
type GateHeads struct{ Table, Rule, Status, Baseline, Run, Interval, People, Cases string }
