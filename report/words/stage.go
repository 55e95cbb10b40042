package words

import "github.com/assay-eval/assay/report/document"

// clipped shortens the name of a target's own stage.
func clipped(stage string) string { return document.Clip(document.Line(stage), 24) }
