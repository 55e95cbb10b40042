package require

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// SamePage checks that a regenerated page of results equals the committed one, except
// for the last digits of its numbers, which depend on the processor: numbers matches
// the numbers that may differ within tolerance.
func SamePage(t testing.TB, kept, made string, numbers *regexp.Regexp, tolerance float64) {
	t.Helper()
	w, g := strings.Split(kept, "\n"), strings.Split(made, "\n")
	if len(w) != len(g) {
		t.Fatalf("the page has %d lines, made anew it has %d: make results", len(w), len(g))
	}
	for i := range w {
		a, b := numbers.FindAllString(w[i], -1), numbers.FindAllString(g[i], -1)
		same := len(a) == len(b) && numbers.ReplaceAllString(w[i], "#") == numbers.ReplaceAllString(g[i], "#")
		for k := 0; same && k < len(a); k++ {
			x, errX := strconv.ParseFloat(a[k], 64)
			y, errY := strconv.ParseFloat(b[k], 64)
			same = errX == nil && errY == nil && math.Abs(x-y) <= tolerance
		}
		if !same {
			t.Errorf("line %d: the page says\n%s\nmade anew it says\n%s", i+1, w[i], g[i])
		}
	}
}
