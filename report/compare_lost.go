package report

import "github.com/assay-eval/assay/summary"

// compareLost compares the waterfall of each run with the first one's.
func compareLost(reports []*Report, level float64, seed uint64) [][]summary.LostDifference {
	var out [][]summary.LostDifference
	found := false
	for _, r := range reports[1:] {
		var d []summary.LostDifference
		if reports[0].Summary.Waterfall != nil && r.Summary.Waterfall != nil {
			d = summary.CompareWaterfalls(reports[0].Cases, r.Cases, level, seed)
			if n := len(d); n > 0 {
				d[n-1].Retrieval = reports[0].Summary.Waterfall.Retrieval && r.Summary.Waterfall.Retrieval
			}
		}
		found = found || d != nil
		out = append(out, d)
	}
	if !found {
		return nil
	}
	return out
}

// A lostJSON compares the waterfall of a run with the baseline's.
type lostJSON struct {
	Stages []summary.LostDifference `json:"stages"`
	Answer summary.LostDifference   `json:"answered"`
}

// newLostJSON returns the differences by run, or nil if no two runs were followed.
func newLostJSON(c *Comparison) *object[*lostJSON] {
	if c.Lost == nil {
		return nil
	}
	var out object[*lostJSON]
	for i, lost := range c.Lost {
		if len(lost) == 0 {
			continue
		}
		j := &lostJSON{Stages: []summary.LostDifference{}}
		for _, d := range lost {
			if d.Stage == "" {
				j.Answer = d
			} else {
				j.Stages = append(j.Stages, d)
			}
		}
		out.put(c.Runs[i+1], j)
	}
	return &out
}
