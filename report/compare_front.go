package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A place is a run among quality, cost and latency, in words.
type place struct {
	Run     string
	Quality string
	Ends    string
	N       int
	Cost    string
	Latency string
	// Dominated names the run that is better, "" for none. Tied names the runs
	// that cannot be told apart from it in quality.
	Dominated, Tied string
}

// places lists the runs by quality, cost and latency; nil when neither cost nor
// latency of any run is known.
func (c *Comparison) places() []place {
	m, ok := c.primary()
	known := slices.ContainsFunc(c.Standings, func(s summary.Standing) bool { return s.Cost != nil || s.Latency != nil })
	if !ok || !known {
		return nil
	}
	var out []place
	for _, s := range c.Standings {
		p := place{Run: line(s.Run), Quality: mean(m, s.Quality), Ends: ends(m, s.Quality), N: s.Quality.N, Cost: "–", Latency: "–",
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

// primary gives the metric that the standings are by.
func (c *Comparison) primary() (assay.MetricInfo, bool) {
	for _, r := range c.Rows {
		if r.Name == c.Primary {
			return r.MetricInfo, true
		}
	}
	return assay.MetricInfo{}, false
}

// priced reports whether any run tells what it costs.
func (c *Comparison) priced() bool {
	return slices.ContainsFunc(c.Standings, func(s summary.Standing) bool { return s.Cost != nil })
}

// caseCost shows what one case costs, with two significant digits at least: a
// case costs a fraction of a cent.
func caseCost(micro int64) string {
	v := float64(micro) / 1e6
	places := 2
	for places < 6 && v > 0 && v < math.Pow10(1-places) {
		places++
	}
	return "$" + strconv.FormatFloat(v, 'f', places, 64)
}
