package report

import (
	"testing"

	"github.com/assay-eval/assay"
)

func TestJudged(t *testing.T) {
	w := assay.Want{
		Documents: map[string]int{"leave.md": 2, "d7": 0},
		Passages:  []string{"In the first year of employment the leave is 24 working days."},
	}
	for _, c := range []struct {
		name  string
		p     assay.Passage
		grade int
		ok    bool
	}{
		{"by the end of a path", assay.Passage{Source: "docs/leave.md"}, 2, true},
		{"judged and not relevant", assay.Passage{Document: "d7"}, 0, true},
		{"by its words", assay.Passage{Document: "x", Text: "Note: in the first  year of employment the leave is 24 working days. Ask."}, 1,
			true},
		{"not judged", assay.Passage{Document: "x", Text: "Leave is short."}, 0, false},
		{"nothing known", assay.Passage{}, 0, false},
	} {
		if grade, ok := judged(w, c.p); grade != c.grade || ok != c.ok {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, grade, ok, c.grade, c.ok)
		}
	}
}
