package report

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
)

func TestNamesOfAnotherFormAreCounted(t *testing.T) {
	t.Parallel()
	x := newRemarks()
	for range 2 {
		x.add(&assay.Record{
			Case:     assay.Case{Want: assay.Want{Documents: map[string]int{"A.md": 1}}},
			Response: &assay.Response{Passages: []assay.Passage{{ID: "a.md"}}},
		})
	}
	if got := strings.Join(x.list(), "\n"); !strings.HasPrefix(got, `2 cases: the passage "a.md" does not count as the expected document "A.md"`) {
		t.Errorf("%s", got)
	}
}
