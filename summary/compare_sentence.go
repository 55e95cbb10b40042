package summary

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// Sentence says in words that can be quoted what the comparison of run i, from
// 1, with the first shows for the metric of the row:
//
//	hybrid improves MRR by 15 % over dense (0.720 → 0.828, 95 % CI +0.064…+0.152, p = 0.002, n = 200).
//	No difference in MRR can be shown between dense and hybrid (0.720 → 0.728, 95 % CI −0.021…+0.037, p = 0.594, n = 200); 200 cases can detect 0.05 or more.
//
// p is the corrected one.
func (c Comparison) Sentence(row ComparisonRow, i int) string {
	d, m := row.Differences[i-1], row.MetricInfo
	old, new := c.Runs[0], c.Runs[i]
	if d.N == 0 {
		return fmt.Sprintf("%s and %s share no case that %s applies to.", new, old, m.Title)
	}
	shown := Shown(d)
	var in []string
	in = append(in, value(m, d.Old)+" → "+value(m, d.New)+unit(m))
	if d.CI != nil {
		in = append(in, fmt.Sprintf("%.4g %% CI %s", 100*d.Level, Ends(m, *d.CI)))
	}
	p := "p " + relation(d.PAdjusted)
	if !shown && d.P < 1-d.Level {
		p += fmt.Sprintf(" corrected for %d tests", c.Tests)
	}
	n := fmt.Sprintf("n = %d", d.N)
	if g := row.groups(i); g < d.N {
		n += fmt.Sprintf(" in %d groups", g)
	}
	numbers := " (" + strings.Join(append(in, p, n), ", ") + ")"
	if !shown {
		return fmt.Sprintf("No difference in %s can be shown between %s and %s%s%s.", m.Title, old, new, numbers, row.detects(i)) + against(m, d)
	}
	verb := "improves"
	if (d.Diff < 0) != (m.Better == "lower") {
		verb = "worsens"
	}
	return fmt.Sprintf("%s %s %s%s over %s%s.", new, verb, m.Title, relative(m, d), old, numbers) + against(m, d)
}

// groups gives the number of clusters of a difference; that of its pairs when
// nobody counted them.
func (row ComparisonRow) groups(i int) int {
	if i > len(row.Clusters) {
		return row.Differences[i-1].N
	}
	return row.Clusters[i-1]
}

// detects says what so many cases can show; nothing where every case differs by
// the same.
func (row ComparisonRow) detects(i int) string {
	d, groups := row.Differences[i-1], row.groups(i)
	mde, ok := Detects(d)
	switch {
	case d.Wins+d.Losses == 0 && d.N == 1:
		return "; the only case has the same value in both"
	case d.Wins+d.Losses == 0:
		return fmt.Sprintf("; all %d cases have the same value in both", d.N)
	case d.CI == nil && groups < d.N:
		return fmt.Sprintf("; %s too few to show any", areMany(groups, "group"))
	case d.CI == nil:
		return fmt.Sprintf("; %s too few to show any", areMany(d.N, "case"))
	case !ok:
		return ""
	}
	return fmt.Sprintf("; %d cases can detect %s%s or more", d.N, RoundedUp(mde), unit(row.MetricInfo))
}

func areMany(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return fmt.Sprintf("%d %ss are", n, what)
}

// against says that most cases moved against the mean.
func against(m assay.MetricInfo, d stats.Comparison) string {
	better, worse := sides(m, d)
	switch {
	case !disagrees(d):
		return ""
	case better > worse:
		return fmt.Sprintf(" But more cases get better (%d) than worse (%d).", better, worse)
	}
	return fmt.Sprintf(" But more cases get worse (%d) than better (%d).", worse, better)
}

// relative gives " by 15 %", or nothing where the old mean is so near to 0 that
// a percentage of it would mislead, or the scale has no natural 0.
func relative(m assay.MetricInfo, d stats.Comparison) string {
	scale := 1.0
	if m.Range[1] < math.MaxFloat64 && m.Range[1] > m.Range[0] {
		scale = m.Range[1] - m.Range[0]
	}
	if m.Range[0] < 0 || d.Old < 0.05*scale {
		return ""
	}
	share := 100 * math.Abs(d.Diff) / d.Old
	if share < 9.95 {
		return fmt.Sprintf(" by %.1f %%", share)
	}
	return fmt.Sprintf(" by %.0f %%", share)
}

// P formats a p-value: three decimals, "<0.001" below.
func P(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// relation gives "= 0.012" or "< 0.001".
func relation(p float64) string {
	if s, below := strings.CutPrefix(P(p), "<"); below {
		return "< " + s
	}
	return "= " + P(p)
}

// decimals is a thousandth of a ratio, a tenth of anything with a unit.
func decimals(m assay.MetricInfo) int {
	if m.Unit == "" {
		return 3
	}
	return 1
}

func value(m assay.MetricInfo, v float64) string { return fmt.Sprintf("%.*f", decimals(m), v) }

func unit(m assay.MetricInfo) string {
	if m.Unit == "" {
		return ""
	}
	return " " + m.Unit
}

// Ends writes the ends of an interval of differences with signs:
// "−0.021…+0.037". An end that is not 0 has decimals enough not to look like it.
func Ends(m assay.MetricInfo, i stats.Interval) string {
	places := decimals(m)
	for places < 6 && (vanishes(i.Lo, places) || vanishes(i.Hi, places)) {
		places++
	}
	return signed(i.Lo, places) + "…" + signed(i.Hi, places)
}

// vanishes reports whether an end would be written as 0 without being as good
// as 0.
func vanishes(v float64, places int) bool {
	return math.Abs(v) >= 1e-6 && math.Abs(v) < 0.5*math.Pow10(-places)
}

// signed writes a difference with a true minus sign; one that rounds to 0 has
// none.
func signed(v float64, places int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', places, 64)
	switch {
	case strings.Trim(s, "0.") == "":
		return "0"
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

// RoundedUp gives two significant digits, upwards: what can be detected must not
// look smaller than it is.
func RoundedUp(v float64) string {
	if v <= 0 {
		return "0"
	}
	step := math.Pow10(int(math.Floor(math.Log10(v))) - 1)
	// A rounding error of the division is no reason to go one step up.
	return strconv.FormatFloat(math.Ceil(v/step-1e-9)*step, 'g', 2, 64)
}
