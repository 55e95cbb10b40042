package stage

// An Overlap counts what a list and the labels have in common. Several items of the list
// may match one label, and an item may match several labels.
type Overlap struct {
	// Relevant counts the items of the list, of Listed, that match a label.
	Relevant, Listed float64
	// Found counts the labels, of Labels, that match an item. Labels may be an estimate.
	Found, Labels float64
}

// Precision is Relevant/Listed, 0 to 1. An empty list has precision 0 if there is a
// label, else none.
func (o Overlap) Precision() (_ float64, ok bool) {
	if o.Listed == 0 {
		return 0, o.Labels > 0
	}
	return min(1, o.Relevant/o.Listed), true
}

// Recall is Found/Labels, 0 to 1; ok is false without a label.
func (o Overlap) Recall() (_ float64, ok bool) {
	if o.Labels <= 0 {
		return 0, false
	}
	return min(1, o.Found/o.Labels), true
}

// F1 is the harmonic mean of precision and recall, 0 if both are 0; ok is false without
// a label.
func (o Overlap) F1() (_ float64, ok bool) {
	p, _ := o.Precision()
	r, ok := o.Recall()
	switch {
	case !ok || p+r == 0:
		return 0, ok
	case o.Relevant == o.Found:
		// The same value with only one rounding.
		return min(1, 2*o.Found/(o.Listed+o.Labels)), true
	}
	return 2 * p * r / (p + r), true
}
