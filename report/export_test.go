package report

// A Heard is a stretch of a transcript beside the reference, for tests.
type Heard = heard

// Align is for tests.
func Align(ref, hyp []string) (pieces []Heard, edits int) { return align(ref, hyp) }
