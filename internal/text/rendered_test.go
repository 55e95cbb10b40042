package text_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

func TestRenderedIsWhatIsSeen(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		`a <em class="x">deposit</em> of <b>80</b> euros`: "a deposit of 80 euros",
		"**80** euros, [[80]], ==80==, `80`, _80_, *80*":  "80 euros, 80, 80, 80, 80, 80",
		"押金_800_元，**八百**元":                                "押金800元，八百元",
		`\"d\u00e9p\u00f4t\"\n\ud83d\ude00`:               "\"dépôt\" 😀",
		`\\u00e9t\\u00e9 \/ \\\"`:                         `été / "`,
		"DEFAULT_PORT_A = 5 * 3 < 4, Vec<u8>, a[0]":       "DEFAULT_PORT_A = 5 * 3 < 4, Vec<u8>, a[0]",
		"* one\n* two": "* one\n* two",
	} {
		if got := text.Rendered(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
