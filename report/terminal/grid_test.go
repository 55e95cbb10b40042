package terminal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/report/document"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"one two three", []string{"one two", "  three"}},
		{"unbreakable_word x", []string{"unbreakable_word", "  x"}},
		{"每個案例詢問三次", []string{"每個案例", "  詢問三", "  次"}},
		{"一二三四，五六", []string{"一二三", "  四，五", "  六"}},
		{"一二三「四五六」", []string{"一二三", "  「四五", "  六」"}},
		{"一二 mean 三四", []string{"一二", "  mean", "  三四"}},
		{"一二mean三四", []string{"一二mean", "  三四"}},
	} {
		if got := wrap(c.text, 8, "  "); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestGroupsOfUnequalHeight: a row whose cells have one line in one group of columns stays beside those of the others, which
// have two.
func TestGroupsOfUnequalHeight(t *testing.T) {
	t.Parallel()
	table := document.Table{Columns: []document.Column{{ID: "metric", Head: "metric", Words: true}},
		Steps: []document.Step{{Stack: [][2]string{{"mean0", "ci0"}, {"mean1", "ci1"}}}}}
	for i, run := range []string{"a", "b"} {
		table.Columns = append(table.Columns, document.Column{ID: fmt.Sprint("mean", i), Head: "mean", Group: run},
			document.Column{ID: fmt.Sprint("ci", i), Head: "95 % interval", Group: run})
	}
	table.Rows = []document.Row{{Cells: document.Cells("first", "0.5", "0.4…0.6", "–", "")}, {Cells: document.Cells("second", "0.5", "0.4…0.6", "0.7", "0.6…0.8")}}
	var b strings.Builder
	d := &document.Document{Sections: []document.Section{{Blocks: []document.Block{table}, Bare: document.Glance}}}
	if err := Write(&b, d, Options{Width: 42}); err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(b.String(), "\n") {
		if strings.Contains(l, "second") && (!strings.Contains(l, "0.5") || !strings.Contains(l, "0.7")) {
			t.Errorf("a row is torn:\n%s", b.String())
		}
	}
}
