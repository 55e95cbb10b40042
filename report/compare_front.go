package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A place is the standing of a run in quality, cost and latency, in words.
type place struct {
	Run     string
	Quality string
	Ends    string
	N       int
	Cost    string
	Latency string
	// Dominated names the run that is better, or is "". Tied names the runs that do
	// not differ significantly in quality.
	Dominated, Tied string
}

// places returns the runs with their quality, cost and latency. It returns nil if
// neither cost nor latency is known for any run.
func (c *Comparison) places(w words.Words) []place {
	m, ok := c.primary()
	known := slices.ContainsFunc(c.Standings, func(s summary.Standing) bool { return s.Cost != nil || s.Latency != nil })
	if !ok || !known {
		return nil
	}
	var out []place
	for _, s := range c.Standings {
		p := place{Run: line(s.Run), Quality: mean(m, s.Quality), Ends: ends(w, m, s.Quality), N: s.Quality.N, Cost: "–", Latency: "–",
			Dominated: line(s.Dominated)}
		if s.Cost != nil {
			p.Cost = caseCost(*s.Cost)
		}
		if s.Latency != nil {
			p.Latency = duration(*s.Latency)
		}
		var tied []string
		for _, t := range s.Tied {
			tied = append(tied, line(t))
		}
		p.Tied = strings.Join(tied, ", ")
		out = append(out, p)
	}
	return out
}

// primary returns the metric that the standings use.
func (c *Comparison) primary() (assay.MetricInfo, bool) {
	for _, r := range c.Rows {
		if r.Name == c.Primary {
			return r.MetricInfo, true
		}
	}
	return assay.MetricInfo{}, false
}

// priced reports whether the cost of any run is known.
func (c *Comparison) priced() bool {
	return slices.ContainsFunc(c.Standings, func(s summary.Standing) bool { return s.Cost != nil })
}

// caseCost formats the cost of one case. It keeps at least two significant digits,
// because a case costs a fraction of a cent.
func caseCost(micro int64) string {
	v := float64(micro) / 1e6
	places := 2
	for places < 6 && v > 0 && v < math.Pow10(1-places) {
		places++
	}
	return "$" + strconv.FormatFloat(v, 'f', places, 64)
}
