package words

import "github.com/assay-eval/assay"

// Canary tells in a line what the canaries of a model have shown.
func (w Words) Canary(c assay.Canary) string { return w.Say("Canary", c) }

// CanaryWarning warns of a model that changed, and of canaries that were left out; "" for
// others.
func (w Words) CanaryWarning(c assay.Canary) string { return w.Say("CanaryWarning", c) }
