package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
)

// digits returns the number of decimals for a value of the metric: three for a ratio,
// one for anything with a unit.
func digits(m assay.MetricInfo) int {
	if m.Unit == "" {
		return 3
	}
	return 1
}

// number formats a value of the metric.
func number(m assay.MetricInfo, v float64) string {
	s := fmt.Sprintf("%.*f", digits(m), v)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// signed formats a difference with U+2212 as the minus sign.
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

// mean formats the estimate's mean, or returns a dash if there is none.
func mean(m assay.MetricInfo, e stats.Estimate) string {
	if e.N == 0 {
		return "–"
	}
	return against(m, e.Mean)
}

// ends formats the interval of an estimate, or returns "" if there is no mean, "–" if
// the cases are too few, see [stats.Readable], and that the judge is near chance if it is. It
// shows both ends because intervals of proportions, and intervals that stop at the end
// of the scale, are not symmetric about the mean.
func ends(w words.Words, m assay.MetricInfo, e stats.Estimate) string {
	switch {
	case e.N == 0:
		return ""
	case m.NearChance != "":
		return w.Names().NearChance
	}
	if e.CI == nil && e.N < stats.Readable {
		return "–"
	}
	return interval(m, e.CI)
}

// compact formats an estimate for one cell: "0.854 [0.716…0.931] (36)".
func compact(w words.Words, m assay.MetricInfo, e stats.Estimate) string {
	if e.N == 0 {
		return mean(m, e)
	}
	if e.CI == nil && e.N < stats.Readable && m.NearChance == "" {
		return fmt.Sprintf("%s (%d)", mean(m, e), e.N)
	}
	return fmt.Sprintf("%s [%s] (%d)", mean(m, e), ends(w, m, e), e.N)
}

// interval formats an interval: "0.781…0.843"; "?" if it is not known.
func interval(m assay.MetricInfo, i *stats.Interval) string {
	if i == nil {
		return "?"
	}
	return number(m, i.Lo) + "…" + number(m, i.Hi)
}

// open reports whether the mean is uncertain because cases could not be scored or
// rulings are missing. An uncertainty of less than half a thousandth of the metric's
// range does not show in a table and is ignored unless a case has no score.
func open(m assay.MetricInfo, e stats.Estimate) bool {
	shown := (m.Range[1] - m.Range[0]) / 2000
	return e.Bounds != nil && (e.Failed > 0 || e.Mean-e.Bounds.Lo > shown || e.Bounds.Hi-e.Mean > shown)
}

// percent formats a level such as 0.95 as "95 %".
func percent(level float64) string { return fmt.Sprintf("%.4g %%", 100*level) }

// duration formats a time with about three significant digits.
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

// took returns how long a response took, or nil if that is not known, as for responses
// that were recorded elsewhere.
func took(p *assay.Response) *milliseconds {
	if p == nil {
		return nil
	}
	return unlessZero(milliseconds(p.Latency))
}
