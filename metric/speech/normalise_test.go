package speech

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestNormalise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{" \n\t", ""},
		{"The tower — 330 m (tall)!", "the tower 330 m tall"},
		{"rock 'n' roll, the boys' dog’s o’clock", "rock n roll the boys dog's o'clock"},
		{"well-known e.g. 3.09%", "well known e g 3.09"},
		{"ＨＫ＄１，０６５", "hk 1065"},
		{"①㈱…", "1 株"},
		{"ｶﾞ", "ガ"},
		{"衞生署爲市民説綫裏", "衛生署為市民說線裡"},
		// A mark goes with what it stands on, a variation selector alone.
		{"❤️ ok 👍🏽", "ok"},
		{"葛\U000E0100城", "葛城"},
		{"①\ufe0f'a 1'a a\ufe0f'b e\u0331'b", "1 a 1 a a'b e\u0331'b"},
		{"cafe\u0301", "café"},
		{"don't 我'你 'tis", "don't 我 你 tis"},
		{"\xff a", "a"},
		{"a\u200bb", "a b"},
	} {
		if got := (Profile{}).Normalise(c.in); got != c.want {
			t.Errorf("%q is %q: want %q", c.in, got, c.want)
		}
	}
}

func TestProfileOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p              Profile
		name, in, want string
	}{
		{Profile{Raw: true}, "none", " A,  b ", "A, b"},
		{Profile{Raw: true, Drop: []string{"um"}}, "none, without um", "um A umb um", "A umb"},
		{Profile{Contractions: true}, "default 3, contractions", "I can't, we'll: it's John's", "i can not we will it is john's"},
		{Profile{Numbers: true}, "default 3, numbers", "共一千零六十五人，1,065 people, 二十三", "共1065人 1065 people 23"},
		{Profile{Drop: []string{"um", "uh huh", "嗯", "<hes>", "[Laughter]"}}, "default 3, without um|uh huh|嗯|<hes>|[Laughter]",
			"Um, well [LAUGHTER] uh, huh <hes> umbrella uh 嗯我嗯", "well umbrella uh 我"},
	} {
		if got := c.p.Normalise(c.in); got != c.want {
			t.Errorf("%s: %q is %q: want %q", c.name, c.in, got, c.want)
		}
		if got := c.p.String(); got != c.name {
			t.Errorf("named %q: want %q", got, c.name)
		}
	}
}

func anyText(t *rapid.T) string {
	part := rapid.OneOf(rapid.String(),
		rapid.StringOf(rapid.SampledFrom([]rune("乾隆坤坑裏裡衞喺係著着瀋瞭藉了望干幹夥覆於麼"))),
		rapid.StringOf(rapid.SampledFrom([]rune("aB'’ -\u0301️👍，。ﬁΐ①İ"))))
	return strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "parts"), "")
}

// Normalising and folding twice is the same as once, and folding keeps the number
// of characters.
func TestFormsAreFixed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anyText(t)
		for _, p := range []Profile{{}, {Raw: true}, {Contractions: true}} {
			once := p.Normalise(s)
			if twice := p.Normalise(once); twice != once {
				t.Fatalf("%s: %q is %q, and that %q", p, s, once, twice)
			}
		}
		once := Simplify(s)
		if twice := Simplify(once); twice != once {
			t.Fatalf("%q is %q in simplified, and that %q", s, once, twice)
		}
		if got, want := utf8.RuneCountInString(once), utf8.RuneCountInString(s); got != want {
			t.Fatalf("%q has %d characters, %q has %d", s, want, once, got)
		}
	})
}

// What a phrase becomes is not folded again.
func TestPhrasesAreFixed(t *testing.T) {
	t.Parallel()
	n := 0
	for _, list := range simplified().phrases {
		for _, p := range list {
			n++
			if got := Simplify(p[1]); got != p[1] {
				t.Errorf("%s is %s, and that %s", p[0], p[1], got)
			}
		}
	}
	if n < 476 {
		t.Errorf("%d phrases: want those of the table", n)
	}
}

func FuzzNormalise(f *testing.F) {
	f.Add("It's 衞生署 ２０％", "um")
	f.Add("\xff(()) [x]", "[x]")
	f.Fuzz(func(t *testing.T, s, drop string) {
		for _, p := range []Profile{{}, {Drop: []string{drop}}, {Raw: true, Drop: []string{drop}}, {Contractions: true, Numbers: true}} {
			if n := p.Normalise(s); strings.TrimSpace(n) != n || strings.Contains(n, "  ") {
				t.Errorf("%s: %q is %q", p, s, n)
			}
		}
		c := Compare(s, drop, Options{})
		if c.Strict.Characters.Reference() < c.Strict.Mixed.Reference() {
			t.Errorf("%q has %d characters and %d tokens", s, c.Strict.Characters.Reference(), c.Strict.Mixed.Reference())
		}
	})
}

func TestSimplify(t *testing.T) {
	t.Parallel()
	for traditional, want := range map[string]string{
		"香港大學圖書館": "香港大学图书馆",
		"開會":      "开会",
		// Phrases keep what characters alone would change.
		"乾隆年間乾了的幹部": "乾隆年间干了的干部",
		"瞭望與明瞭":     "瞭望与明了",
		"唔係喺嘅佢":     "唔系喺嘅佢",
		"Office 無":  "Office 无",
		"\xff裏":     "\xff里",
		"":          "",
	} {
		if got := Simplify(traditional); got != want {
			t.Errorf("%q is %q: want %q", traditional, got, want)
		}
	}
}

// Numbers in digits and in English words are the same number on either side.
func TestNumbersInEnglishWords(t *testing.T) {
	t.Parallel()
	p := Profile{Numbers: true}
	for words, digits := range map[string]string{
		"two point five million people":               "2.5 million people",
		"Two Hundred and five, please":                "205 please",
		"fifty turns":                                 "50 turns",
		"a hundred times, a thousand":                 "100 times, 1,000",
		"twenty-five or one":                          "25 or 1",
		"three point oh five percent":                 "3.05%",
		"minus two degrees":                           "-2 degrees",
		"1 million":                                   "one million",
		"2 trillion":                                  "two trillion",
		"one thousand two hundred and thirty-four":    "1,234",
		"nobody at all is left in a house by the sea": "nobody at all is left in a house by the sea",
	} {
		if got, want := p.Normalise(words), p.Normalise(digits); got != want {
			t.Errorf("%q: %q, and %q: %q", words, got, digits, want)
		}
	}
	if got := (Profile{}).Normalise("two point five million"); got != "two point five million" {
		t.Errorf("without the option: %q", got)
	}
}

func TestIgnorableCharactersPartNoWords(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"co\u00adoperative", "co\u200doperative", "\u200fco\u2060operative\u202c", "\ufeffcooperative\ufe0f", "coop\u034ferative"} {
		if got := (Profile{}).Normalise(s); got != "cooperative" {
			t.Errorf("%q: %q", s, got)
		}
	}
}
