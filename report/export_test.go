package report

import "github.com/assay-eval/assay/report/document"

// Align is for tests.
func Align(ref, hyp []string) (pieces []document.Heard, edits int) { return align(ref, hyp) }

// Conclusion is for tests.
func (r *Report) Conclusion(strict bool) conclusion {
	return newContent(r, Options{Strict: strict}).conclusion()
}
