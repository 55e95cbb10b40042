package text_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

// folded shows the words and values of a text.
func folded(s string) string {
	var out []string
	for _, t := range text.Folded(s) {
		switch v := t.Value; {
		case v == nil:
			out = append(out, t.Text)
		case v.Date.Month > 0:
			out = append(out, "<"+v.Date.String()+">")
		default:
			out = append(out, fmt.Sprintf("<%v%s%s>", v.Amount, v.Coin, v.Unit))
		}
	}
	return strings.Join(out, " ")
}

func TestFolded(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                               "",
		"The colour of a théâtre":        "color of theater",
		"It organised the well-known":    "it organized well known",
		"forty-two dollars":              "<42$>",
		"HK$1,065.50 and US$3":           "<1065.5hk$> and <3us$>",
		"one thousand two hundred":       "<1200>",
		"two million and five":           "<2.000005e+06>",
		"2.5 million people":             "<2.5e+06> people",
		"a hundred and one men":          "<101> men",
		"the one who knows":              "one who knows",
		"one hour":                       "<3600s>",
		"1.5 km or 10 m":                 "<1500m> or <10m>",
		"fifteen per cent":               "<15%>",
		"3 May 2021":                     "<2021-05-03>",
		"民國110年5月3日":                     "<2021-05-03>",
		"三十個人":                           "<30> 個 人",
		"百分之三":                           "<3%>",
		"四十蚊":                            "<40$>",
		"一萬零六十五元":                        "<10065$>",
		"in March 2021, or 03/2021":      "in <2021-03-00> or <2021-03-00>",
		"二零二一年三月":                        "<2021-03-00>",
		"25/12/2021":                     "<2021-12-25>",
		"the third, the 3rd":             "<3th> <3th>",
		"the thirty-first of May":        "<--05-31>",
		"a second":                       "second",
		"the second, in 2 seconds":       "<2th> in <2s>",
		"三小時":                            "<10800s>",
		"version 1.2.3":                  "version <NaN>",
		"nineteen ninety":                "<19> <90>",
		"four hours, five minutes, six.": "<14400s> <300s> <6>",
	} {
		if got := folded(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzFolded(f *testing.F) {
	f.Add("HK$1,065 民國110年 twenty-one million, \xff")
	f.Fuzz(func(t *testing.T, s string) {
		tokens := text.Folded(s)
		if len(tokens) > 0 && text.IndexFolded(tokens, tokens[:1], 0) != 0 && (tokens[0].Value == nil || !math.IsNaN(tokens[0].Value.Amount)) {
			t.Errorf("%q does not state its own beginning", s)
		}
	})
}
