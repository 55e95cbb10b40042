package assay

import "fmt"

// Dollars formats an amount in micro-dollars: to the cent from ten cents up, to
// a hundredth of a cent below.
func Dollars(micro int64) string {
	v := float64(micro) / 1e6
	if micro != 0 && v < 0.1 {
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}
