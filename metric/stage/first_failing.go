package stage

import "github.com/assay-eval/assay"

// FirstFailing returns the stage that failed first. outcomes are the actual outcome and
// those after the output of each stage, in order, was replaced by the right one; there
// may be fewer than len(stages) + 1.
//
// The label is the first stage whose replacement makes the outcome right: "" if the
// actual outcome is right or unknown, [assay.LostUnresolved] if no replacement does.
// nonMonotone is set if a wrong outcome follows a right one: such a label should be
// checked. Worked case: first_failing_stage.
func FirstFailing(stages []string, outcomes []bool) (label string, nonMonotone bool) {
	if len(outcomes) == 0 || outcomes[0] {
		return "", false
	}
	outcomes = outcomes[1:min(len(outcomes), len(stages)+1)]
	label = assay.LostUnresolved
	for i, right := range outcomes {
		switch {
		case right && label == assay.LostUnresolved:
			label = stages[i]
		case !right && label != assay.LostUnresolved:
			nonMonotone = true
		}
	}
	return label, nonMonotone
}
