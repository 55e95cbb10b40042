package stats_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/stats"
)

// TestWarnings checks that each kind has an English text of its own, and that a
// warning that was written is read back as the same kind with the same numbers.
func TestWarnings(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for kind := stats.StoredWarning + 1; kind < stats.Kinds; kind++ {
		for _, w := range []stats.Warning{
			{Kind: kind, N: 7, M: 3, Value: 0.25, Test: stats.SignedRank},
			{Kind: kind, N: 1, M: 12, Value: 1.5e-7, Test: stats.StudentT},
		} {
			text := w.String()
			if text == "" || seen[text] && text != (stats.Warning{Kind: kind}).String() {
				t.Errorf("kind %d: %q", kind, text)
			}
			seen[text] = true
			data, err := json.Marshal(w)
			if err != nil {
				t.Fatal(err)
			}
			var back stats.Warning
			if err := json.Unmarshal(data, &back); err != nil || back.Kind != kind || back.String() != text {
				t.Errorf("%q was read back as %+v, %v", text, back, err)
			}
			if general := w.General(); strings.ContainsAny(general.String(), "73") && general != w {
				t.Errorf("%q in general: %q", text, general)
			}
		}
	}
	var other stats.Warning
	if err := json.Unmarshal([]byte(`"only 3 apples"`), &other); err != nil || other != (stats.Warning{Text: "only 3 apples"}) {
		t.Errorf("another text: %+v, %v", other, err)
	}
}

// TestFewDifferCountsGroups: where groups of cases are compared, the remark counts those that differ as groups, and is read
// back so.
func TestFewDifferCountsGroups(t *testing.T) {
	t.Parallel()
	var pairs []stats.Pair
	for i := range 40 {
		new := 0.0
		if i < 8 {
			new = 1
		}
		pairs = append(pairs, stats.Pair{New: new, Cluster: fmt.Sprint(i / 4)})
	}
	c := stats.CompareAll([][]stats.Pair{pairs}, 0.95, 1)[0]
	var said []string
	for _, w := range c.Warnings {
		said = append(said, w.String())
		var again stats.Warning
		if err := again.UnmarshalText([]byte(w.String())); err != nil || again != w {
			t.Errorf("%q is read as %+v, want %+v", w, again, w)
		}
	}
	if !slices.Contains(said, "cannot be significant: only 2 groups differ") {
		t.Errorf("%q: want that 2 groups differ; 8 cases do", said)
	}
}
