package text_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/text"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"", ""},
		{"none", ""},
		{"7 and 0042", "7 42"},
		{"1,200,000 and 1,2,3 and 12,3456", "1200000 1 2 3 12 3456"},
		{"1.50 and 0.5 and 2.0", "1.5 0.5 2"},
		{"3.09% or 3.09 percent or 3.09 per cent or 3.09％", "%3.09 %3.09 %3.09 %3.09"},
		{"3 percentage points", "3"},
		{"1.2 million, 1.2M, 1200k", "1200000 1200000 1200000"},
		{"$3.5bn or 3.5 billion or 2 trillion", "3500000000 3500000000 2000000000000"},
		{"10 m high, 5 k", "10 5"}, // metres
		{"10mm and 5kg", "10 5"},
		{"3萬, 3.5万, 2億, 3千萬, 2萬億, 5千", "30000 35000 200000000 30000000 2000000000000 5000"},
		{"3萬萬, 2億萬, 1百", "300000000 200000000 100"},
		{"１２３，４５６", "123456"},
		{"-5 and −5 and (-5) and +5", "-5 -5 -5 5"},
		{"2010-2015, GPT-4, COVID-19", "2010 2015 4 19"},
		{"-0 and 0.00", "0 0"},
		{"-$50, -US$1.5m, – 5, –3%, 10 –15, $7-$8, (–€2)", "-50 -1500000 5 %-3 10 15 7 8 -2"},
		{"1.2e6 and 1.5E-3 and 2e, 3em, 1e5x", "1200000 0.0015 2 3 1 5"},
		{".5 mg, -.5 and −.50, $.25, (.05), p<.05, ~.5; \".5\"", "0.5 -0.5 -0.5 0.25 0.05 0.05 0.5 0.5"},
		{".5", "0.5"},
		{"v.5, No.5, p.5, §.5, 1..5, ..5, the end.5 mg, ,5", "5 5 5 5 1 5 5 5 5"},
		{".5.2 and .5.", "0.5.2 0.5"},
		{"version 1.2.3 and 1.200.000", "1.2.3 1200000"},
		{"12345678901234567891 not 12345678901234567892", "12345678901234567891 12345678901234567892"},
		{"19th, 1990s", "19 1990"},
		{"10:30", "10 30"},

		{"二十三個, 一百零五, 三百五, 二千零二十四, 十二", "23 105 350 2024 12"},
		{"兩萬五, 一億二千萬, 二〇二四年", "25000 120000000 2024"},
		{"百分之五, 百分之二十三, 百分之3.5", "%5 %23 %3.5"},
		{"一定, 萬一, 千萬不要", ""},

		{"on 25 June 2024, June 25th, 2024 and 25th of June", "2024-06-25 2024-06-25 --06-25"},
		{"2024-06-25 and 2024/6/25 and 2024年6月25日 and 6月25號", "2024-06-25 2024-06-25 2024-06-25 --06-25"},
		{"2024-06-25T10:00", "2024-06-25 10 0"},
		{"Sept. 5 and Jan 31, 2020 and may 5", "--09-05 2020-01-31 --05-05"},
		{"2024-13-25 is no date", "2024 13 25"},
		{"June 2024", "2024"},

		{"built in 1889 [1][2, 3].", "1889"},
		{"1. First 5\n2) Second\n 3. x", "5"},
		{"It was 3. Then 4.", "3 4"},
		{"[2024] stays", "2024"},
		{"at 10 am [doc1], 11 am[^2], 12 am [citation:3][Source 4, Source 5], 13 pm (Source 2), 14 pm (refs 1 and 2)", "10 11 12 13 14"},
		{"at 10 am【4:0†source】, in 1889¹², 10 am¹.", "10 1889 10"},
		{"10 years [ID:3], 2 photos ##4$$, 130 dollars [1](#ref1) or [2](https://a.b/3), 52 pages[^7^]", "10 2 130 52"},
		{"6 weeks [Data: Sources (15, 16); Reports (4)], $130<sup>2</sup>, 5 ([source 8](passport.pdf#page=12))", "6 130 5"},
		{"7 [Source: passport.pdf, p. 12], 8 (passport.pdf, page 12), 9 (a form of 2 pages), [5](6), #1 and <3>", "7 8 9 2 6 1 3"},
		{"在10點【来源2】（資料3）", "10"},
		{"doc1 of 3 (see 2) [chapter 4] (in 2 of 3 sources)", "1 3 2 4 2 3"},
	} {
		var got []string
		for _, n := range text.Numbers(tc.in) {
			got = append(got, n.Key)
		}
		if want := strings.Fields(tc.want); !slices.Equal(got, want) {
			t.Errorf("Numbers(%q) = %q: want %q", tc.in, got, want)
		}
	}
}

func TestNumbersAsWritten(t *testing.T) {
	t.Parallel()
	const in = "Up 3.09 percent to $1.2 million on 25 June, or −5；百分之五, 二十三."
	want := []string{"3.09 percent", "1.2 million", "25 June", "−5", "五", "二十三"}
	var got []string
	for _, n := range text.Numbers(in) {
		got = append(got, n.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

var numberKey = regexp.MustCompile(`^(%?-?(0|[1-9]\d*)(\.\d*[1-9])?|\d+(\.\d+){2,}|(\d{4}|-)-\d\d-\d\d)$`)

func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"", "1,200.5e-3%", "百分之二十三萬億", "2024年6月25日", "25 June 2024", "[1] 1. 2", "-1.2.3.4",
		"9e99m", "１，２００", "\xff1", "9,000.0.0.d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range text.Numbers(s) {
			if !numberKey.MatchString(n.Key) {
				t.Errorf("Numbers(%q) has the key %q", s, n.Key)
			}
			if n.Text == "" {
				t.Errorf("Numbers(%q) has %q without a text", s, n.Key)
			}
			if d := n.Date; d.Month < 0 || d.Month > 12 || d.Day > 31 || (d.Month > 0) != (d.Day > 0) {
				t.Errorf("Numbers(%q) has the date %+v", s, d)
			}
		}
	})
}

// A long text must not take the square of its length, which would be hours.
func TestNumbersIsLinear(t *testing.T) {
	t.Parallel()
	size := 1 << 18
	if requiretest.Race {
		size >>= 3
	}
	for _, unit := range []string{"1", "1,000", "1.", "1 ", ",", "一", "十", "[1", "1e", "2024-", "June ", "5 June ", "百分之", " "} {
		if n := text.Numbers("77 apples. " + strings.Repeat(unit, size/len(unit))); len(n) == 0 || n[0].Key != "77" {
			t.Errorf("%q: the first number is lost", unit)
		}
	}
}
