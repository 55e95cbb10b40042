package text

import (
	"testing"

	"pgregory.net/rapid"
)

// TestMayHaveDates holds the screen against the expressions that it saves: it lets no text
// pass without them in which they find something.
func TestMayHaveDates(t *testing.T) {
	t.Parallel()
	dates := rapid.SampledFrom([]string{
		"2024-06-25", "2024.6.5T10", "2024年6月25日", "6 月 2 號", "25th of June, 2024", "1 may", "Sept. 3rd 1999", "dec 25", "6/25/2024", "6/2024", "2024-06",
		"2024/12", "2024 年 6 月", "Auguſt 2024", "sepember of 2024", "JAN, of 1999", "3 ſep",
	})
	others := rapid.OneOf(rapid.SampledFrom([]string{"1", "12", "-", "/", ".", " ", "\n", "a", "é", "_", "th", "may"}), rapid.String())
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		s := others.Draw(t, "before") + dates.Draw(t, "date") + others.Draw(t, "after")
		at := rapid.IntRange(0, len(s)).Draw(t, "at")
		s = s[:at] + others.Draw(t, "in between") + s[at:]
		match := datePattern().FindString(s) + loosePattern().FindString(s)
		if match != "" {
			found++
		}
		if match != "" && !mayHaveDates(s) {
			t.Fatalf("%q is not looked at, and has %q", s, match)
		}
	})
	if found == 0 {
		t.Error("no text had a date")
	}
	for _, s := range []string{"", "34.5%, 1,200", "a maybe marching 12", "10.25 - 3", "12/ 3", "2024. 5 things", "1999-a"} {
		if mayHaveDates(s) {
			t.Errorf("%q may have a date", s)
		}
	}
}
