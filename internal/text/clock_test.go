package text_test

import (
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

// The spellings of a time of day are one value; before and after noon are two.
func TestFoldedClock(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"5 pm", "17:00", true},
		{"5 p.m.", "five PM", true},
		{"5:30pm", "17:30", true},
		{"half past nine", "9:30", true},
		{"quarter to five", "4:45", true},
		{"quarter to 1", "12:45", true},
		{"quarter past ten am", "10:15 a.m.", true},
		{"5 o'clock", "5:00", true},
		{"12 am", "00:00", true},
		{"12 pm", "中午12點", true},
		{"下午五點半", "17:30", true},
		{"下午5点", "5 pm", true},
		{"17時30分", "5:30 pm", true},
		{"上午9時", "09:00", true},
		{"5 pm", "5 am", false},
		{"5 pm", "5:00", false},
		{"17:00", "17 years", false},
		{"5", "5 pm", false},
		{"下午5點", "上午5點", false},
		{"5 pm", "5 小時", false},
	} {
		a, b := text.Folded(test.a), text.Folded(test.b)
		if same := len(a) == 1 && len(b) == 1 && text.IndexFolded(a, b, 0) == 0; same != test.same {
			t.Errorf("%q and %q: %+v %+v, same is %t", test.a, test.b, a, b, same)
		}
	}
	for _, s := range []string{"1:30:00", "3.5點", "25:00", "10:75"} {
		for _, tok := range text.Folded(s) {
			if tok.Value != nil && tok.Value.Unit == "clock" {
				t.Errorf("%q has a time of day", s)
			}
		}
	}
}
