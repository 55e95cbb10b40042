package speech_test

import (
	"testing"

	"github.com/assay-eval/assay/metric/speech"
)

// TestNumbersInWords: numbers in words are the same as those in figures.
func TestNumbersInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reference, hypothesis string
		said                  int
	}{
		{"it costs twelve hundred dollars", "it costs 1200 dollars", 1},
		{"I won the one hundred metres in nine point five eight seconds", "I won the 100 metres in 9.58 seconds", 2},
		{"it takes twenty four hours and 3 days", "it takes 24 hours and 3 days", 2},
		{"about five percent of 1,200 people", "about 5% of twelve hundred people", 2},
		{"call five five five one two three four in nineteen eighty four", "call 555-1234 in 1984", 9},
		{"at ten thirty", "at 10:30", 2},
		{"it costs 十二 dollars", "it costs 12 dollars", 1},
	} {
		n := speech.CompareNumbers(c.reference, c.hypothesis)
		if n.Hits != c.said || len(n.Lost)+len(n.Added) > 0 {
			t.Errorf("%q: %+v: want %d numbers said, and all heard", c.reference, n, c.said)
		}
	}
}
