package requiretest

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// ResultsPage checks that docs/results/NAME is the regenerated page, except for the
// last digits of its numbers, which depend on the processor: numbers matches the
// numbers that may differ within tolerance; with nil the pages are equal. With update
// it writes the page instead.
func ResultsPage(t testing.TB, name, made string, update bool, numbers *regexp.Regexp, tolerance float64) {
	t.Helper()
	path := filepath.Join(Root(), "docs", "results", name)
	if update {
		if err := os.WriteFile(path, []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	samePage(t, string(kept), made, numbers, tolerance)
}

func samePage(t testing.TB, kept, made string, numbers *regexp.Regexp, tolerance float64) {
	t.Helper()
	w, g := strings.Split(kept, "\n"), strings.Split(made, "\n")
	if len(w) != len(g) {
		t.Fatalf("the page has %d lines, made anew it has %d: make results", len(w), len(g))
	}
	for i := range w {
		if !sameLine(w[i], g[i], numbers, tolerance) {
			t.Errorf("line %d: the page says\n%s\nmade anew it says\n%s", i+1, w[i], g[i])
		}
	}
}

// sameLine reports whether two lines are equal but for numbers within tolerance.
func sameLine(w, g string, numbers *regexp.Regexp, tolerance float64) bool {
	if w == g || numbers == nil {
		return w == g
	}
	a, b := numbers.FindAllString(w, -1), numbers.FindAllString(g, -1)
	same := len(a) == len(b) && numbers.ReplaceAllString(w, "#") == numbers.ReplaceAllString(g, "#")
	for k := 0; same && k < len(a); k++ {
		x, errX := strconv.ParseFloat(a[k], 64)
		y, errY := strconv.ParseFloat(b[k], 64)
		same = errX == nil && errY == nil && math.Abs(x-y) <= tolerance
	}
	return same
}
