package words

// sliced are the words about slices: cases with something in common on which a metric departs
// from the others.
type sliced interface {
	SliceNames() SliceNames
	// SliceOf describes the cases of a slice: "tag chinese", "questions with the word ferry".
	// kind is that of [github.com/assay-eval/assay/summary/explore.Kind]; from and to bound
	// the length of the question, to is 0 without an upper bound.
	SliceOf(kind, value string, from, to int) string
	// SlicesFound says what looking through slices came to: found of looked slices depart in
	// the metric, in a comparison in its change.
	SlicesFound(metric string, found, looked int, change bool) string
	// SlicesNote says how slices are tested; level is that of the intervals, as in "95 %", and
	// rate the false discovery rate, as in "5 %".
	SlicesNote(level, rate string, least int) string
	// SliceMissing counts the cases without a value, "" if there are none.
	SliceMissing(cases, of int, change bool) string
	// SliceCases counts the cases of a slice, valued of which have a value.
	SliceCases(cases, valued int) string
}

// SliceNames are the labels of the lists of slices.
type SliceNames struct {
	Title, Slice, Inside, Others, Difference, Change, OtherChange, QValue, Also, Open string
	// Estimates is said where all metrics are estimates, Later of a run that is not finished.
	Estimates, Later string
}
