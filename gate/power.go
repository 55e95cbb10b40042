package gate

import (
	"fmt"
	"math"
	"strings"
)

// blind says what the rules on plain differences from the baseline cannot see: the
// losses that so many cases would not show, as far as they are larger than what is
// tolerated. Such a rule passes and fails by chance too. Nothing is said where no
// case moved, which leaves nothing to chance.
func (h *hearing) blind(rules []Rule) []string {
	var parts []string
	cases := 0
	seen := map[string]bool{}
	for _, r := range rules {
		m, why := h.metric(r.Quantity)
		if !r.Versus || r.Bound != "" || why != "" || seen[m.Name] {
			continue
		}
		s := h.sides[m.Name]
		if s == nil || s.why != "" || s.comparison.CI == nil || s.comparison.MDE == nil || *s.comparison.MDE <= math.Abs(r.Limit) {
			continue
		}
		seen[m.Name] = true
		cases = max(cases, s.comparison.N)
		parts = append(parts, fmt.Sprintf("%.2g in %s", *s.comparison.MDE, m.Name))
	}
	if parts == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s tell no difference from chance below %s (4 times in 5): what is smaller passes and fails by chance too", plural(cases, "case"), strings.Join(parts, ", "))}
}
