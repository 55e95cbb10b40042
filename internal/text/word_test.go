package text_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/text"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"":                         nil,
		"where is it?":             {"where", "is", "it"},
		"the ferry's 3rd_deck—now": {"the", "ferry", "s", "3rd_deck", "now"},
		"我想去碼頭":                    {"我想", "想去", "去碼", "碼頭"},
		"搭mtr去 3號":                 {"搭", "mtr", "去", "3", "號"},
	} {
		got := slices.Collect(text.Words(s))
		// A CJK character alone is no word.
		want = slices.DeleteFunc(slices.Clone(want), func(w string) bool { return len([]rune(w)) == 1 && text.IsCJK([]rune(w)[0]) })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	for _, c := range []struct {
		s, word string
		want    bool
	}{{"a party", "art", false}, {"art, party", "art", true}, {"搭mtr去", "mtr", true}, {"我想去碼頭", "碼頭", true}, {"x", "", false}} {
		if got := text.HasWord(c.s, c.word); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.s, got)
		}
	}
	if !text.BeginsWith("…Where is", "Where") || text.BeginsWith("Whereas", "Where") || text.BeginsWith("?", "?") {
		t.Error("the first word is another one")
	}
}

// TestHasItsWords: a text has a word exactly if it is one of its words, for words of other
// texts, too.
func TestHasItsWords(t *testing.T) {
	t.Parallel()
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("ab é_9-' 渡輪かハ́İſ\u200b")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		s, other := strings.ToLower(letters.Draw(t, "s")), strings.ToLower(letters.Draw(t, "other"))
		words := slices.Collect(text.Words(s))
		for _, w := range append(slices.Collect(text.Words(other)), words...) {
			if got, want := text.HasWord(s, strings.ToLower(w)), slices.Contains(words, w); got != want {
				t.Fatalf("%q has %q: %v, want %v", s, w, got, want)
			}
		}
	})
}

func TestScript(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"": "", "12?": "", "Where is 紅樓?": "latin", "紅樓夢 A": "han", "Где": "cyrillic", "ひらがな": "kana", "한국어": "hangul", "ა": "other",
		"étage": "latin", "ab碼頭": "latin",
	} {
		if got := text.Script(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	if text.HasDigits("three") || !text.HasDigits("at 3") || !text.HasDigits("٣") {
		t.Error("digits")
	}
}
