package words

import "github.com/assay-eval/assay"

// Canary tells in a line what the canaries of a model have shown.
func (w Words) Canary(c assay.Canary) string { return w.Say("Canary", c) }
