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

// SliceNames are the labels of the lists of slices.
type SliceNames struct {
	Title, Slice, Inside, Others, Difference, Change, OtherChange, QValue, Also, Open string
	// Estimates is said where all metrics are estimates, Later of a run that is not finished.
	Estimates, Later string
}
