package text_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

func TestPhrase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		phrase, s string
		in        bool
	}{
		{"40 dollars", "It costs forty dollars.", true},
		{"40 dollars", "It costs $40.", true},
		{"40 dollars", "It costs fifty dollars.", false},
		{"40 dollars", "It costs 400 dollars.", false},
		{"forty-two men", "There are 42 men.", true},
		{"1,000 people", "One thousand people came, a hundred left.", true},
		{"100 people", "A hundred people left.", true},
		{"1,200,000 people", "1.2 million people", true},
		{"1065", "no 1,065 at all", true},
		{"40元", "按金為四十元。", true},
		{"四十元", "按金為40元。", true},
		{"350人", "三百五十人", true},
		{"12人", "十二人", true},
		{"2小時", "兩小時", true},
		{"3 May 2021", "on 2021-05-03", true},
		{"2021年5月3日", "民國110年5月3日", true},
		{"3 May 2021", "on 2021-05-04", false},
		{"steel|40 dollars", "forty dollars", true},
		{"", "40", false},
		{"iron", "steel", false},
	} {
		if got := text.NewPhrase(test.phrase).In(text.MatchForm(test.s)); got != test.in {
			t.Errorf("%q in %q: %v", test.phrase, test.s, got)
		}
	}
}
