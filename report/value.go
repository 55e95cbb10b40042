package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
)

// digits is the number of decimals that a value of the metric is shown with: a
// thousandth of a ratio, a tenth of anything with a unit.
func digits(m assay.MetricInfo) int {
	if m.Unit == "" {
		return 3
	}
	return 1
}

// number shows a value of the metric.
func number(m assay.MetricInfo, v float64) string {
	s := fmt.Sprintf("%.*f", digits(m), v)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// signed shows a difference, with a true minus sign.
func signed(m assay.MetricInfo, v float64) string {
	s := number(m, math.Abs(v))
	switch {
	case strings.Trim(s, "0.") == "":
		return "±" + s
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

// mean shows the estimate's mean, or a dash when there is none.
func mean(m assay.MetricInfo, e stats.Estimate) string {
	if e.N == 0 {
		return "–"
	}
	return against(m, e.Mean)
}

// ends shows the interval of an estimate; nothing when there is no mean. Both
// ends are needed: the intervals of proportions, and those that end where the
// scale does, do not lie evenly about the mean.
func ends(m assay.MetricInfo, e stats.Estimate) string {
	if e.N == 0 {
		return ""
	}
	return interval(m, e.CI)
}

// compact shows an estimate in one cell: "0.854 [0.716…0.931] (36)".
func compact(m assay.MetricInfo, e stats.Estimate) string {
	if e.N == 0 {
		return mean(m, e)
	}
	return fmt.Sprintf("%s [%s] (%d)", mean(m, e), ends(m, e), e.N)
}

// interval shows "0.781…0.843"; "?" when it is not known.
func interval(m assay.MetricInfo, i *stats.Interval) string {
	if i == nil {
		return "?"
	}
	return number(m, i.Lo) + "…" + number(m, i.Hi)
}

// open reports whether the mean may lie elsewhere, because cases could not be
// scored or rulings are missing in some: by a case, or by what a table shows.
func open(m assay.MetricInfo, e stats.Estimate) bool {
	shown := (m.Range[1] - m.Range[0]) / 2000
	return e.Bounds != nil && (e.Failed > 0 || e.Mean-e.Bounds.Lo > shown || e.Bounds.Hi-e.Mean > shown)
}

// percent shows a level such as 0.95 as "95 %".
func percent(level float64) string { return fmt.Sprintf("%.4g %%", 100*level) }

// duration shows a time with about three figures.
func duration(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case d == 0:
		return "0 ms"
	case ms < 1:
		return fmt.Sprintf("%.2f ms", ms)
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 999.5:
		return fmt.Sprintf("%.0f ms", ms)
	case d < time.Minute:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%dm %02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%dh %02dm", d/time.Hour, d%time.Hour/time.Minute)
}

func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// took gives how long a response took; nil when that is not known, as of
// responses that were recorded elsewhere.
func took(p *assay.Response) *milliseconds {
	if p == nil {
		return nil
	}
	return unlessZero(milliseconds(p.Latency))
}
