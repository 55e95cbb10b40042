package assay

import (
	"fmt"
	"strings"
)

// UnknownPrice begins the warning of a run about a model whose price is not known.
const UnknownPrice = "unknown price of "

// Unpriced returns the warning that the price of a model of the run is not known, so that its cost
// is not counted; "" if there is none.
func (h *Header) Unpriced() string {
	for _, w := range h.Warnings {
		if strings.HasPrefix(w, UnknownPrice) {
			return w
		}
	}
	return ""
}

// Dollars formats an amount in micro-dollars: to the cent from ten cents up, to
// a hundredth of a cent below.
func Dollars(micro int64) string {
	v := float64(micro) / 1e6
	if micro != 0 && v < 0.1 {
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}
