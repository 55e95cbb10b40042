package text

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// plainFolded is [Folded] without its short ways: every step looks at every character and
// every word.
func plainFolded(s string) []Token {
	s = plainSpelledOut(plainUnmarked(plainMatchForm(s)))
	p := numberScanner{s: s, dates: times(s)}
	var out []Token
	from := 0
	for p.pos < len(p.s) {
		start, n := p.pos, len(p.out)
		p.plainNext()
		if len(p.out) == n {
			continue
		}
		before, coin := cutCoin(s[from:start])
		v, used := valueOf(p.out[n], coin, s[p.pos:])
		out = append(plainFoldWords(out, strings.TrimSuffix(before, "百分之")), Token{Value: &v})
		p.pos += used
		from = p.pos
	}
	return plainFoldWords(out, s[from:])
}

func plainMatchForm(s string) string {
	if strings.Contains(s, "&") || strings.Contains(s, "-\n") {
		return MatchForm(s)
	}
	return optionLetters(untokenized(oneSpelling(Collapse(Fold(strings.Map(func(r rune) rune {
		if ignorable(r) || r == 0x200b {
			return -1
		}
		return r
	}, optionLetters(s, 'A', 0xE000)))))), 0xE000, 'A')
}

// plainNext reads a date, a number, or one character.
func (p *numberScanner) plainNext() {
	for len(p.dates) > 0 && p.dates[0].Start < p.pos {
		p.dates = p.dates[1:]
	}
	r, n := utf8.DecodeRuneInString(p.s[p.pos:])
	switch {
	case r == '[':
		p.pos, p.inLine = p.pos+max(referenceMark(p.s[p.pos:]), 1), true
	case len(p.dates) > 0 && p.dates[0].Start == p.pos, isDigit(r), strings.ContainsRune(hanNumerals, r):
		p.next()
	case r == '\n':
		p.pos, p.inLine = p.pos+n, false
	default:
		p.pos, p.inLine = p.pos+n, p.inLine || !unicode.IsSpace(r)
	}
}

func plainUnmarked(s string) string {
	s = norm.NFC.String(strings.Map(func(r rune) rune {
		if 0x300 <= r && r <= 0x36F {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
	runes := []rune(s)
	for i := 1; i+1 < len(runes); i++ {
		if strings.ContainsRune("-‐‑", runes[i]) && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) {
			runes[i] = ' '
		}
	}
	return string(runes)
}

func plainSpelledOut(s string) string {
	words := strings.Split(hanSpelledOut(s), " ")
	var out []string
	for i := 0; i < len(words); {
		value, n := numberWords(words[i:])
		if _, scale := scaleWords[strings.TrimRight(words[i], numberEnds)]; scale && i > 0 && strings.ContainsAny(words[i-1], "0123456789") {
			n = 0
		}
		if i+n < len(words) && (n == 0 || value%10 == 0 && value >= 20 && value < 100) {
			if place, end := ordinalWord(words, i+n); place > 0 && (n == 0 || place < 10) {
				out = append(out, strconv.FormatInt(value+place, 10)+ordinal+end)
				i += n + 1
				continue
			}
		}
		if n == 0 {
			out = append(out, words[i])
			i++
			continue
		}
		last := words[i+n-1]
		out = append(out, strconv.FormatInt(value, 10)+last[len(strings.TrimRight(last, numberEnds)):])
		i += n
	}
	return strings.Join(out, " ")
}

func plainFoldWords(out []Token, s string) []Token {
	for _, w := range plainTokens(s) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		w = strings.TrimSuffix(strings.ReplaceAll(w, "’", "'"), "'s")
		if w = plainAmerican(w); w != "" && w != "the" && w != "a" && w != "an" {
			out = append(out, Token{Text: w})
		}
	}
	return out
}

func plainTokens(s string) []string {
	return strings.FieldsFunc(strings.Join(slices.Collect(func(yield func(string) bool) {
		for _, r := range s {
			one := string(r)
			if IsCJK(r) {
				one = " " + one + " "
			}
			if !yield(one) {
				return
			}
		}
	}), ""), unicode.IsSpace)
}

func plainAmerican(w string) string {
	if to := british[w]; to != "" {
		return to
	}
	if utf8.RuneCountInString(w) < 5 {
		return w
	}
	for _, end := range [][2]string{
		{"isation", "ization"}, {"ising", "izing"}, {"ised", "ized"}, {"ises", "izes"}, {"ise", "ize"}, {"yse", "yze"}, {"ysed", "yzed"},
		{"tres", "ters"}, {"tre", "ter"}, {"ours", "ors"}, {"our", "or"}, {"oured", "ored"}, {"ouring", "oring"}, {"ogue", "og"},
		{"elled", "eled"}, {"elling", "eling"}, {"aemia", "emia"},
	} {
		if t, ok := strings.CutSuffix(w, end[0]); ok && len(t) > 1 {
			return t + end[1]
		}
	}
	return w
}

// foldable are what texts are drawn from.
var foldable = append(strings.Fields("one two ten twenty twenty-one third second thirty-first seventh hundred thousand million and the a an of per organised "+
	"ising ourse tour favourite grey analysed theatres dialogue travelled anaemia kerb isn't it's it’s well-known non‐stop [1] [note] 1. 2) 3 40 "+
	"1,065.50 $5 HK$ 5% 3.5 km 1.2.3 1e6 2010-2015 2021-05-03 03/2021 5/6/2021 May march 3rd nd 2.5 -7 −8 café théâtre ß İ ﬁ Ⅳ ① ½ ² "+
	"三十個人 百分之三 民國110年5月3日 第三 十 一萬零六十五元 年 月 日 ー ア 한국 ... , ; : ! ? ) ( ’ ' \" — – _ 〇"),
	" ", " ", " ", " ", "\n", "\t", "\u00a0", "\u3000", "\u00ad", "\u200b", "\u0301", "\xff", "\u0085")

func TestFoldedEqualsPlain(t *testing.T) {
	t.Parallel()
	equal := func(a, b Token) bool {
		switch {
		case a.Value == nil || b.Value == nil:
			return a == b
		case math.IsNaN(a.Value.Amount):
			return math.IsNaN(b.Value.Amount) && a.Value.Noun == b.Value.Noun
		}
		return *a.Value == *b.Value
	}
	// Texts of English alone take the short ways from beginning to end.
	english := slices.DeleteFunc(slices.Clone(foldable), func(s string) bool { return !ASCII(s) })
	text := rapid.Custom(func(t *rapid.T) string {
		pieces := rapid.SampledFrom(rapid.SampledFrom([][]string{english, english, foldable}).Draw(t, "language"))
		mixed := rapid.OneOf(pieces, pieces, pieces, rapid.String())
		between := rapid.SampledFrom([]string{"", " ", " "}).Draw(t, "between")
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]*rapid.Generator[string]{pieces, mixed}).Draw(t, "kind"), 0, 12).Draw(t, "pieces"), between)
	})
	for _, s := range []string{"see [1] and 2", "costs 1. more", "a 2) b", " a", "a ", "A  b", "\t", "first", "the 1st [note]"} {
		if got, want := Folded(s), plainFolded(s); !slices.EqualFunc(got, want, equal) || MatchForm(s) != plainMatchForm(s) {
			t.Errorf("%q: %v in %q, want %v in %q", s, got, MatchForm(s), want, plainMatchForm(s))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		if got, want := Folded(s), plainFolded(s); !slices.EqualFunc(got, want, equal) {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
		// What the end of a statement is made of folds to nothing.
		statement := MatchForm("so " + s + rapid.StringMatching(`[.!? ]*`).Draw(t, "stops"))
		bare := strings.TrimRight(statement, ".!? ")
		if got, want := Folded(statement), Folded(bare); !slices.EqualFunc(got, want, equal) {
			t.Errorf("%q: %v, and %v without its end", statement, got, want)
		}
		if got, want := MatchForm(s), plainMatchForm(s); got != want {
			t.Errorf("%q: in match form %q, want %q", s, got, want)
		}
		if got, want := Normalize(s), Collapse(Fold(s)); got != want {
			t.Errorf("%q: normalized %q, want %q", s, got, want)
		}
		if got, want := Tokens(s), plainTokens(s); utf8.ValidString(s) && !slices.Equal(got, want) {
			t.Errorf("%q: tokens %q, want %q", s, got, want)
		}
	})
}

func TestNumbersOneAfterAnother(t *testing.T) {
	for in, want := range map[string]string{
		"dial two zero two four":                "dial 2 0 2 4",
		"one zero one":                          "1 0 1",
		"gate nine zero":                        "gate 9 0",
		"zero five":                             "0 5",
		"zero zero seven":                       "0 0 7",
		"zero thirty":                           "0 30",
		"twenty zero":                           "20 0",
		"one hundred zero":                      "100 0",
		"two hundred and zero":                  "200 and 0",
		"zero thousand":                         "0 thousand",
		"zero hundred hours":                    "0 hundred hours",
		"zero point five":                       "0.5",
		"twenty twelve":                         "20 12",
		"twenty ten":                            "20 10",
		"nineteen five":                         "19 5",
		"ten five":                              "10 5",
		"one hundred twelve":                    "112",
		"one hundred and five":                  "105",
		"two hundred and one":                   "201",
		"two thousand and twenty four":          "2024",
		"two million and fifty thousand":        "2050000",
		"one hundred twenty and thirty":         "120 and 30",
		"one hundred and five and six":          "105 and 6",
		"between two hundred and three hundred": "between 200 and 300",
		"from two thousand and three thousand":  "from 2000 and 3000",
	} {
		if got := InDigits(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"zero fifth": "0 5", "ten fifth": "10 5", "twenty fifth": "25"} {
		got := spelledOut(in)
		if got = strings.ReplaceAll(got, ordinal, ""); strings.TrimRight(got, "sthndr") != want {
			t.Errorf("%s: %q, want %s", in, got, want)
		}
	}
}
