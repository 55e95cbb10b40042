package text_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/text"
)

func TestContainsWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Pairs  [][2]string
		MinLen int `json:"min_len"`
	}
	var want []bool
	requiretest.Worked(t, "text_containment", &in, &want)
	if in.MinLen != text.MatchLength || len(in.Pairs) == 0 || len(in.Pairs) != len(want) {
		t.Fatalf("%d pairs of at least %d runes, %d expectations: MatchLength is %d", len(in.Pairs), in.MinLen, len(want), text.MatchLength)
	}
	for i, p := range in.Pairs {
		if got := text.Contains(p[0], p[1], in.MinLen); got != want[i] {
			t.Errorf("Contains(%q, %q) = %v: want %v", p[0], p[1], got, want[i])
		}
	}
}

func TestContains(t *testing.T) {
	t.Parallel()
	const fox = "the quick brown fox jumps" // 25 runes
	for _, tc := range []struct {
		name, a, b string
		minLen     int
		want       bool
	}{
		{"an empty text is in nothing", "", fox, 0, false},
		{"two empty texts", "", "", 0, false},
		{"the same", fox, fox, 20, true},
		{"one rune too short", "quick brown fox jum", fox, 20, false},
		{"just long enough", "quick brown fox jump", fox, 20, true},
		{"CJK below 20 runes", "發出黃色暴雨警告信號", "公告：發出黃色暴雨警告信號。", 20, false},
		{"CJK with 10", "發出黃色暴雨警告信號", "公告：發出黃色暴雨警告信號。", 10, true},
		{"soft hyphen and zero width space", "the qu\u00adick br\u200bown fox jumps", "AND " + fox, 20, true},
		{"byte order mark", "\ufeff" + fox, fox, 20, true},
		{"ligature", "the oﬃcial ﬁne print here", "the official fine print here, now", 20, true},
	} {
		if got := text.Contains(tc.a, tc.b, tc.minLen); got != tc.want {
			t.Errorf("%s: %v: want %v", tc.name, got, tc.want)
		}
		if got := text.Contains(tc.b, tc.a, tc.minLen); got != tc.want {
			t.Errorf("%s, the other way round: %v: want %v", tc.name, got, tc.want)
		}
	}
}

func TestMatchLengthFor(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"": 20, "plain": 20, "香港天文台": 10, "ab香港": 20, "a香港": 10} {
		if got := text.MatchLengthFor(s); got != want {
			t.Errorf("MatchLengthFor(%q) = %d: want %d", s, got, want)
		}
	}
}

func TestCoverageWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Passage string
		Chunks  []string
		Block   int
	}
	var want float64
	requiretest.Worked(t, "passage_coverage", &in, &want)
	if got := text.Coverage(in.Passage, in.Chunks, in.Block); math.Abs(got-want) > 1e-9 {
		t.Errorf("coverage is %v: want %v", got, want)
	}
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		passage string
		chunks  []string
		block   int
		want    float64
	}{
		{"no chunk", "abcdef", nil, 3, 0},
		{"an empty passage", "", []string{"abc"}, 3, 0},
		{"shorter than the block", "ab", []string{"ab"}, 3, 0},
		{"all in one", "abcdef", []string{"xxabcdefxx"}, 3, 1},
		{"cut between two chunks", "abcdef", []string{"..abc", "def.."}, 3, 1},
		{"a stretch too short", "abcdef", []string{"ab", "cd", "ef"}, 3, 0},
		{"half", "abcdef", []string{"abc"}, 3, 0.5},
		// abcde from one, defgh from the other: they overlap in "de".
		{"overlapping stretches", "abcdefgh", []string{"abcde", "defgh"}, 4, 1},
		{"the same stretch twice counts twice", "abcXabc", []string{"abc"}, 3, 6. / 7},
		{"runes, not bytes", "香港天文台ab", []string{"香港天文台"}, 5, 5. / 7},
		{"a block below 1 counts as 1", "abc", []string{"b"}, 0, 1. / 3},
	} {
		if got := text.Coverage(tc.passage, tc.chunks, tc.block); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%s: %v: want %v", tc.name, got, tc.want)
		}
	}
}

// Coverage must equal its definition: a rune counts when some stretch of block
// runes around it is a part of some chunk.
func TestCoverageIsItsDefinition(t *testing.T) {
	t.Parallel()
	short := rapid.StringOfN(rapid.RuneFrom([]rune("ab香")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		passage, chunks, block := short.Draw(t, "passage"), rapid.SliceOfN(short, 0, 3).Draw(t, "chunks"), rapid.IntRange(1, 5).Draw(t, "block")
		p := []rune(passage)
		covered := 0
		for i := range p {
			hit := false
			for from := max(0, i-block+1); from <= i && from+block <= len(p); from++ {
				for _, c := range chunks {
					hit = hit || strings.Contains(c, string(p[from:from+block]))
				}
			}
			if hit {
				covered++
			}
		}
		want := 0.0
		if len(p) > 0 {
			want = float64(covered) / float64(len(p))
		}
		if got := text.Coverage(passage, chunks, block); got != want {
			t.Fatalf("%v: want %v", got, want)
		}
	})
}

func TestHasKeywordWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Text     string
		Keywords []string
	}
	var want float64
	requiretest.Worked(t, "keyword_recall", &in, &want)
	hits := 0
	for _, k := range in.Keywords {
		if text.HasKeyword(in.Text, k) {
			hits++
		}
	}
	if got := float64(hits) / float64(len(in.Keywords)); got != want {
		t.Errorf("%d of %d keywords, %v: want %v", hits, len(in.Keywords), got, want)
	}
}

func TestHasKeyword(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text, keyword string
		want          bool
	}{
		{"the fare rose", "fare", true},
		{"the fares rose", "fare", false},
		{"unfair fare", "fair", false},
		{"FARE", "fare", true},
		{"a snake_case name", "snake", false},
		{"3.09% more", "3.09%", true},
		{"take .5 mg", "5 mg", false},
		{"take .5 mg", ".5 mg", true},
		{"see p.5 mg", "5 mg", true},
		{"13.09% more", "3.09%", false},
		{"搭MTR去", "mtr", true},
		{"搭MTRC去", "mtr", false},
		{"使用八達通付款", "octopus|八達通", true},
		{"pay by Octopus", "octopus|八達通", true},
		{"pay by cash", "octopus|八達通", false},
		{"anything", "", false},
		{"anything", " | ", false},
		{"a|b", "|", false},
		{"", "x", false},
		{"New\nYork", "new york", true},
		{"cats cat", "cat", true}, // the first is no word, the second is
		{"naïve", "nai\u0308ve", true},
		{"naïvely", "naïve", false},
		{"C++ and C#", "c++", true},
		{"ｆａｒｅ", "fare", true},
		{"head\u00ading", "heading", true},
	} {
		if got := text.HasKeyword(tc.text, tc.keyword); got != tc.want {
			t.Errorf("HasKeyword(%q, %q) = %v: want %v", tc.text, tc.keyword, got, tc.want)
		}
	}
}

// A long text must not take the square of its length, which would be hours.
func TestMatchIsLinear(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]string{
		"one letter": strings.Repeat("a", 1<<18), "words": strings.Repeat("aaab ", 1<<16), "han": strings.Repeat("香", 1<<16),
	} {
		if c := text.Coverage(s, []string{s}, 20); c != 1 {
			t.Errorf("%s: a text covers %v of itself", name, c)
		}
		if has, want := text.HasKeyword(s, strings.Repeat("b", 30)+"|"+strings.Repeat("香", 30)), name == "han"; has != want {
			t.Errorf("%s: HasKeyword %v, want %v", name, has, want)
		}
		if !text.Contains(s, s[:len(s)/2], 20) {
			t.Errorf("%s: a text does not hold its half", name)
		}
	}
}
