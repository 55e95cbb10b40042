package index_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/rag/index"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"only marks", " -- ... __ '' \n", ""},
		{"stop words go, case folds", "The Cat AND the DOGS", "cat dog"},
		{"possessive", "patient's patients' PATIENT’S boss's", "patient patient patient boss"},
		{"apostrophe in a word", "don't o'neill", "don't o'neil"},
		{"hyphen and slash cut", "state-of-the-art and/or TNF-α", "state art tnf α"},
		{"numbers", "1,000.5 3.14 10:30 v1.2 1,a", "1,000.5 3.14 10 30 v1.2 1"},
		{"letters joined", "e.g. a:b x.y.z i.e", "e.g a:b x.y.z i."},
		{"comma joins no letters", "red,green", "red green"},
		{"two possessives", "x\u2019s's", "x\u2019"},
		{"underscore", "snake_case __init__ _ a_1", "snake_cas __init__ a_1"},
		{"accents", "Café NAÏVE Straße", "café naïv strass"},
		{"a dot before another script", "a.β β.a b:б", "a.β β.a b:б"},
		{"Greek and Cyrillic", "ΑΛΦΑ Москва", "αλφα москва"},
		{"ligature, full width, superscript", "eﬃcient Ｇｏ m²", "effici go m2"},
		{"combining accent", "cafe\u0301s", "café"},
		{"Chinese", "檢索增強", "檢索 索增 增強"},
		{"one character alone", "貓", "貓"},
		{"Chinese with marks", "檢索，增強。", "檢索 增強"},
		{"mixed", "用GPT-4做RAG系統", "用 gpt 4 做 rag 系統"},
		{"Japanese", "東京タワー・夜景", "東京 京タ タワ ワー 夜景"},
		{"half-width kana", "ﾀﾜｰ", "タワ ワー"},
		{"repeat mark and zero", "人々 二〇二六年", "人々 二〇 〇二 二六 六年"},
		{"Korean", "한국어 검색", "한국 국어 검색"},
		{"Thai", "ไทย", "ไท ทย"},
		{"full-width digits", "３，０００人", "3,000 人"},
		{"no UTF-8", "a\xffbc caf\xe9", "bc caf"},
		{"long word", strings.Repeat("b", 300), strings.Repeat("b", 255) + " " + strings.Repeat("b", 45)},
	} {
		if got := index.Terms(c.in); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %q: %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// plainTerms is what Terms should give, the long way: fold all, cut out the
// runs of unspaced scripts, cut the rest by uniseg.
func plainTerms(s string) []string {
	stop := strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they " +
		"this to was will with")
	var out []string
	words := func(s string) {
		for state := -1; s != ""; {
			var w string
			w, s, state = uniseg.FirstWordInString(s, state)
			if !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
				continue
			}
			// One possessive, not two: "a’s's" is the possessive of "a’s".
			if bare, ok := strings.CutSuffix(w, "'s"); ok {
				w = bare
			} else {
				w = strings.TrimSuffix(w, "\u2019s")
			}
			if !slices.Contains(stop, w) {
				out = append(out, index.Stem(w))
			}
		}
	}
	var run []rune
	rest := ""
	flush := func() {
		if len(run) == 1 {
			out = append(out, string(run))
		}
		for i := range len(run) - 1 {
			out = append(out, string(run[i:i+2]))
		}
		run = nil
	}
	for _, r := range text.Fold(s) {
		if (text.IsCJK(r) || unicode.In(r, unicode.Thai) || r == '々' || r == '〇') && r != '・' {
			words(rest)
			rest, run = "", append(run, r)
			continue
		}
		flush()
		rest += string(r)
	}
	words(rest)
	flush()
	return out
}

// TestTermsByTheRules holds the fast ways through a text against the long one.
func TestTermsByTheRules(t *testing.T) {
	t.Parallel()
	letters := []rune("aabinSst19_.,;:'’- -()éÉßαΣжÅ中国，。カー・ｶﾞＡ１ﬁ½ไ한\u0301\u00ad\u200d\u00a0\n々")
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOfN(rapid.SampledFrom(letters), 10, 40).Draw(t, "text"))
		if diff := cmp.Diff(plainTerms(s), index.Terms(s)); diff != "" {
			t.Fatalf("%q: by the rules, Terms:\n%s", s, diff)
		}
	})
}

// TestFoldPlain goes through all characters.
func TestFoldPlain(t *testing.T) {
	t.Parallel()
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if folded, ok := index.FoldPlain(string(r)); ok {
			n++
			if want := text.Fold(string(r)); folded != want {
				t.Errorf("%U: folded to %q, want %q", r, folded, want)
			}
		}
	}
	// ASCII, two blocks of Han, Hangul.
	if n < 128+20_992+6_592+11_172 {
		t.Errorf("%d characters are plain", n)
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "The patients' 3.14", "檢索，増強", "a\xff\u0301b", "ｶﾞ・中a.β", strings.Repeat("x.", 300),
		"ኊing"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, term := range index.Terms(s) {
			if term == "" || len(term) > 255 {
				t.Errorf("%q: term %q of %d bytes", s, term, len(term))
			}
			if utf8.ValidString(s) && !utf8.ValidString(term) {
				t.Errorf("%q: term %q is no UTF-8", s, term)
			}
		}
		if folded, ok := index.FoldPlain(s); ok && folded != text.Fold(s) {
			t.Errorf("%q: folded to %q, want %q", s, folded, text.Fold(s))
		}
	})
}
