package attack_test

import (
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/attack"
	"github.com/assay-eval/assay/judge/audit/suite"
)

// No injection of the catalogue is screened out that an expression would match.
func TestLikelyPatterns(t *testing.T) {
	t.Parallel()
	all := 0
	for _, template := range suite.Templates() {
		for _, f := range suite.Facts() {
			for _, l := range []judge.Language{judge.English, judge.Chinese} {
				matched, left := attack.Screened(template.Write(f.Bad, l))
				if all += matched; left != nil {
					t.Errorf("%s, %s: %s screened out", template.Name, f.ID, left)
				}
			}
		}
	}
	if all < 500 {
		t.Errorf("%d matches: want enough to compare", all)
	}
}
