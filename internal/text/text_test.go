package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/text"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ in, want string }{
		{"", ""},
		{" \t\n", ""},
		{"Hello  World", "hello world"},
		{"Ｈｅｌｌｏ　Ｗｏｒｌｄ", "hello world"}, // full width, ideographic space
		{"ﬁne oﬃce", "fine office"},    // ligatures
		{"STRASSE straße", "strasse strasse"},
		{"Σίσυφος ΣΊΣΥΦΟΣ", "σίσυφοσ σίσυφοσ"},
		{"Cafe\u0301 CAFÉ", "café café"},
		{"\u0390", "\u0390"}, // folds to three characters, which are one again
		{"①２３", "123"},
		{"a\u00a0b\u2003c", "a b c"},
		{"ꭰᎠ", "ᎠᎠ"}, // Cherokee, whose small letters fold to capitals
		{"À L’ÉTÉ “ß”", "à l’été “ss”"},
		{"a\xff\xfeB", "a\ufffdb"}, // not UTF-8
	} {
		if got := text.Normalize(tc.in); got != tc.want {
			t.Errorf("Normalize(%q) = %q: want %q", tc.in, got, tc.want)
		}
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"", "Ǆ ǅ", "ΐ ΰ", "ß ẞ", "𝐀𝔅", "İ ı", "ͅ", "\u0345\u0301Α", "a\u00ad\u0301", "\xff", "ﬃ①",
		"ᾳ\u0345", "\xffꮮᎠ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := text.Normalize(s)
		if again := text.Normalize(n); again != n {
			t.Errorf("Normalize(%q) = %q, and of that %q", s, n, again)
		}
		if m := text.MatchForm(s); text.MatchForm(m) != m {
			t.Errorf("MatchForm(%q) = %q, and of that %q", s, m, text.MatchForm(m))
		}
		if !utf8.ValidString(n) {
			t.Errorf("Normalize(%q) = %q is not UTF-8", s, n)
		}
		if text.Collapse(n) != n {
			t.Errorf("Normalize(%q) = %q has white space to collapse", s, n)
		}
	})
}

// The short cut for common scripts must give what the tables give. The detour
// leaves the short cut, and stands alone in folding.
func TestFoldShortCut(t *testing.T) {
	t.Parallel()
	const detour = "\u0416" // Ж
	want := strings.ToLower(detour)
	for r := rune(0); r < 0x20000; r++ {
		s := string(r)
		got := text.Fold(s)
		if by := strings.TrimSuffix(text.Fold(s+detour), want); got != by {
			t.Fatalf("Fold(%q) = %q: want %q", s, got, by)
		}
		if again := text.Fold(got); again != got {
			t.Fatalf("Fold(%q) = %q, and of that %q", s, got, again)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{" \n ", nil},
		{"the cat", []string{"the", "cat"}},
		{"搭MTR去", []string{"搭", "MTR", "去"}},
		{"カタカナ", []string{"カ", "タ", "カ", "ナ"}},
		{"한국어 말", []string{"한", "국", "어", "말"}},
		{"ㄅㄆ", []string{"ㄅ", "ㄆ"}},
		{"二〇二四x人々y", []string{"二", "〇", "二", "四", "x", "人", "々", "y"}},
		{"𠮷a\u3000b", []string{"𠮷", "a", "b"}},
		{"don't, stop!", []string{"don't,", "stop!"}},
	} {
		if got := text.Tokens(tc.in); !slices.Equal(got, tc.want) {
			t.Errorf("Tokens(%q) = %q: want %q", tc.in, got, tc.want)
		}
	}
}

func TestTokensWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Text string }
	var want []string
	requiretest.Worked(t, "mixed_tokens", &in, &want)
	if got := text.Tokens(in.Text); !slices.Equal(got, want) {
		t.Errorf("Tokens(%q) = %q: want %q", in.Text, got, want)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("the cat 搭MTR去")
	f.Add("\xff 中\xe4\xb8")
	f.Fuzz(func(t *testing.T, s string) {
		toks := text.Tokens(s)
		// Nothing but white space is lost, and nothing is added.
		if got, want := strings.Join(toks, ""), strings.Join(strings.Fields(s), ""); got != want {
			t.Errorf("Tokens(%q) hold %q: want %q", s, got, want)
		}
		for _, tok := range toks {
			if tok == "" || utf8.RuneCountInString(tok) > 1 && strings.ContainsFunc(tok, text.IsCJK) {
				t.Errorf("Tokens(%q) has %q", s, tok)
			}
		}
	})
}

func TestShareCJK(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in   string
		want float64
	}{
		{"", 0}, {"...", 0}, {"abc", 0}, {"香港", 1}, {"香港MT", 0.5}, {"香, 港! 1 2", 0.5},
	} {
		if got := text.ShareCJK(tc.in); got != tc.want {
			t.Errorf("ShareCJK(%q) = %v: want %v", tc.in, got, tc.want)
		}
	}
}

func BenchmarkNormalize(b *testing.B) {
	for name, s := range map[string]string{
		"english": "The MTR fare rose 3.09% from 25 June; it's “more”, they said. ",
		"chinese": "公告：香港天文台於今日下午三時發出黃色暴雨警告信號。",
		"russian": "Съешь же ещё этих мягких французских булок. ",
	} {
		s = strings.Repeat(s, 200)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				text.Normalize(s)
			}
		})
	}
}
