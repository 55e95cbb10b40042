package speech

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSignsOfNumbers(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"5.3年":               "5.3年",
		"５．３年":               "5.3年",
		"1,000 and 1，000":    "1000 and 1000",
		"HK$1,234,567.80":    "hk 1234567.80",
		"0,125 and 5,3":      "0.125 and 5.3",
		"1,2,3 and 1,00,000": "1 2 3 and 1 00 000",
		"-5 and −5 and (-5)": "-5 and -5 and -5",
		"氣溫-5度，最低：－１２度":      "氣溫 -5度 最低 -12度",
		"5元-10元，5公里-10公里":    "5元 10元 5公里 10公里",
		"COVID-19, a - 5":    "covid 19 a 5",
		"20% ５ ％ 3‰ % of":    "20 5 3 of",
		"5%-10%":             "5 10",
		"10:30 1/2 3–5 3~5":  "10:30 1/2 3-5 3-5",
		"2024-05-06":         "2024-05-06",
		"2345-6789":          "2345 6789",
		"852-2345-6789":      "852 2345 6789",
		"v1.2.3.":            "v1.2.3",
		".5 and -.5 end.5":   ".5 and -.5 end 5",
		"It was 3. Then 4.":  "it was 3 then 4",
		"5點3年，5点3倍":          "5.3年 5.3倍",
		"下午5點30分，5點30":       "下午5點30分 5點30",
		"1點1點1":              "1.1.1",
	} {
		if got := (Profile{}).Normalise(in); got != want {
			t.Errorf("%q is %q: want %q", in, got, want)
		}
	}
}

// A lost sign of a number is an error in every unit that counts it, strict and folded.
func TestLostSignsAreErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref, hyp string
		// characters, words and mixed are the errors.
		characters, words, mixed int
		// numbers are the number errors, of all that were said.
		numbers, said int
	}{
		{"經過5.3年", "經過53年", 1, 1, 1, 1, 1},
		{"in 5.3 years", "in 53 years", 1, 1, 1, 1, 1},
		{"-5 degrees", "5 degrees", 1, 1, 1, 1, 1},
		{"溫度-5度", "溫度5度", 1, 2, 1, 1, 1},
		{"5% of", "5 of", 0, 0, 0, 1, 1},
		{"3-5年", "35年", 1, 1, 1, 2, 2},
		{"1/2", "12", 1, 1, 1, 2, 2},
		{"10:30", "1030", 1, 1, 1, 2, 2},
		// These differ in style alone.
		{"1,000元", "1000元", 0, 0, 0, 0, 1},
		{"HK$1,065.50", "hk 1065.50", 0, 0, 0, 0, 1},
		{"−5", "-5", 0, 0, 0, 0, 1},
		{"5 %", "5%", 0, 0, 0, 0, 1},
		{"５．３年", "5點3年", 0, 0, 0, 0, 1},
		{"2345-6789", "2345 6789", 0, 0, 0, 0, 2},
		// Digits and words are other characters and one number.
		{"5.3年", "五點三年", 3, 1, 3, 0, 1},
		{"二十三點一四", "23.14", 6, 1, 6, 0, 1},
		{"三點五萬", "3.5萬", 3, 1, 3, 0, 1},
		{"負5度", "-5度", 1, 1, 2, 0, 1},
	} {
		got := Compare(c.ref, c.hyp, Options{})
		for form, r := range map[string]Rates{"strict": got.Strict, "folded": got.Folded} {
			if r.Characters.Errors() != c.characters || r.Words.Errors() != c.words || r.Mixed.Errors() != c.mixed {
				t.Errorf("%q heard as %q, %s: %d, %d, %d errors: want %d, %d, %d", c.ref, c.hyp, form, r.Characters.Errors(),
					r.Words.Errors(), r.Mixed.Errors(), c.characters, c.words, c.mixed)
			}
		}
		n := CompareNumbers(c.ref, c.hyp)
		if n.Errors() != c.numbers || n.Reference() != c.said {
			t.Errorf("%q heard as %q: %d of %d numbers wrong, lost %q, added %q: want %d of %d", c.ref, c.hyp, n.Errors(), n.Reference(),
				n.Lost, n.Added, c.numbers, c.said)
		}
	}
}

func TestNumbersInFigures(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"五點三年":      "5.3年",
		"百分之五":      "5",
		"負5度，零下三十度": "-5度 零下30度",
		"五點三十分":     "五點30分",
	} {
		if got := (Profile{Numbers: true}).Normalise(in); got != want {
			t.Errorf("%q is %q: want %q", in, got, want)
		}
	}
}

// Normalised signs stay, whatever stands beside them.
func TestSignsAreFixed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SampledFrom([]string{"1", "23", "000", "456", ",", ".", "-", "–", "~", ":", "/", "%", " ", "a", "度",
			"點", "分", "'", "(", "\u0301", "\ufe0f", "\u200b", "½", "٣", "$"})
		s := strings.Join(rapid.SliceOfN(parts, 0, 12).Draw(t, "parts"), "")
		once := (Profile{}).Normalise(s)
		if twice := (Profile{}).Normalise(once); twice != once {
			t.Fatalf("%q is %q, and that %q", s, once, twice)
		}
	})
}
