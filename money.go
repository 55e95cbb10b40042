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
// a hundredth of a cent below, and to the first digit of less than that.
func Dollars(micro int64) string {
	places := 2
	if micro != 0 && micro < 100_000 {
		places = 4
		for least := int64(100); micro > 0 && micro < least; least /= 10 {
			places++
		}
	}
	return fmt.Sprintf("$%.*f", places, float64(micro)/1e6)
}
