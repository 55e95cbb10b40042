package speech_test

import (
	"testing"

	"github.com/assay-eval/assay/metric/speech"
)

// TestNumbersOfAProfile: with numbers in digits, numbers in words are the same as those in figures.
func TestNumbersOfAProfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reference, hypothesis string
		said                  int
	}{
		{"it costs twelve hundred dollars", "it costs 1200 dollars", 1},
		{"I won the one hundred metres in nine point five eight seconds", "I won the 100 metres in 9.58 seconds", 2},
		{"it costs 十二 dollars", "it costs 12 dollars", 1},
	} {
		n := speech.Profile{Numbers: true}.CompareNumbers(c.reference, c.hypothesis)
		if n.Hits != c.said || len(n.Lost)+len(n.Added) > 0 {
			t.Errorf("%q: %+v: want %d numbers said, and all heard", c.reference, n, c.said)
		}
	}
}
