package words

import (
	"fmt"
	"time"

	"github.com/assay-eval/assay"
)

// canaries are the words about models that answer otherwise than they did.
type canaries interface {
	// Canary tells in a line what the canaries of a model have shown.
	Canary(c assay.Canary) string
	// CanaryWarning warns of a model that changed, and of canaries that were left out; "" for
	// others.
	CanaryWarning(c assay.Canary) string
}

// frozen returns the day of the frozen answers.
func frozen(c assay.Canary) string { return c.Since.UTC().Format(time.DateOnly) }

// sameWords formats a mean share of words in common.
func sameWords(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// chance formats the p-value of canaries: "p = 0.0004"; "" if there is none.
func chance(c assay.Canary) string {
	switch {
	case c.P == nil:
		return ""
	case *c.P < 0.0001:
		return "p < 0.0001"
	}
	return fmt.Sprintf("p = %.2g", *c.P)
}
