package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// number formats a value of the metric.
func number(m assay.MetricInfo, v float64) string {
	s := fmt.Sprintf("%.*f", summary.Decimals(m), v)
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

// mapped returns what f makes of each element of a list; nil for an empty one.
func mapped[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// edited returns a copy of a list in which edit has changed each element.
func edited[T any](list []T, edit func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		edit(&list[i])
	}
	return list
}

// visible is [text.Visible], under the name that this package uses everywhere.
func visible(s string) string { return text.Visible(s) }

// Cell makes a text safe for a spreadsheet: it gets a leading apostrophe if it would be
// run as a formula.
func Cell(s string) string { return cell(s) }

// line is [document.Line].
func line(s string) string { return document.Line(s) }

// reasonText formats the reason of a score.
func reasonText(w words.Words, reason string, most int) string {
	if reason == assay.NoResponse {
		reason = w.Say("TargetGaveNone", nil)
	}
	return excerpt(w, line(reason), most)
}

// excerpt returns the first most characters of a text and a note of how many are left
// out.
func excerpt(w words.Words, s string, most int) string {
	kept := 0
	for i := range s {
		if kept == most {
			return w.Say("Excerpt", words.V{"kept": strings.TrimRightFunc(s[:i], unicode.IsSpace), "more": utf8.RuneCountInString(s[i:])})
		}
		kept++
	}
	return s
}

// clip is [document.Clip].
func clip(s string, most int) string { return document.Clip(s, most) }

// shellLine joins the words of a command for a shell.
func shellLine(words []string) string { return strings.Join(mapped(words, text.Shell), " ") }
