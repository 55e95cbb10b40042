package stats

import (
	"math"
)

// An Outcome is which of two systems did better on one case: from 1, the new one in every
// way, over 0, neither, to −1, the old one.
type Outcome struct {
	Value float64
	// Cluster is "" for an independent case, Case the case's id; see [Pair].
	Cluster, Case string
}

// A WinRate is how often the new one of two systems does better than the old one.
type WinRate struct {
	// N counts the cases: Better, Same and Worse.
	N      int `json:"n"`
	Better int `json:"better"`
	Same   int `json:"same"`
	Worse  int `json:"worse"`
	// Rate is the mean of (1 + outcome)/2: a tie counts a half. 0.5 is no difference. CI is
	// its interval, which leaves out 0.5 exactly if PAdjusted is below 1 − Level; nil if
	// there are too few cases.
	Rate  float64   `json:"win_rate"`
	CI    *Interval `json:"ci"`
	Level float64   `json:"level"`
	// P is the p-value of the sign-flip test of [CompareAll], PAdjusted the one that is
	// corrected for all pairs of systems ([CompareTogether]). SignP is that of the sign
	// test on Better and Worse.
	P         float64 `json:"p"`
	PAdjusted float64 `json:"p_adjusted"`
	SignP     float64 `json:"sign_p"`
	// Clusters counts the independent groups of cases.
	Clusters int `json:"clusters"`
}

// Shown reports whether one system does better, at the level.
func (w WinRate) Shown() bool { return w.N > 0 && w.PAdjusted < 1-w.Level }

// WinRates tests, for each pair of systems, whether the mean outcome of its cases is 0: the
// sign-flip test, which flips whole clusters, with the intervals that invert it. The pairs
// are tested together.
func WinRates(pairs [][]Outcome, level float64, seed uint64) []WinRate {
	metrics := make([][]Pair, len(pairs))
	for i, outcomes := range pairs {
		for _, o := range outcomes {
			// The two values are the case's part of the two win rates, which are 0 to 1.
			metrics[i] = append(metrics[i], Pair{Old: (1 - o.Value) / 2, New: (1 + o.Value) / 2, Cluster: o.Cluster, Case: o.Case})
		}
	}
	out := make([]WinRate, len(pairs))
	for i, c := range CompareTogether(SignFlip, metrics, level, seed) {
		w := WinRate{N: c.N, Better: c.Wins, Same: c.Ties, Worse: c.Losses, Rate: c.New, Level: c.Level,
			P: c.P, PAdjusted: c.PAdjusted, SignP: c.SignP, Clusters: len(clusters(changes(metrics[i])))}
		if c.CI != nil {
			w.CI = &Interval{rateOf(c.CI.Lo), rateOf(c.CI.Hi)}
		}
		out[i] = w
	}
	return out
}

// rateOf returns the win rate of a mean outcome, which is not one half unless the outcome is 0.
func rateOf(outcome float64) float64 {
	rate := min(max((1+outcome)/2, 0), 1)
	if rate == 0.5 && outcome != 0 {
		return math.Nextafter(rate, math.Copysign(1, outcome))
	}
	return rate
}
