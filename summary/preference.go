package summary

import (
	"cmp"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// Preferences are the verdicts of a judge that compared the answers of runs in pairs.
type Preferences struct {
	Judge assay.JudgeInfo `json:"judge"`
	// Baseline is set if each run was compared with the first alone, not all with each other.
	Baseline bool             `json:"baseline_only,omitempty"`
	Pairs    []PreferencePair `json:"pairs"`
	// Bias is that of all pairs together.
	Bias PositionBias `json:"position_bias,omitzero"`
}

// A PreferencePair is what a judge prefers of two runs. Its win rate is that of the new run.
type PreferencePair struct {
	Old string `json:"old"`
	New string `json:"new"`
	stats.WinRate
	// Once counts the cases of Better and Worse in which the judge preferred an answer in
	// one order and neither in the other.
	Once int `json:"in_one_order"`
	// Opposed counts the cases of Same in which the judge preferred the same place twice, so
	// that the order decided.
	Opposed int `json:"opposed"`
	// Judged counts the cases with a ruling, Equal the ties of equal answers, which needed
	// none, Unjudged the cases without a usable ruling, which count for nobody.
	Judged   int `json:"judged"`
	Equal    int `json:"equal"`
	Unjudged int `json:"unjudged"`
	// Addressed counts the cases in which a response seems to address the judge. Those on which
	// it rules otherwise without these words are among the unjudged ones.
	Addressed int `json:"addresses_judge"`
	// Failed counts the cases in which the target failed in the old run alone, and in the new
	// one alone, which are lost by that run; BothFailed those in which it failed in both, which
	// are ties. Declined counts the empty answers of each.
	Failed     [2]int       `json:"target_failed"`
	BothFailed int          `json:"both_failed"`
	Declined   [2]int       `json:"empty"`
	Bias       PositionBias `json:"position_bias,omitzero"`
	// Agreement is nil if no metric compares the runs on these cases.
	Agreement *Agreement         `json:"agreement,omitempty"`
	Cases     []assay.Preference `json:"cases"`
}

// A PositionBias is how much more often a judge prefers the answer that it reads first.
type PositionBias struct {
	// N counts the cases that were judged, in both orders.
	N int `json:"n"`
	// Bias is the share of the rulings for the first answer minus that for the second one.
	// Both orders count alike, so that the win rate is free of it.
	Bias float64         `json:"bias"`
	CI   *stats.Interval `json:"ci"`
	// P is the p-value of the sign-flip test that there is none.
	P float64 `json:"p"`
}

// Shown reports whether the judge prefers a place, at the level of the interval.
func (b PositionBias) Shown() bool { return b.CI != nil && !b.CI.Contains(0) }

// An Agreement compares the preferences with the sign of a metric's difference.
type Agreement struct {
	Metric string `json:"metric"`
	// N counts the cases with both, Same those with the same verdict: better, worse or
	// neither.
	N    int `json:"n"`
	Same int `json:"same"`
	// Share is Same of N.
	Share float64         `json:"share"`
	CI    *stats.Interval `json:"ci"`
	// Kappa is Cohen's kappa with linear weights; nil if it is undefined.
	Kappa *float64 `json:"kappa"`
	// Against are the cases in which one prefers the old run and the other the new one.
	Against []string `json:"against"`
}

// Preferred are the preferences between two runs, by their index.
type Preferred struct {
	Old, New int
	Cases    []assay.Preference
}

// OfPreferences summarises preferences. metric is compared with them; "" if there is none.
func (c *Comparison) OfPreferences(judge assay.JudgeInfo, found []Preferred, runs []*columns.Table, metric assay.MetricInfo,
	seed uint64) *Preferences {
	out := &Preferences{Judge: judge, Baseline: len(runs) > 2 && len(found) < len(runs)*(len(runs)-1)/2}
	var all [][]stats.Outcome
	var places []stats.Outcome
	for _, f := range found {
		p := PreferencePair{Old: c.Runs[f.Old], New: c.Runs[f.New], Cases: f.Cases}
		var outcomes, own []stats.Outcome
		for _, one := range f.Cases {
			p.count(one)
			if !one.Counts() {
				continue
			}
			o := stats.Outcome{Value: one.Value, Cluster: one.Cluster, Case: one.Case}
			outcomes = append(outcomes, o)
			if one.Orders != nil {
				o.Value = float64(one.Orders[0]+one.Orders[1]) / 2
				own = append(own, o)
				// The pairs of one case depend on each other.
				o.Cluster = cmp.Or(o.Cluster, "case "+o.Case)
				places = append(places, o)
			}
		}
		p.Bias = positionBias(own, c.Level, seed)
		if metric.Name != "" {
			p.Agreement = agreement(metric, runs[f.Old], runs[f.New], f.Cases, c.Level)
		}
		all, out.Pairs = append(all, outcomes), append(out.Pairs, p)
	}
	for i, w := range stats.WinRates(all, c.Level, seed) {
		out.Pairs[i].WinRate = w
	}
	if out.Bias = positionBias(places, c.Level, seed); len(found) == 1 {
		out.Bias = out.Pairs[0].Bias
	}
	return out
}

// count adds a preference to the counts.
func (p *PreferencePair) count(one assay.Preference) {
	switch one.How {
	case assay.PreferenceJudged:
		p.Judged++
	case assay.PreferenceEqual:
		p.Equal++
	case assay.PreferenceUnjudged:
		p.Unjudged++
	case assay.PreferenceFailed:
		switch {
		case one.Value > 0:
			p.Failed[0]++
		case one.Value < 0:
			p.Failed[1]++
		default:
			p.BothFailed++
		}
	}
	switch {
	case math.Abs(one.Value) == 0.5:
		p.Once++
	case one.Value == 0 && one.Orders != nil && one.Orders[0] != 0:
		p.Opposed++
	}
	if one.Addressed {
		p.Addressed++
	}
	for i, empty := range one.Declined {
		if empty {
			p.Declined[i]++
		}
	}
}

// positionBias takes the two places for systems: the bias is the win rate of the first one.
func positionBias(places []stats.Outcome, level float64, seed uint64) PositionBias {
	w := stats.WinRates([][]stats.Outcome{places}, level, seed)[0]
	b := PositionBias{N: w.N}
	if w.N == 0 {
		return b
	}
	b.Bias, b.P = 2*w.Rate-1, w.P
	if w.CI != nil {
		b.CI = &stats.Interval{Lo: 2*w.CI.Lo - 1, Hi: 2*w.CI.Hi - 1}
	}
	return b
}

// agreement compares preferences with the differences of a metric.
func agreement(m assay.MetricInfo, old, young *columns.Table, cases []assay.Preference, level float64) *Agreement {
	pairs, _ := PairsOf(m, old, young)
	signs := map[string]int{}
	for _, p := range pairs {
		signs[p.Case] = signOf(p.New - p.Old)
		if m.Better == "lower" {
			signs[p.Case] *= -1
		}
	}
	out := &Agreement{Metric: m.Name, Against: []string{}}
	var by, metric []int
	var same []stats.Sample
	for _, one := range cases {
		sign, ok := signs[one.Case]
		if !ok || !one.Counts() {
			continue
		}
		judged := signOf(one.Value)
		by, metric = append(by, judged), append(metric, sign)
		s := stats.Sample{Cluster: one.Cluster}
		switch {
		case judged == sign:
			s.Value = 1
			out.Same++
		case judged == -sign:
			out.Against = append(out.Against, one.Case)
		}
		same = append(same, s)
	}
	if len(same) == 0 {
		return nil
	}
	e := stats.Mean(same, level)
	out.N, out.Share, out.CI = e.N, e.Mean, e.CI
	if k, ok := stats.WeightedKappa(by, metric, -1, 1, stats.Linear); ok {
		out.Kappa = &k
	}
	return out
}

// signOf takes differences that are due to rounding for none.
func signOf(v float64) int {
	switch {
	case v > 1e-9:
		return 1
	case v < -1e-9:
		return -1
	}
	return 0
}
