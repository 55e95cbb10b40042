package web

import "strings"

// frontier leads to the comparison of the latest run of each target over a dataset, which sets
// quality against cost and latency.
func (p *Pages) frontier(r *request) (view, error) {
	runs, primary, err := p.cfg.Backend.LatestOfTargets(r.Context(), r.values.Get("dataset"), r.values.Get("y"))
	if err != nil || len(runs) > 1 {
		return view{Redirect: "/compare" + values{}.with("runs", strings.Join(runs, ","), "primary", primary)}, err
	}
	return view{Template: "choose", Title: r.w.Names().WebNames.ChooseRuns, Place: placeCompare, Data: r.w.Names().FrontierOne}, nil
}
