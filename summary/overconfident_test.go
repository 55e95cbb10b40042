package summary_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// The warning needs a judge that decides in one pass, and more overturned rulings than chance
// explains at one in a hundred.
func TestOverconfident(t *testing.T) {
	t.Parallel()
	spares := &assay.JudgeInfo{Parameters: map[string]string{"recheck": assay.RecheckDoubtful}}
	for _, c := range []struct {
		name                  string
		judge                 *assay.JudgeInfo
		overturned, rechecked int
		want                  bool
	}{
		{"none checked", spares, 0, 0, false},
		{"one of a few", spares, 1, 12, false},
		{"one in a hundred", spares, 10, 1000, false},
		{"four in a hundred", spares, 8, 200, true},
		{"a judge of a panel", &assay.JudgeInfo{Panel: []assay.JudgeInfo{{}, *spares}}, 8, 200, true},
		{"all are put to a vote", &assay.JudgeInfo{}, 8, 200, false},
		{"no judge", nil, 8, 200, false},
	} {
		said := strings.Join(summary.Overconfident(c.judge, assay.Spending{Rechecked: c.rechecked, Overturned: c.overturned}), "\n")
		if (said != "") != c.want || c.want && !strings.Contains(said, "overturned 8 of 200 rulings that it was sure of (4.0 %)") {
			t.Errorf("%s: %q", c.name, said)
		}
	}
}
