package summary

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Decimals returns the number of decimals: three for a ratio, one for anything with a
// unit.
func Decimals(m assay.MetricInfo) int {
	if m.Unit == "" {
		return 3
	}
	return 1
}

// Amount formats a value of a metric without its unit: "0.720", "40.0".
func Amount(m assay.MetricInfo, v float64) string { return fmt.Sprintf("%.*f", Decimals(m), v) }

// P formats a p-value with three decimals, or as "<0.001".
func P(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// Ends formats an interval of differences with signs: "−0.021…+0.037". An end other
// than 0 gets enough decimals not to appear as 0; one that is just beside it, so that
// 0 is excluded, is ">0" or "<0".
func Ends(m assay.MetricInfo, i stats.Interval) string {
	lo, hi := Bounds(m, i)
	return lo + "…" + hi
}

// Bounds returns the two ends as in [Ends].
func Bounds(m assay.MetricInfo, i stats.Interval) (lo, hi string) {
	places := Decimals(m)
	for places < 6 && (vanishes(i.Lo, places) || vanishes(i.Hi, places)) {
		places++
	}
	return Beside(i.Lo > 0, ">", signed(i.Lo, places)), Beside(i.Hi < 0, "<", signed(i.Hi, places))
}

// Beside puts the sign before the text of an end that excludes 0 and appears as 0.
func Beside(excludes bool, sign, end string) string {
	if excludes && strings.Trim(end, "0.−+± %") == "" {
		return sign + end
	}
	return end
}

// Signed formats a difference of a metric with its sign: "+0.113".
func Signed(m assay.MetricInfo, v float64) string { return signed(v, Decimals(m)) }

// vanishes reports whether a value that is not close to 0 would appear as 0.
func vanishes(v float64, places int) bool {
	return math.Abs(v) >= 1e-6 && math.Abs(v) < 0.5*math.Pow10(-places)
}

// signed formats a difference with U+2212 as the minus sign. One that rounds to 0 has
// no sign.
func signed(v float64, places int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', places, 64)
	switch {
	case strings.Trim(s, "0.") == "":
		return "0"
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

// RoundedUp formats a positive value with two significant digits, rounded up, because
// a smallest detectable difference must not be understated. It formats other values as
// "0".
func RoundedUp(v float64) string {
	if v <= 0 {
		return "0"
	}
	step := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	// A rounding error of the division must not add a step.
	return strconv.FormatFloat(math.Ceil(v/step-1e-9)*step, 'g', 2, 64)
}

// Percent formats a share: "54 %". Only 0 and 1 become "0 %" and "100 %".
func Percent(share float64) string { return percentage(share) + " %" }

// Percents formats an interval of shares: "41…67 %".
func Percents(ci stats.Interval) string { return percentage(ci.Lo) + "…" + Percent(ci.Hi) }

func percentage(share float64) string {
	v := 100 * share
	if v < 1e-7 || v > 100-1e-7 {
		return fmt.Sprintf("%.0f", v)
	}
	decimals := 0
	for edge := 0.5; v < edge || v > 100-edge; edge /= 10 {
		decimals++
	}
	return fmt.Sprintf("%.*f", decimals, v)
}
