package gate

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

// blind warns about rules on plain differences from the baseline whose tolerance is
// smaller than the smallest difference that this many cases can detect: chance also
// decides such a rule. A metric in which no case changed has no noise.
func (h *hearing) blind(rules []Rule) []Finding {
	var differences []string
	cases := 0
	seen := map[string]bool{}
	for _, r := range rules {
		m, err := h.metric(r.Quantity)
		if !r.Versus || r.Bound != "" || err != nil || seen[m.Name] {
			continue
		}
		s := h.sides[m.Name]
		if s == nil || s.why != nil {
			continue
		}
		c := s.comparison
		mde, ok := summary.Detects(m.MetricInfo, c)
		if !ok || c.Wins+c.Losses == 0 || mde <= math.Abs(r.Limit) {
			continue
		}
		seen[m.Name] = true
		cases = max(cases, c.N)
		lo, hi := m.Ends()
		differences = append(differences, fmt.Sprintf("%.2g (%s)", min(mde, hi-lo), m.Name))
	}
	if differences == nil {
		return nil
	}
	return []Finding{message.New("Reason.BelowNoise", "cases", cases, "differences", differences)}
}
