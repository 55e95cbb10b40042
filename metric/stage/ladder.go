package stage

import "github.com/assay-eval/assay"

// Ladder tells what is gained when the outputs of more and more stages, from
// the first on, are replaced by the right ones. p begins with the share of
// right outcomes as it is, and goes on with that after each replacement. gains
// are the differences; total is their sum, from the first share to the last;
// residual is what the last one lacks to 1, which is the fault of labels or of
// what judges. Worked case: oracle_ladder (metrics.md, 6.1).
func Ladder(p []float64) (gains []float64, total, residual float64) {
	if len(p) == 0 {
		return nil, 0, 0
	}
	for i, v := range p[1:] {
		gains = append(gains, v-p[i])
	}
	last := p[len(p)-1]
	return gains, last - p[0], 1 - last
}

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
