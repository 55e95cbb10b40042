package question_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// shown writes what sentences cite: "1,2 !9 | 3" are two sentences, the first
// citing passages 1 and 2 and one, 9, that does not exist.
func shown(cited []judge.Cited) string {
	var out []string
	for _, c := range cited {
		var numbers []string
		for _, p := range c.Cites {
			numbers = append(numbers, fmt.Sprint(p+1))
		}
		s := strings.Join(numbers, ",")
		for _, n := range c.Invalid {
			s += fmt.Sprintf(" !%d", n)
		}
		out = append(out, strings.TrimSpace(s))
	}
	return strings.Join(out, " | ")
}

func TestCitations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, answer, want string }{
		{"nothing", "", ""},
		{"none", "It is tall. It is old.", " | "},
		{"before the full stop", "It is tall [1]. It is old [2].", "1 | 2"},
		{"behind the full stop", "It is tall.[1] It is old.[2][3]", "1 | 2,3"},
		{"behind the full stop and a space", "It is tall. [1] It is old. [2]", "1 | 2"},
		{"before the sentence, throughout", "[1] It is tall. [2] It is old.", "1 | 2"},
		{"several in one mark", "It is tall [1, 3; 2].", "1,3,2"},
		{"with spaces", "It is tall [ 1 , 2 ].", "1,2"},
		{"a range", "It is tall [1-3].", "1,2,3"},
		{"a long dash and a range backwards", "It is tall [4–2].", "2,3,4"},
		{"a range and a number", "It is tall [1-2, 5].", "1,2,5"},
		{"twice", "It is tall [1][1, 2].", "1,2"},
		{"Chinese", "塔很高【1】。塔很老。【2】再見［３］。", "1 | 2 | "},
		{"Chinese, behind the full stop", "塔很高。[1]塔很老。[2、3]", "1 | 2,3"},
		{"footnotes", "It is tall[^1]. It is old.[^2]", "1 | 2"},
		{"zero", "It is tall [0].", "!0"},
		{"out of range", "It is tall [1, 9].", "1 !9"},
		{"a range out of range", "It is tall [4-7].", "4,5 !6 !7"},
		{"a year", "It is tall [1889]. It is old [n].", " | "},
		{"an index in code", "Use `a[1]` here [2].", "2"},
		{"a block of code", "Do this:\n\n```\nx = a[1]\n```\n\nIt works [2].", " |  | 2"},
		{"a mark alone", "It is tall.\n[2]", "2"},
		{"a mark in its own paragraph", "It is tall.\n\n[2] It is old.", " | 2"},
		{"a link", "It is tall [1](https://example.com/a[2]).", "1,2"},
		{"a list of sources", "It is tall [1].\n\nSources:\n[1] The tower\n[2] Towers", "1"},
		{"a list of sources in Chinese", "塔很高[2]。\n\n**來源**：\n- [1] 塔\n- [2] 高塔\n", "2"},
		{"names with numbers", "It is tall [doc1]. It is old [Source 2], [citation:3].", "1 | 2,3"},
		{"escaped", `It is tall \[1\].`, "1"},
		{"other forms", "It is tall [ID:0]. It is old ##1$$. It is here 【4:1†a.md】.", " |  | "},
		{"footnotes and what they stand for", "It is tall[^1].\n\n[^1]: The tower, p. 3.", "1"},
		{"references of Markdown", "It is tall [1].\n\n[1]: https://example.com/a\n[2]: b.md", "1"},
		{"names alone at the end", "It is tall [1].\n[1] tower.pdf\n[2] old.pdf", "1"},
		{"a list of sources in German", "It is tall [1].\n\nQuellen:\n[1] Der Turm ist alt", "1"},
		{"a list of sources after a line", "It is tall [1].\n\n---\n[1] The tower", "1"},
		{"sentences after a mark and a colon", "[1]: It is tall.\n[2]: It is old.", "1 | 2"},
		{"a list that is none", "It is tall [1].\n\nTwo points:\n[1] It is old.", "1 | 1"},
		{"a list", "- It is tall [1]\n- It is old [2]", "1 | 2"},
		{"no words", "... [3] !!! [4]", ""},
		{"not UTF-8", "\xff\xfe [1] \xff.", ""},
		{"a bracket left open", "It is [1 tall [2.", ""},
	} {
		got := question.Cite(tc.answer, 5)
		if d := cmp.Diff(tc.want, shown(got)); d != "" {
			t.Errorf("%s: %q: (-want +got):\n%s\n%+v", tc.name, tc.answer, d, got)
		}
	}
}

func TestCitedSentencesAreNumbered(t *testing.T) {
	t.Parallel()
	// The second sentence is of marks alone and belongs to the first.
	got := question.Cite("It is tall.\n\n---\n\nIt is old [2].", 3)
	want := []judge.Cited{{Sentence: 1, Text: "It is tall."}, {Sentence: 3, Text: "It is old [2].", Cites: []int{1}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Whatever an answer holds, a citation is of a passage or invalid, and given
// once.
func FuzzCitations(f *testing.F) {
	for _, s := range []string{"a [1]. b [2][3].", "a。【1】b。", "Sources:\n[1] x", "`[1]` ```[2]", "[0-999]", "[1-2-3]",
		"a.[1 2,3–5]"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, answer string, n int) {
		n = max(0, n%50)
		at := 0
		for _, c := range question.Cite(answer, n) {
			if c.Sentence <= at || c.Text == "" {
				t.Errorf("%q: sentence %d, %q after %d", answer, c.Sentence, c.Text, at)
			}
			at = c.Sentence
			for _, p := range c.Cites {
				if p < 0 || p >= n {
					t.Errorf("%q: cites %d of %d", answer, p, n)
				}
			}
			for _, p := range c.Invalid {
				if p >= 1 && p <= n {
					t.Errorf("%q: %d of %d is invalid", answer, p, n)
				}
			}
			for _, list := range [][]int{c.Cites, c.Invalid} {
				sorted := slices.Sorted(slices.Values(list))
				if len(slices.Compact(sorted)) != len(list) {
					t.Errorf("%q: %v has one twice", answer, list)
				}
			}
		}
	})
}
