package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A text that cannot have a date has none.
func TestMayHaveDate(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"1", "12", "2024", "31", " ", " ", "-", "/", ".", "年", "月", "日", "jan", "Sept", "AUGUſT",
			"may", "of", "th", "T", "x", ",", "june"}), 0, 12).Draw(t, "parts")
		s := strings.Join(parts, "")
		if found := datePattern().FindString(s); found != "" && !mayHaveDate(s) {
			t.Fatalf("%q has the date %q", s, found)
		}
	})
	for s, want := range map[string]bool{"3 May": true, "no date": false, "7 people": false, "a-b 7": false, "2024-05-06": true, "x 7 MARKET": true, "5月6日": true, "3 AUGUſT": true} {
		if got := mayHaveDate(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
