package chunk_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/rag/chunk"
)

// seven is a document of 24 tokens: two headings of 2 and 3 tokens ("#" is
// one), sentences of 3, 4, 5, 3 and 4.
const seven = "# One\n\nAlpha beta gamma. Delta epsilon zeta eta.\n\nTheta iota kappa lambda mu.\n## One B\nNu xi omicron. Pi rho sigma " +
	"tau."

func texts(t *testing.T, s string, c chunk.Config) []string {
	t.Helper()
	chunks, err := chunk.Split(assay.Document{ID: "d", Text: s}, c)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, k := range chunks {
		if k.Index != i || s[k.Start:k.End] != k.Text {
			t.Errorf("chunk %d: index %d, offsets %d…%d give %q, text %q", i, k.Index, k.Start, k.End, s[k.Start:k.End], k.Text)
		}
		out = append(out, k.Text)
	}
	return out
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		config     chunk.Config
		want       []string
	}{
		{"fits", seven, chunk.Config{Method: chunk.Recursive, Size: 24}, []string{seven}},
		// 12 reach into the third sentence, whose paragraph begins after 9; the
		// rest of 15 is cut before the heading, as 5 are more than 12/4.
		{"recursive prefers paragraphs and headings", seven, chunk.Config{Method: chunk.Recursive, Size: 12}, []string{
			"# One\n\nAlpha beta gamma. Delta epsilon zeta eta.", "Theta iota kappa lambda mu.", "## One B\nNu xi omicron. Pi rho sigma tau."}},
		// The overlap of 4 is the whole sentence before; none across the heading.
		{"recursive repeats a sentence", seven, chunk.Config{Method: chunk.Recursive, Size: 12, Overlap: 4}, []string{
			"# One\n\nAlpha beta gamma. Delta epsilon zeta eta.", "Delta epsilon zeta eta.\n\nTheta iota kappa lambda mu.",
			"## One B\nNu xi omicron. Pi rho sigma tau."}},
		// 7 tokens of sentences fit 8 with no paragraph looked at, then 5, then 3 + 3.
		{"sentence", "A b c. D e f g. H i j k l.\n\nM n o. P q r.", chunk.Config{Method: chunk.Sentence, Size: 8}, []string{
			"A b c. D e f g.", "H i j k l.\n\nM n o.", "P q r."}},
		// A sentence of 7 does not fit 4: cut between words.
		{"sentence too long", "a b c d e f g. H i.", chunk.Config{Method: chunk.Sentence, Size: 4}, []string{"a b c d", "e f g.", "H i."}},
		{"token", "a b c d e f g", chunk.Config{Method: chunk.Token, Size: 3, Overlap: 1}, []string{"a b c", "c d e", "e f g"}},
		{"document", " " + seven + "\n", chunk.Config{Method: chunk.Document}, []string{seven}},
		{"Chinese", "今天天气很好。我们去公园。他在家。", chunk.Config{Method: chunk.Recursive, Size: 10},
			[]string{"今天天气很好。", "我们去公园。他在家。"}},
		{"blank", " \n\t", chunk.Default(), nil},
		{"blank document", "", chunk.Config{Method: chunk.Document}, nil},
		// 150 bytes are 64 + 64 + 22.
		{"a word without end", strings.Repeat("x", 150), chunk.Config{Method: chunk.Recursive, Size: 2}, []string{strings.Repeat("x", 128),
			strings.Repeat("x", 22)}},
	} {
		if diff := cmp.Diff(c.want, texts(t, c.text, c.config)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestHeadingPath(t *testing.T) {
	t.Parallel()
	s := "intro one two three four\n# A\na one two three four\n## B\nb one two three four\n```\n# no heading\n```\n# C\nc one two three " +
		"four\nD\n---\nd one two three"
	chunks, err := chunk.Split(assay.Document{Text: s}, chunk.Config{Method: chunk.Recursive, Size: 12})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, k := range chunks {
		got[strings.Fields(k.Text)[0]+" "+strings.Fields(k.Text)[1]] = k.Headings
	}
	want := map[string][]string{"intro one": nil, "# A": {"A"}, "## B": {"A", "B"}, "# C": {"C"}, "D ---": {"C", "D"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
}

func TestHeadings(t *testing.T) {
	t.Parallel()
	s := "# A #\n#no\n  ## B\n    # code\ntext\n===\n- item\n---\n####### seven\n~~~\n# x\n~~~\n# C#\n#\n"
	want := []chunk.Heading{{Start: 0, Level: 1, Title: "A"}, {Start: 12, Level: 2, Title: "B"}, {Start: 28, Level: 1, Title: "text"},
		{Start: 74, Level: 1, Title: "C#"}}
	if diff := cmp.Diff(want, chunk.Headings(s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config chunk.Config
		want   string
	}{
		{chunk.Config{}, `chunk method: "": expected one of`},
		{chunk.Config{Method: "Token", Size: 9}, `chunk method: "Token"`},
		{chunk.Config{Method: chunk.Token}, `chunk size: 0`},
		{chunk.Config{Method: chunk.Token, Size: 9, Overlap: 5}, `chunk overlap: 5: expected 0 to half of the size, 4: lower chunk-overlap or raise chunk-size`},
		{chunk.Config{Method: chunk.Token, Size: 9, Overlap: -1}, `chunk overlap: -1`},
	} {
		if _, err := chunk.Split(assay.Document{Text: "x"}, c.config); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.config, err, c.want)
		}
	}
	for _, m := range chunk.Methods() {
		if err := (chunk.Config{Method: m, Size: 1}).Validate(); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// check fails unless the chunks cover all of s but white space, in order, with
// exact offsets, and none is over the size.
func check(t interface{ Fatalf(string, ...any) }, s string, c chunk.Config) {
	chunks, err := chunk.Split(assay.Document{Text: s}, c)
	if err != nil {
		t.Fatalf("%v", err)
	}
	start, end := -1, 0
	for i, k := range chunks {
		switch {
		case s[k.Start:k.End] != k.Text || k.Index != i:
			t.Fatalf("chunk %d: text is not the stretch %d…%d", i, k.Start, k.End)
		case strings.TrimSpace(k.Text) != k.Text || k.Text == "":
			t.Fatalf("chunk %d: %q is blank or not trimmed", i, k.Text)
		case k.Start <= start || k.End <= end:
			t.Fatalf("chunk %d: %d…%d after %d…%d adds nothing", i, k.Start, k.End, start, end)
		case strings.TrimSpace(s[end:max(end, k.Start)]) != "":
			t.Fatalf("chunk %d: lost %q", i, s[end:k.Start])
		case c.Method != chunk.Document && size(k.Text) > c.Size:
			t.Fatalf("chunk %d: %d tokens, size %d: %q", i, size(k.Text), c.Size, k.Text)
		}
		start, end = k.Start, k.End
	}
	if strings.TrimSpace(s[end:]) != "" {
		t.Fatalf("lost the end %q", s[end:])
	}
}

// size counts a long word once, as a cut word is counted twice at its ends.
func size(s string) int { return len(text.Tokens(s)) }

func TestSplitCovers(t *testing.T) {
	t.Parallel()
	word := rapid.OneOf(rapid.SampledFrom([]string{"\n", "\n\n", "# ", ". ", "。", "！", " ", "\r\n", "```\n", "---\n", "\f", "\ufeff",
		"e.g. "}),
		rapid.StringMatching(`[a-z]{1,9} `), rapid.StringOfN(rapid.RuneFrom([]rune{'漢', '字', 'か', '\u3000', 'ก'}), 1, 40, -1),
		rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(word, 0, 60).Draw(t, "words"), "")
		size := rapid.IntRange(1, 30).Draw(t, "size")
		c := chunk.Config{Method: rapid.SampledFrom(chunk.Methods()).Draw(t, "method"), Size: size, Overlap: rapid.IntRange(0, size/2).Draw(t,
			"overlap")}
		check(t, s, c)
	})
}

func FuzzSplit(f *testing.F) {
	f.Add(seven, uint8(5), uint8(2), uint8(0))
	f.Add("漢字。かな！\xff\xfe mixed\n\n# 題\n", uint8(3), uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, s string, size, overlap, method uint8) {
		n := 1 + int(size)
		c := chunk.Config{Method: chunk.Methods()[int(method)%4], Size: n, Overlap: int(overlap) % (n/2 + 1)}
		check(t, s, c)
		for _, h := range chunk.Headings(s) {
			if h.Title == "" || strings.TrimFunc(h.Title, unicode.IsSpace) != h.Title || h.Start > len(s) || h.Level < 1 || h.Level > 6 {
				t.Fatalf("heading %+v", h)
			}
		}
	})
}

func ExampleSplit() {
	doc := assay.Document{ID: "guide", Text: "# Install\n\nDownload the binary. Put it on the path.\n\n# Run\n\nCall it with a folder."}
	chunks, _ := chunk.Split(doc, chunk.Config{Method: chunk.Recursive, Size: 12})
	for _, c := range chunks {
		fmt.Printf("%d %q %q\n", c.Start, c.Headings, c.Text)
	}
	// Output:
	// 0 ["Install"] "# Install\n\nDownload the binary. Put it on the path."
	// 53 ["Run"] "# Run\n\nCall it with a folder."
}
