package stage

import "github.com/assay-eval/assay"

// FirstFailing names the stage that failed first. outcomes begin with the
// actual outcome and go on with that after the output of each stage, in order,
// was replaced by the right one; there may be fewer than len(stages) + 1 when
// nobody asked further.
//
// It is the first stage whose replacement makes the outcome right: "" when the
// actual outcome is right, or none is known; [assay.LostUnresolved] when none
// does. nonMonotone is set when a wrong outcome follows a right one: the label
// stands, and deserves a look. Worked case: first_failing_stage.
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
