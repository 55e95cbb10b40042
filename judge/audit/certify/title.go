package certify

import (
	"fmt"

	"github.com/assay-eval/assay"
)

// Title names a certificate, and says if the judge is near chance.
func Title(c assay.Certificate) string {
	title := c.Question + ", " + c.Language
	switch {
	case c.WorseThanChance():
		title += ": worse than chance"
	case c.NearChance() && c.BalancedAccuracy.CI == nil:
		title += ": not shown to be better than chance"
	case c.NearChance():
		title += ": near chance"
	}
	return title
}

// Terms says, each after a semicolon, from which degree a judge says yes and what an item costs.
func Terms(c assay.Certificate) (terms string) {
	switch ci := c.ThresholdCI; {
	case c.Threshold != nil && ci != nil:
		terms = fmt.Sprintf("; yes from a degree of %.2f (%.2f…%.2f)", *c.Threshold, ci[0], ci[1])
	case c.Threshold != nil:
		terms = fmt.Sprintf("; yes from a degree of %.2f", *c.Threshold)
	case ci != nil:
		terms = fmt.Sprintf("; too few items to choose the degree from which it says yes: %.2f…%.2f", ci[0], ci[1])
	}
	switch {
	case c.Cost == nil:
		terms += "; price not known"
	case *c.Cost > 0:
		terms += fmt.Sprintf("; $%.6f an item", *c.Cost)
	}
	return terms
}
