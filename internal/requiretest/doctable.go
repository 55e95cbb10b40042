package requiretest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

var quoted = lazyregexp.New("`([^`]+)`")

// DocTable returns the rows of the table that stands below a mark in a documentation page: the
// second column by each name in backticks of the first.
func DocTable(t testing.TB, page, mark string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(), page))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), mark)
	if !ok {
		t.Fatalf("%s: no %s", page, mark)
	}
	out := map[string]string{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(line, " | ")
		if len(cells) < 2 && len(out) > 0 {
			break
		}
		if len(cells) < 2 || !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, name := range quoted().FindAllStringSubmatch(cells[0], -1) {
			out[name[1]] = cells[1]
		}
	}
	return out
}
