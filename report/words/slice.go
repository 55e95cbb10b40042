package words

// SliceOf describes the cases of a slice: "tag chinese", "questions with the word ferry".
// kind is that of [github.com/assay-eval/assay/summary/explore.Kind]; from and to bound
// the length of the question, to is 0 without an upper bound.
func (w Words) SliceOf(kind, value string, from, to int) string {
	data := v{"value": value, "script": "", "from": from, "to": to}
	if kind == "script" {
		data["script"] = w.Say("SliceScript."+value, nil)
	}
	return w.told("SliceOf", kind, data)
}

// SlicesFound says what looking through slices came to: found of looked slices depart in
// the metric, in a comparison in its change.
func (w Words) SlicesFound(metric string, found, looked int, change bool) string {
	return w.Say("SlicesFound", v{"metric": metric, "found": found, "looked": looked, "change": change})
}

// SlicesNote says how slices are tested; level is that of the intervals, as in "95 %", and
// rate the false discovery rate, as in "5 %".
func (w Words) SlicesNote(level, rate string, least int) string {
	return w.Say("SlicesNote", v{"level": level, "rate": rate, "least": least})
}

// SliceMissing counts the cases without a value, "" if there are none.
func (w Words) SliceMissing(cases, of int, change bool) string {
	return w.Say("SliceMissing", v{"cases": cases, "of": of, "change": change})
}

// SliceCases counts the cases of a slice, valued of which have a value.
func (w Words) SliceCases(cases, valued int) string {
	return w.Say("SliceCases", v{"cases": cases, "valued": valued})
}

// SliceNames are the labels of the lists of slices.
type SliceNames struct {
	Title, Slice, Inside, Others, Difference, Change, OtherChange, QValue, Also, Open string
	// Estimates is said where all metrics are estimates, Later of a run that is not finished.
	Estimates, Later string
}
