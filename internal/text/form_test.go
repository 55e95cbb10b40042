package text_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/text"
)

// Texts that are spelled, tokenized or encoded in two ways have one form.
func TestMatchFormHasOneSpelling(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{
		"tokenized":        {"It 's self - taught Jean - Pierre , who does n't pay $ 12 or 5 % .", "It's self-taught Jean-Pierre, who doesn't pay $12 or 5%."},
		"line end":         {"The adminis-\ntration of the cata-\r\n  logue", "The administration of the catalogue"},
		"line end, name":   {"Jean-\nPierre", "Jean-Pierre"},
		"entities":         {"Fish &amp; chips of Tom&#39;s &quot;bar&quot;&nbsp;caf&Eacute;", `Fish & chips of Tom's "bar" cafÉ`},
		"entities twice":   {"Fish &amp;amp; chips", "Fish & chips"},
		"no entities":      {"R&D; a&b", "r&d; A&b"},
		"curly quotes":     {"The museum’s “oldest” painting", `The museum's "oldest" painting`},
		"Arabic digits":    {"رسوم ٣٥٠٫٥ درهم و٪٥", "رسوم 350.5 درهم و%5"},
		"Persian digits":   {"۳۵۰ تومان", "350 تومان"},
		"Hindi digits":     {"५०० रुपये", "500 रुपये"},
		"Thai digits":      {"๑๕ บาท", "15 บาท"},
		"Bengali digits":   {"৫০০ টাকা", "500 টাকা"},
		"niqqud":           {"רְחוֹב הֶרְצְל", "רחוב הרצל"},
		"maqaf":            {"תל־אביב", "תל-אביב"},
		"tashkeel":         {"شَارِعُ النَّخِيلِ", "شارع النخيل"},
		"tatweel":          {"الســـلام", "السلام"},
		"hamza":            {"أحمد إلى آخر", "احمد الى اخر"},
		"Persian letters":  {"خيابان كاشاني", "خیابان کاشانی"},
		"Turkish capitals": {"İSTİKLAL ISPARTA", "istiklal ısparta"},
		"Greek capitals":   {"ΟΔΟΣ ΕΡΜΟΥ", "οδός Ερμού"},
		"Greek dialytika":  {"ΠΡΟΫΠΟΘΕΣΗ ΜΑΪΟΥ", "προϋπόθεση Μαΐου"},
		"yo":               {"Зелёная улица", "Зеленая улица"},
		"no options":       {"Plan-B -All --X", "plan-b -all --x"},
	} {
		if a, b := text.MatchForm(pair[0]), text.MatchForm(pair[1]); a != b {
			t.Errorf("%s: %q, %q", name, a, b)
		}
	}
	for _, pair := range [][2]string{{"не й", "не и"}, {"على", "علي"}, {"10 - 15", "10-15"}, {"- 5", "-5"}, {"café", "cafe"}, {"a , b", "a b"},
		{"-r", "-R"}, {"ls -l -R", "ls -l -r"}, {"选项-R的", "选项-r的"}} {
		if a, b := text.MatchForm(pair[0]), text.MatchForm(pair[1]); a == b {
			t.Errorf("%q is %q", pair[0], pair[1])
		}
	}
}

func TestMatchFormOfTokensIsIdempotent(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{"a", "b", " ", "-", "'s", " 's", "n't", "&", "amp;", "#39;", ";", ".", "%", "$", "5", "\n", "ё", "ι", "\u0301", "\u0308",
		"٣", "İ", "ı", "\u0307", "أ", "\u064b", "’", "ä", "＆"})
	rapid.Check(t, func(t *rapid.T) {
		s := ""
		for _, p := range rapid.SliceOfN(part, 0, 12).Draw(t, "parts") {
			s += p
		}
		if form := text.MatchForm(s); text.MatchForm(form) != form {
			t.Fatalf("%q: %q, then %q", s, form, text.MatchForm(form))
		}
	})
}

// A word is found with umlauts, accents and hyphens written otherwise.
func TestWordsInOtherLetters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		word, s string
		in      bool
	}{
		{"Jürgen Köhler", "Der Leiter heißt Juergen Koehler.", true},
		{"Juergen Koehler", "Der Leiter heißt Jürgen Köhler.", true},
		{"Smørrebrød", "They eat smoerrebroed.", true},
		{"Zürich", "the lake of Zurich", true},
		{"Zurich", "the lake of Zürich", true},
		{"São Paulo", "SAO PAULO", true},
		{"Saint-Denis", "the church of Saint Denis", true},
		{"Saint-Denis", "the church of Saint-\nDenis", true},
		{"Saint-Denis", "the church of saint-\ndenis", true},
		{"Harbourmaster Lane", "in Harbour-\nmaster Lane", true},
		{"bà ma", "ba ma!", true},
		{"má", "ma", false},
		{"pêche", "the café", false},
		{"sub-par", "sub", false},
		{"-r", "Copy it with `-R`.", false},
		{"-R", "Copy it with `-R`.", true},
		{"cp -R", "run cp -r here", false},
		{"-r", "Copy it with -r -R.", true},
		{"vitamin-c", "Vitamin-C", true},
		{"-dall", "-Dall", true},
	} {
		if got := text.NewPhrase(c.word).In(text.MatchForm(c.s)); got != c.in {
			t.Errorf("%q in %q: %v", c.word, c.s, got)
		}
		if got := text.HasKeyword(c.s, c.word); got != c.in {
			t.Errorf("keyword %q in %q: %v", c.word, c.s, got)
		}
	}
}
