package words

import "github.com/assay-eval/assay/report/document"

// clipped bounds the name of a stage that is a target's own.
func clipped(stage string) string { return document.Clip(document.Line(stage), 24) }
