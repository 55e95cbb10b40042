package words_test

import (
	"math"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// settles is the end of a sentence that says how many cases would show the difference.
func settles(cases string) string {
	return ", and about " + cases + " would show a difference as large as this one."
}

func TestDifference(t *testing.T) {
	t.Parallel()
	ratio := assay.MetricInfo{Name: "mrr", Title: "MRR", Better: "higher", Range: [2]float64{0, 1}}
	errorRate := assay.MetricInfo{Name: "cer", Title: "CER", Better: "lower", Range: [2]float64{0, math.MaxFloat64}}
	points := assay.MetricInfo{Name: "chrf", Title: "chrF", Better: "higher", Unit: "points", Range: [2]float64{0, 100}}
	between := assay.MetricInfo{Name: "r", Title: "r", Better: "higher", Range: [2]float64{-1, 1}}
	mde := func(v float64) *float64 { return &v }
	// gains is a difference of 200 cases that is shown.
	gains := func(old, new, lo, hi, p float64) stats.Comparison {
		return stats.Comparison{
			N: 200, Old: old, New: new, Diff: new - old, CI: &stats.Interval{Lo: lo, Hi: hi}, Level: 0.95, P: p, PAdjusted: p,
			Wins: 80, Ties: 90, Losses: 30, MDE: mde(0.0496),
		}
	}
	open := func(c stats.Comparison, settle float64) stats.Comparison {
		c.P, c.PAdjusted, c.Settle = 0.76, 0.76, settle
		return c
	}
	const none = "No difference in MRR can be shown between dense and hybrid "
	for _, test := range []struct {
		name     string
		metric   assay.MetricInfo
		d        stats.Comparison
		clusters int
		want     string
	}{
		// 0.108/0.72 = 15 %.
		{"as in the specification", ratio, gains(0.72, 0.828, 0.064, 0.152, 0.002), 200,
			"hybrid improves MRR by 15 % over dense (0.720 → 0.828, 95 % CI +0.064…+0.152, p = 0.002, n = 200)."},
		{"a small share has a decimal", ratio, gains(0.812, 0.847, 0.006, 0.064, 0.016), 200,
			"hybrid improves MRR by 4.3 % over dense (0.812 → 0.847, 95 % CI +0.006…+0.064, p = 0.016, n = 200)."},
		{"worse", ratio, gains(0.84, 0.7, -0.19, -0.09, 0.0001), 200,
			"hybrid worsens MRR by 17 % over dense (0.840 → 0.700, 95 % CI −0.190…−0.090, p < 0.001, n = 200)."},
		{"less is better", errorRate, gains(0.4, 0.3, -0.15, -0.05, 0.002), 200,
			"hybrid improves CER by 25 % over dense (0.400 → 0.300, 95 % CI −0.150…−0.050, p = 0.002, n = 200)."},
		{"less is better, and it is more", errorRate, gains(0.3, 0.4, 0.05, 0.15, 0.002), 200,
			"hybrid worsens CER by 33 % over dense (0.300 → 0.400, 95 % CI +0.050…+0.150, p = 0.002, n = 200)."},
		{"a unit", points, gains(40, 44, 2, 6, 0.002), 200,
			"hybrid improves chrF by 10 % over dense (40.0 → 44.0 points, 95 % CI +2.0…+6.0, p = 0.002, n = 200)."},
		{"a mean near 0 has no share", ratio, gains(0.04, 0.08, 0.01, 0.07, 0.002), 200,
			"hybrid improves MRR over dense (0.040 → 0.080, 95 % CI +0.010…+0.070, p = 0.002, n = 200)."},
		{"near 0 is a matter of the scale", points, gains(4, 8, 1, 7, 0.002), 200,
			"hybrid improves chrF over dense (4.0 → 8.0 points, 95 % CI +1.0…+7.0, p = 0.002, n = 200)."},
		{"a scale without a natural 0 has no share", between, gains(0.4, 0.5, 0.05, 0.15, 0.002), 200,
			"hybrid improves r over dense (0.400 → 0.500, 95 % CI +0.050…+0.150, p = 0.002, n = 200)."},
		{"groups", ratio, gains(0.72, 0.828, 0.064, 0.152, 0.002), 40,
			"hybrid improves MRR by 15 % over dense (0.720 → 0.828, 95 % CI +0.064…+0.152, p = 0.002, n = 200 in 40 groups)."},
		{"an end near 0 does not look like it", ratio, gains(0.72, 0.74, 0.0003, 0.04, 0.048), 200,
			"hybrid improves MRR by 2.8 % over dense (0.720 → 0.740, 95 % CI +0.0003…+0.0400, p = 0.048, n = 200)."},
		{"nothing shown", ratio, open(gains(0.655, 0.661, -0.02, 0.032, 0), 9287), 200,
			none + "(0.655 → 0.661, 95 % CI −0.020…+0.032, p = 0.760, n = 200); " +
				"200 cases can detect 0.05 or more" + settles("9300")},
		{"nothing shown, in points", points, func() stats.Comparison {
			c := open(gains(40, 41, -2, 4, 0), 3650)
			c.MDE = mde(4.21)
			return c
		}(), 200, "No difference in chrF can be shown between dense and hybrid " +
			"(40.0 → 41.0 points, 95 % CI −2.0…+4.0, p = 0.760, n = 200); " +
			"200 cases can detect 4.3 points or more" + settles("3700")},
		{"shown but for the other tests", ratio, func() stats.Comparison {
			c := gains(0.655, 0.68, 0.002, 0.05, 0.02)
			c.PAdjusted, c.Settle = 0.12, 455
			return c
		}(), 200, none + "(0.655 → 0.680, 95 % CI +0.002…+0.050, p = 0.120 corrected for 6 tests, n = 200); " +
			"200 cases can detect 0.05 or more" + settles("460")},
		{"cases that one run lacks", ratio, func() stats.Comparison {
			c := gains(0.72, 0.828, 0.064, 0.152, 0.002)
			c.Dropped = 10
			return c
		}(), 200, "hybrid improves MRR by 15 % over dense (0.720 → 0.828, 95 % CI +0.064…+0.152, p = 0.002, n = 200 scored in both)."},
		{"no case differs", ratio, stats.Comparison{
			N: 46, Old: 0.5, New: 0.5, CI: &stats.Interval{}, Level: 0.95, P: 1, PAdjusted: 1, Ties: 46,
		}, 46,
			none + "(0.500 → 0.500, 95 % CI 0…0, p = 1.000, n = 46); all 46 cases have the same value in both."},
		{"one case", ratio, stats.Comparison{
			N: 1, Old: 0.5, New: 0.5, Level: 0.95, P: 1, PAdjusted: 1, Ties: 1,
		}, 1,
			none + "(0.500 → 0.500, p = 1.000, n = 1); the only case has the same value in both."},
		{"no pair", ratio, stats.Comparison{Level: 0.95, P: 1, PAdjusted: 1}, 0,
			"No case has a score of MRR in both hybrid and dense."},
		{"the mean against most cases", ratio, func() stats.Comparison {
			c := gains(0.72, 0.828, 0.064, 0.152, 0.002)
			c.Wins, c.Losses, c.Disagree = 30, 80, true
			return c
		}(), 200, "hybrid improves MRR by 15 % over dense (0.720 → 0.828, 95 % CI +0.064…+0.152, p = 0.002, n = 200)." +
			" But more cases get worse (80) than better (30)."},
		{"the mean against most cases, less is better", errorRate, func() stats.Comparison {
			c := gains(0.3, 0.4, 0.05, 0.15, 0.002)
			c.Wins, c.Losses, c.Disagree = 30, 80, true
			return c
		}(), 200, "hybrid worsens CER by 33 % over dense (0.300 → 0.400, 95 % CI +0.050…+0.150, p = 0.002, n = 200)." +
			" But more cases get better (80) than worse (30)."},
		// 1,000 A/A comparisons have hundreds of these: 15 cases better, 13 worse.
		{"the mean against most cases, by chance", ratio, func() stats.Comparison {
			c := open(gains(0.655, 0.65, -0.04, 0.03, 0), 20_000)
			c.Wins, c.Losses, c.SignP, c.Disagree = 15, 13, 0.85, true
			return c
		}(), 200, none + "(0.655 → 0.650, 95 % CI −0.040…+0.030, p = 0.760, n = 200); " +
			"200 cases can detect 0.05 or more" + settles("20000")},
		{"the mean against most cases, which are more than chance", ratio, func() stats.Comparison {
			c := open(gains(0.655, 0.65, -0.04, 0.03, 0), 20_000)
			c.Wins, c.Losses, c.SignP, c.Disagree = 80, 30, 0.000002, true
			return c
		}(), 200, none + "(0.655 → 0.650, 95 % CI −0.040…+0.030, p = 0.760, n = 200); 200 cases can detect 0.05 or more" + settles("20000") +
			" But more cases get better (80) than worse (30)."},
		// Two cases have no interval: 2/2² is above 0.05.
		{"too few cases", ratio, stats.Comparison{
			N: 2, Old: 0.5, New: 0.52, Diff: 0.02, Level: 0.95, P: 0.5, PAdjusted: 0.5, Wins: 2, MDE: mde(0.0005),
		}, 2,
			none + "(0.500 → 0.520, p = 0.500, n = 2); 2 cases are too few to show any."},
		{"one case that differs", ratio, stats.Comparison{
			N: 1, Old: 0.5, New: 1, Diff: 0.5, Level: 0.95, P: 1, PAdjusted: 1, Wins: 1,
		}, 1,
			none + "(0.500 → 1.000, p = 1.000, n = 1); 1 case is too few to show any."},
		{"too few groups", ratio, stats.Comparison{
			N: 200, Old: 0.5, New: 0.52, Diff: 0.02, Level: 0.95, P: 0.25, PAdjusted: 0.25, Wins: 80, MDE: mde(0.01),
		}, 3,
			none + "(0.500 → 0.520, p = 0.250, n = 200 in 3 groups); 3 groups are too few to show any."},
		// There are enough cases, and no interval for another reason.
		{"a test without intervals", ratio, stats.Comparison{
			N: 100, Old: 0.5, New: 0.52, Diff: 0.02, Level: 0.95, P: 0.585, PAdjusted: 0.585, Wins: 12, Losses: 18, Test: stats.SignedRank,
			Groups: 100, Fewest: 6,
		}, 100, none + "(0.500 → 0.520, p = 0.585, n = 100)."},
		{"a judge near chance", func() assay.MetricInfo {
			m := ratio
			m.NearChance = "true_false"
			return m
		}(), stats.Comparison{
			N: 100, Old: 0.5, New: 0.52, Diff: 0.02, Level: 0.95, P: 0.585, PAdjusted: 0.585, Wins: 12, Losses: 18, Groups: 60, Fewest: 5,
		}, 60, none + "(0.500 → 0.520, judge can be near chance, p = 0.585, n = 100 in 60 groups)."},
	} {
		c := summary.Comparison{Runs: []string{"dense", "hybrid"}, Level: 0.95, Tests: 6}
		row := summary.ComparisonRow{MetricInfo: test.metric, Differences: []stats.Comparison{test.d}, Clusters: []int{test.clusters}}
		got := words.English.Difference(c, row, 1)
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}
