package entail

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWindows(t *testing.T) {
	t.Parallel()
	const doc = "One two three. Four five. Six seven eight nine ten eleven twelve. Thirteen."
	for _, c := range []struct {
		name, doc string
		most      int
		want      []string
	}{
		{"no limit", doc, 0, []string{doc}},
		{"all fits", doc, 13, []string{doc}},
		{"at sentences", doc, 7, []string{"One two three. Four five.", "Six seven eight nine ten eleven twelve.", "Thirteen."}},
		{"exactly two", doc, 5, []string{"One two three. Four five.", "Six seven eight nine ten ", "eleven twelve.", "Thirteen."}},
		{"one word", "One two.", 1, []string{"One ", "two."}},
		{"Chinese", "渡輪九時開。圖書館關門。", 6, []string{"渡輪九時開。", "圖書館關門。"}},
		{"a long Chinese sentence", "渡輪九時開出", 4, []string{"渡輪九時", "開出"}},
		{"blank", " \n ", 5, nil},
		{"nothing", "", 5, nil},
	} {
		var got []string
		for _, w := range windows(c.doc, c.most) {
			got = append(got, w.Of(c.doc))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q: want %q", c.name, got, c.want)
		}
	}
}

// Windows hold every word once, in order, and none has more than the limit.
func TestWindowsHoldAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "word. ", " ", "Dr. ", "船", "開。", "\n\n", "- x ", "\xff", "e.g. ", "🚢! "})).Draw(t, "parts"), "")
		most := rapid.IntRange(1, 9).Draw(t, "most")
		var words []string
		before := 0
		for _, w := range windows(doc, most) {
			n := len(wordStarts(w.Of(doc)))
			if w.Start < before || w.End > len(doc) || n < 1 || n > most {
				t.Fatalf("window %+v of %d words after %d", w, n, before)
			}
			before = w.End
			words = append(words, strings.Fields(w.Of(doc))...)
		}
		if got, want := strings.Join(words, ""), strings.Join(strings.Fields(doc), ""); got != want {
			t.Fatalf("%q: want %q", got, want)
		}
	})
}
