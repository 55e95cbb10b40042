package report

import "github.com/assay-eval/assay/report/document"

// Align is for tests.
func Align(ref, hyp []string) (pieces []document.Heard, edits int) { return align(ref, hyp) }
