package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// Difference returns a sentence that can be quoted:
//
//	hybrid improves MRR by 15 % over dense (0.720 → 0.828, 95 % CI +0.064…+0.152, p = 0.002, n = 200).
//	No difference in MRR can be shown between dense and hybrid (0.720 → 0.728, 95 % CI −0.021…+0.037, p = 0.594,
//	n = 200); 200 cases can detect 0.05 or more, and about 6100 would show a difference as large as this one.
//
// p is the corrected p-value.
func (e English) Difference(c summary.Comparison, row summary.ComparisonRow, i int) string {
	d, m := row.Differences[i-1], row.MetricInfo
	old, new := c.Runs[0], c.Runs[i]
	if d.N == 0 {
		return fmt.Sprintf("%s and %s share no case that %s applies to.", new, old, m.Title)
	}
	in := []string{summary.Amount(m, d.Old) + " → " + summary.Amount(m, d.New) + unit(m)}
	if m.NearChance != "" {
		in = append(in, e.NearChance())
	}
	if d.CI != nil {
		in = append(in, fmt.Sprintf("%.4g %% CI %s", 100*d.Level, summary.Ends(m, *d.CI)))
	}
	p, shown := probability(d.PAdjusted), summary.Shown(d)
	if m.Estimate {
		in = append(in, fmt.Sprintf("n = %d", d.N))
		return fmt.Sprintf("Estimates of %s, without a verdict: %s for %s against %s (%s).", m.Title, summary.Signed(m, d.Diff), new, old,
			strings.Join(in, ", "))
	}
	if !shown && d.P < 1-d.Level {
		p += fmt.Sprintf(" corrected for %d tests", c.Family(m.Name))
	}
	n := fmt.Sprintf("n = %d", d.N)
	if d.Dropped > 0 {
		n += " scored in both"
	}
	if g := row.Groups(i); g < d.N {
		n += fmt.Sprintf(" in %d groups", g)
	}
	numbers := " (" + strings.Join(append(in, p, n), ", ") + ")"
	if row.NoWorse(i) {
		return fmt.Sprintf("%s is no worse than %s in %s by more than %g%s, the tolerance of its gate%s.",
			new, old, m.Title, row.Tolerances[i-1], unit(m), numbers) + mostCases(m, d)
	}
	if !shown {
		numbers += detects(row, i)
		return fmt.Sprintf("No difference in %s can be shown between %s and %s%s.", m.Title, old, new, numbers) + mostCases(m, d)
	}
	verb, by := "worsens", ""
	if summary.Improves(m, d) {
		verb = "improves"
	}
	if share, ok := summary.RelativeChange(m, d); ok {
		by = " by " + relative(share)
	}
	return fmt.Sprintf("%s %s %s%s over %s%s.", new, verb, m.Title, by, old, numbers) + mostCases(m, d)
}

// detects returns what this many cases can detect, or "" if every case differs by the
// same amount.
func detects(row summary.ComparisonRow, i int) string {
	d, groups := row.Differences[i-1], row.Groups(i)
	mde, ok := summary.Detects(row.MetricInfo, d)
	switch {
	case d.Wins+d.Losses == 0 && d.N == 1:
		return "; the only case has the same value in both"
	case d.Wins+d.Losses == 0:
		return fmt.Sprintf("; all %d cases have the same value in both", d.N)
	case d.CI == nil && groups < d.N:
		return "; " + plural(groups, "group is", "groups are") + " too few to show any"
	case d.CI == nil:
		return "; " + plural(d.N, "case is", "cases are") + " too few to show any"
	case !ok:
		return ""
	}
	s := fmt.Sprintf("; %d cases can detect %s%s or more", d.N, summary.RoundedUp(mde), unit(row.MetricInfo))
	if math.IsInf(mde, 0) {
		s = "; " + plural(d.N, "case is", "cases are") + " too few to detect any"
	}
	if n, ok := summary.Settles(d); ok {
		s += fmt.Sprintf(", and about %d would show a difference as large as this one", n)
	}
	return s
}

// mostCases says that most cases changed in the other direction than the mean.
func mostCases(m assay.MetricInfo, d stats.Comparison) string {
	better, worse := summary.Sides(m, d)
	switch {
	case !summary.Disagrees(d):
		return ""
	case better > worse:
		return fmt.Sprintf(" But more cases get better (%d) than worse (%d).", better, worse)
	}
	return fmt.Sprintf(" But more cases get worse (%d) than better (%d).", worse, better)
}

// probability formats a p-value: "p = 0.012", "p < 0.001".
func probability(p float64) string {
	if below, ok := strings.CutPrefix(summary.P(p), "<"); ok {
		return "p < " + below
	}
	return "p = " + summary.P(p)
}

// relative formats a relative change: "4.3 %", "15 %".
func relative(share float64) string {
	if share < 0.0995 {
		return fmt.Sprintf("%.1f %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// unit returns the unit of a metric, for use after a number.
func unit(m assay.MetricInfo) string {
	if m.Unit == "" {
		return ""
	}
	return " " + m.Unit
}

func (English) Detectable(m assay.MetricInfo, mde float64, cases int) string {
	return fmt.Sprintf("%d cases can be expected to detect %s%s or more in %s", cases, summary.RoundedUp(mde), unit(m), m.Title)
}
