package stage

// An Overlap counts what a list and the labels have in common. A label can be
// found by several items of the list, and an item can find several labels.
type Overlap struct {
	// Relevant counts the items of the list, of Listed, that find a label.
	Relevant, Listed float64
	// Found counts the labels, of Labels, that some item finds. Labels may be an
	// estimate.
	Found, Labels float64
}

// Precision is Relevant/Listed, 0 to 1. An empty list has 0 when there is a
// label; without a label either it has no precision.
func (o Overlap) Precision() (_ float64, ok bool) {
	if o.Listed == 0 {
		return 0, o.Labels > 0
	}
	return min(1, o.Relevant/o.Listed), true
}

// Recall is Found/Labels, 0 to 1; there is none without a label.
func (o Overlap) Recall() (_ float64, ok bool) {
	if o.Labels <= 0 {
		return 0, false
	}
	return min(1, o.Found/o.Labels), true
}

// F1 is the harmonic mean of precision and recall, 0 when both are 0; there is
// none without a label.
func (o Overlap) F1() (_ float64, ok bool) {
	p, _ := o.Precision()
	r, ok := o.Recall()
	switch {
	case !ok || p+r == 0:
		return 0, ok
	case o.Relevant == o.Found:
		// The same number, with one rounding.
		return min(1, 2*o.Found/(o.Listed+o.Labels)), true
	}
	return 2 * p * r / (p + r), true
}
