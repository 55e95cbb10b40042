package attack

import (
	"slices"
	"testing"

	"github.com/assay-eval/assay/judge"
)

// No injection of the catalogue is screened out that an expression would match.
func TestLikelyPatterns(t *testing.T) {
	t.Parallel()
	matched := 0
	for _, template := range Templates() {
		for _, f := range Facts() {
			for _, l := range []judge.Language{judge.English, judge.Chinese} {
				v := viewOf(template.Write(f.Bad, l))
				patterns, forgeries := table().likely(v.text)
				for _, p := range slices.Concat(table().Patterns, table().Forgeries) {
					if !p.expression.MatchString(v.text) {
						continue
					}
					matched++
					same := func(q pattern) bool { return q.expression == p.expression }
					if !slices.ContainsFunc(patterns, same) && !slices.ContainsFunc(forgeries, same) {
						t.Errorf("%s, %s: %s is screened out", template.Name, f.ID, p.expression)
					}
				}
			}
		}
	}
	if matched < 500 {
		t.Errorf("%d matches: want enough to compare", matched)
	}
}
