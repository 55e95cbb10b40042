package report_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay/report"
)

// TestComparisonGolden compares what a person reviews by eye: three strategies
// on terminals of three widths, and as the comment of a pull request.
func TestComparisonGolden(t *testing.T) {
	t.Parallel()
	c := strategies(t)
	for _, width := range []int{80, 100, 140} {
		got := renderComparison(t, lookup(t, "terminal"), c, report.Options{Width: width})
		golden(t, fmt.Sprintf("strategies%d.txt", width), got)
		for _, l := range strings.Split(got, "\n") {
			if n := utf8.RuneCountInString(l); n > width {
				t.Errorf("at %d columns a line has %d:\n%s", width, n, l)
			}
		}
	}
	brief := renderComparison(t, lookup(t, "terminal"), c, report.Options{Short: true})
	if !strings.HasPrefix(renderComparison(t, lookup(t, "terminal"), c, report.Options{}), brief) || strings.Contains(brief, "latency") ||
		!strings.Contains(brief, "●") {
		t.Errorf("a brief comparison is not the beginning of the whole one, up to the plot:\n%s", brief)
	}
	golden(t, "strategies.md", renderComparison(t, lookup(t, "markdown"), c, report.Options{Cases: 3}))
}

// TestComparisonPages writes comparisons where -pages says, to be looked at.
func TestComparisonPages(t *testing.T) {
	dir := *pages
	if dir == "" {
		dir = t.TempDir()
	}
	full := strategies(t).Reports
	for name, c := range map[string]*report.Comparison{
		"strategies": strategies(t), "hostile": hostile(t),
		"baseline": comparison(t, []*report.Report{remembered(full[0]), repeated(full[2])}),
	} {
		for _, f := range report.Formats {
			if f.Compare != nil {
				write(t, filepath.Join(dir, "compare-"+name+f.Ext), renderComparison(t, f, c, report.Options{}))
			}
		}
	}
}
