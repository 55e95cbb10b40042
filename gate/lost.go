package gate

import (
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric/stage"
	"github.com/assay-eval/assay/summary"
)

// lostPrefix is the start of the names of the shares of evidence that stages lost.
const lostPrefix = family + "."

// lostShare returns the smallest and the largest share of the evidence that a stage
// can have lost, depending on the cases that have no score. ok is false for other
// metrics, and if the labels do not say how much evidence a case has.
func (h *hearing) lostShare(m summary.Metric) (lo, hi float64, ok bool) {
	if !strings.HasPrefix(m.Name, lostPrefix) || !m.Pooled {
		return 0, 0, false
	}
	var lost, all, open float64
	column := h.run.Cases.Metric(m.Name)
	for i, r := range h.run.Cases.Records() {
		most := float64(stage.MostFacts(r.Case.Want))
		switch s, _ := column.Score(i); s.State {
		case assay.Scored:
			// A case with more facts than labels has facts from elsewhere.
			if s.Den > most || s.Num > s.Den {
				return 0, 0, false
			}
			lost, all = lost+s.Num, all+s.Den
		case assay.NotApplicable, assay.Abstained:
		default:
			open += most
		}
	}
	if all+open == 0 {
		return 0, 0, false
	}
	return lost / (all + open), (lost + open) / (all + open), true
}
