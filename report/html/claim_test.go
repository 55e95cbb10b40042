package html

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/report/document"
)

var (
	numbered = regexp.MustCompile(`<a class="claim-no"[^>]*>\d+</a>|<span class="place"[^>]*></span>`)
	anyTag   = regexp.MustCompile(`<[^>]*>`)
)

// TestMarksKeepTheText: whatever words are marked, and however marks overlap, the text is that
// without marks, elements are closed, and exactly the marked words are in elements.
func TestMarksKeepTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"words ", "<b>", "&amp; ", "[1]", "滑浪板", "\n", "\"", "[9] "}), 1, 12).Draw(t, "text"), "")
		cites := rapid.IntRange(0, 2).Draw(t, "cites")
		place := rapid.IntRange(0, 1).Draw(t, "place")
		borders := []int{0}
		for i := range text {
			borders = append(borders, i)
		}
		borders = append(borders, len(text))
		q := document.Quote{Text: text, Cites: cites}
		on := make([]bool, len(text))
		for i := range rapid.IntRange(0, 5).Draw(t, "marks") {
			a, b := rapid.SampledFrom(borders).Draw(t, "from"), rapid.SampledFrom(borders).Draw(t, "to")
			q.Marks = append(q.Marks, document.Highlight{Start: min(a, b), End: max(a, b), Claim: i + 1, Place: place, Ruling: document.Supported,
				Label: "claim"})
			for k := min(a, b); k < max(a, b); k++ {
				on[k] = true
			}
		}
		q.Marks = append(q.Marks, document.Highlight{Start: -1, End: 2}, document.Highlight{Start: 0, End: len(text) + 1})
		got := numbered.ReplaceAllString(marked(q), "")
		if plain := anyTag.ReplaceAllString(got, ""); plain != escLines(text) {
			t.Fatalf("%q became %q", text, plain)
		}
		for _, tag := range []string{"mark", "span", "button"} {
			if strings.Count(got, "<"+tag+" ") != strings.Count(got, "</"+tag+">") {
				t.Fatalf("%s is not closed: %s", tag, got)
			}
		}
		if cites > 0 {
			return // the borders of marks move out of citations
		}
		in := regexp.MustCompile(`(?s)<(?:mark|span) class="claimed[^>]*>(.*?)</(?:mark|span)>`)
		want := ""
		for i := range text {
			if on[i] {
				want += escLines(string([]rune(text[i:])[0]))
			}
		}
		said := ""
		for _, m := range in.FindAllStringSubmatch(got, -1) {
			said += m[1]
		}
		if said != want {
			t.Fatalf("%q is marked, want %q: %s", said, want, got)
		}
	})
}

// TestMarksOfFoldedTexts: the words of a claim that a fold parts are marked on both sides, and
// have one number.
func TestMarksOfFoldedTexts(t *testing.T) {
	text := strings.Repeat("w", LongText+100)
	var r renderer
	r.more = func(int) string { return "more" }
	got := string(r.Quote(document.Quote{Text: text, Marks: []document.Highlight{
		{Start: LongText - 5, End: LongText + 5, Claim: 1, Label: "first"}, {Start: LongText + 20, End: LongText + 30, Claim: 2, Label: "second"},
	}}))
	for _, want := range []string{`id="said-1"`, `id="said-2"`, `data-claims="1">wwwww</span></p>`, `data-claims="1">wwwww</span>`, `data-claims="2">wwwwwwwwww</span>`} {
		if strings.Count(got, want) < 1 {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(got, `id="said-1"`); n != 1 {
		t.Errorf("the first claim has %d numbers", n)
	}
}
