package text

import (
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// clockPattern matches times of day: "17:00", "5 pm", "5:30 p.m.", "5 o'clock", "half past
// 9", "quarter to 5", "下午5點半", "17時30分".
var clockPattern = lazyregexp.New(`\b(\d{1,2}):(\d{2})(?:\s?([ap])\.?m\b)?` +
	`|\b(\d{1,2})\s?(?:([ap])\.?m\b|o'clock\b)` +
	`|\b(half|quarter) (past|to) (\d{1,2})\b(?:\s?([ap])\.?m\b)?` +
	`|(上午|早上|凌晨|中午|下午|傍晚|晚上|晚)?\s?(\d{1,2})\s?[點点時时](?:(\d{1,2})分|(半))?`)

// times returns the dates and times of day of s, in order.
func times(s string) []foundDate {
	out, clocks := looseDates(s), clocks(s)
	if clocks != nil {
		out = append(out, clocks...)
		slices.SortFunc(out, func(a, b foundDate) int { return a.Start - b.Start })
	}
	return out
}

// clocks returns the times of day of s, in order. A time is before noon, after it, or, as
// "5:30", either.
func clocks(s string) []foundDate {
	if !mayHaveClocks(s) {
		return nil
	}
	var out []foundDate
	for _, m := range clockPattern().FindAllStringSubmatchIndex(s, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		first := strings.IndexAny(s[m[0]:], "0123456789")
		if m[0] > 0 && first == 0 && strings.ContainsRune(".:,/", rune(s[m[0]-1])) || strings.HasPrefix(s[m[1]:], ":") {
			continue
		}
		digits := group(1) + group(4) + group(8) + group(11)
		hour, minute := number(digits), number(group(2)+group(12))
		switch {
		case group(13) != "" || group(6) == "half":
			minute = 30
		case group(6) != "":
			minute = 15
		}
		if group(7) == "to" {
			hour, minute = (hour+11)%12, 60-minute
		}
		half := group(3) + group(5) + group(9)
		switch period := group(10); {
		case period == "中午" && hour != 11 || slices.Contains([]string{"下午", "傍晚", "晚上", "晚"}, period) || hour > 12:
			half = "p"
		case period != "" || len(digits) == 2 && digits[0] == '0' || number(digits) == 0:
			half = "a"
		}
		if hour < 24 && minute < 60 {
			out = append(out, foundDate{Span: Span{m[0], m[1]}, clock: &Value{Amount: float64(hour%12*60 + minute), Unit: clock, Coin: half}})
		}
	}
	return out
}

// clockSigns follow a number in a time of day.
var clockSigns = []string{":", "am", "a.m", "pm", "p.m", "o'clock", "點", "点", "時", "时"}

// mayHaveClocks reports whether s has what every time of day has. Few texts do, and the
// expression takes long.
func mayHaveClocks(s string) bool {
	for i := 1; i < len(s); i++ {
		if isDigit(rune(s[i-1])) && !isDigit(rune(s[i])) {
			rest := strings.TrimPrefix(s[i:], " ")
			if slices.ContainsFunc(clockSigns, func(sign string) bool { return strings.HasPrefix(rest, sign) }) {
				return true
			}
		}
	}
	return strings.Contains(s, "half past") || strings.Contains(s, "quarter ")
}
