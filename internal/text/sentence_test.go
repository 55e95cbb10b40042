package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/assay-eval/assay/internal/text"
)

func sentences(s string) []string {
	var out []string
	for _, p := range text.Sentences(s) {
		out = append(out, p.Of(s))
	}
	return out
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, in, want string }{
		// A "¶" in want stands between sentences.
		{"nothing", "", ""},
		{"white space", " \n\t\n ", ""},
		{"no end", "no full stop", "no full stop"},
		{"two", "One here. Two there.", "One here.¶Two there."},
		{"three ends", "Really? Yes! Good.", "Really?¶Yes!¶Good."},
		{"a run of ends", "What?! Well... Then go.", "What?!¶Well...¶Then go."},
		{"dots that go on", "Well... then go.", "Well... then go."},

		{"titles", "Dr. Smith met Mrs. Jones. They spoke.", "Dr. Smith met Mrs. Jones.¶They spoke."},
		{"initials", "J. R. Smith wrote it. I did not.", "J. R. Smith wrote it.¶I did not."},
		{"the pronoun", "So did I. Nobody left.", "So did I.¶Nobody left."},
		{"dotted", "In the U.S. Congress, e.g. Smith, i.e. him.", "In the U.S. Congress, e.g. Smith, i.e. him."},
		{"dotted at an end", "She lives in the U.S. The house is big.", "She lives in the U.S.¶The house is big."},
		{"degrees", "A Ph.D. Student left.", "A Ph.D. Student left."},
		{"company at an end", "It was made by Apple Inc. The price fell.", "It was made by Apple Inc.¶The price fell."},
		{"number words", "See no. 5 and Fig. 3. He said no. Nobody moved.", "See no. 5 and Fig. 3.¶He said no.¶Nobody moved."},
		{"months", "On Jan. 5 it began. It ended on Feb. 6.", "On Jan. 5 it began.¶It ended on Feb. 6."},
		{"et al.", "Shown by Lee et al. (2019) and others.", "Shown by Lee et al. (2019) and others."},
		{"decimals", "It rose 3.09 percent. Then 1.5.", "It rose 3.09 percent.¶Then 1.5."},
		{"versions and addresses", "Use v1.2.3 from example.com/a?b=C now. Done.", "Use v1.2.3 from example.com/a?b=C now.¶Done."},
		{"lower case goes on", "The Yahoo! site and asst. manager.", "The Yahoo! site and asst. manager."},
		{"a name with a mark and a comma", "He asked, \"Why?\", and left.", "He asked, \"Why?\", and left."},

		{"quotes close", `He said "Go." Then he left.`, `He said "Go."¶Then he left.`},
		{"curly quotes", "“Is it so?” “It is.” She nodded.", "“Is it so?”¶“It is.”¶She nodded."},
		{"a quote opens", `He left. "Now?" she said.`, `He left.¶"Now?" she said.`},
		{"brackets", "It works (see below.) Next one.", "It works (see below.)¶Next one."},
		{"emphasis", "**Bold one.** Next _one._ End.", "**Bold one.**¶Next _one._¶End."},
		{"reference marks", "Built in 1889.[1][2, 3] It is tall [4]. Yes.", "Built in 1889.[1][2, 3]¶It is tall [4].¶Yes."},

		{"Chinese", "今天天氣很好。我們去公園！你去嗎？", "今天天氣很好。¶我們去公園！¶你去嗎？"},
		{"Chinese quotes", "他說：「你好。」然後走了。", "他說：「你好。」¶然後走了。"},
		{"Chinese curly quotes", "他說：“你好！”然後走了。", "他說：“你好！”¶然後走了。"},
		{"a run in Chinese", "真的嗎？！好。", "真的嗎？！¶好。"},
		{"Chinese, then Latin in lower case", "我用手機。iPhone很好。", "我用手機。¶iPhone很好。"},
		{"Chinese decimals", "升3.09％。共1.2萬人。", "升3.09％。¶共1.2萬人。"},
		{"Chinese with a full stop of ASCII", "第一句.第二句.", "第一句.¶第二句."},
		{"Japanese", "これはペンです。あれは本です。", "これはペンです。¶あれは本です。"},
		{"Hindi", "यह है। वह है।", "यह है।¶वह है।"},
		{"Arabic", "كيف حالك؟ أنا بخير.", "كيف حالك؟¶أنا بخير."},

		{"wrapped lines", "The quick\nbrown fox.\r\nIt jumps\r\nover.", "The quick\nbrown fox.¶It jumps\r\nover."},
		{"paragraphs", "No stop here\n\nNext one\n \nLast", "No stop here¶Next one¶Last"},
		{"a list", "Buy:\n- milk\n- eggs. And\n  bread\n* tea\n• rice", "Buy:¶- milk¶- eggs.¶And\n  bread¶* tea¶• rice"},
		{"a numbered list", "1. First item. More.\n2) Second\n10. Tenth", "1. First item.¶More.¶2) Second¶10. Tenth"},
		{"headings", "# Title\nText here\n## Next. Part\n\nMore", "# Title¶Text here¶## Next.¶Part¶More"},
		{"no heading", "We are\n#1 in town", "We are\n#1 in town"},
		{"underlined heading", "Title\n=====\nText", "Title¶=====¶Text"},
		{"a table", "| a | b |\n|---|---|\n| 1. X | 2 |", "| a | b |¶|---|---|¶| 1.¶X | 2 |"},
		{"a quotation", "He wrote\n> one line\n> goes on. New.\nEnd", "He wrote¶> one line\n> goes on.¶New.¶End"},
		{"code", "Run:\n```go\na.B(). C\n# no heading\n- no item\n\nx = 1\n```\nDone. Yes.",
			"Run:¶```go\na.B(). C\n# no heading\n- no item¶x = 1\n```¶Done.¶Yes."},
		{"a fence that is never closed", "```\nOne. Two.", "```\nOne.¶Two."},
		{"not UTF-8", "A\xff b. \xfeC.", "A\xff b.¶\xfeC."},
		{"only marks", "... !!! ???", "...¶!!!¶???"},
	} {
		var want []string
		if tc.want != "" {
			want = strings.Split(tc.want, "¶")
		}
		if got := sentences(tc.in); !slices.Equal(got, want) {
			t.Errorf("%s: %q\n got %q\nwant %q", tc.name, tc.in, got, want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"", "Dr. A. B. [1]. (x.) \"y.\" 。」", "```\na\n```", "1. \n\n# x\n---\n> y\n- z", "\xff.\xfe 香.香"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, p := range text.Sentences(s) {
			if p.Start < end || p.End <= p.Start || p.End > len(s) {
				t.Fatalf("Sentences(%q): span %v after %d", s, p, end)
			}
			if got := p.Of(s); got != strings.TrimFunc(got, unicode.IsSpace) {
				t.Fatalf("Sentences(%q): %q is not trimmed", s, got)
			}
			// What lies between sentences is white space.
			if gap := s[end:p.Start]; strings.TrimFunc(gap, unicode.IsSpace) != "" {
				t.Fatalf("Sentences(%q) lose %q", s, gap)
			}
			end = p.End
		}
		if gap := s[end:]; strings.TrimFunc(gap, unicode.IsSpace) != "" {
			t.Fatalf("Sentences(%q) lose %q", s, gap)
		}
	})
}

// A long text of anything must not take the square of its length, which would
// be hours.
func TestSentencesIsLinear(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	for _, unit := range []string{"a", ". ", "Dr. ", "dr.", "A.", "a.b", ".)", ")", "[1]", "x. [", "!", "。", "香.", " ", "\n", "\r\n- ",
		"# a\n", "```\n", "``` x\n~~~\n", "1. ", "12 ", "e.g. "} {
		s := "He. " + strings.Repeat(unit, size/len(unit)) + "X"
		if all := text.Sentences(s); all[len(all)-1].End != len(s) {
			t.Errorf("%q: the last sentence ends at %d of %d", unit, all[len(all)-1].End, len(s))
		}
	}
}

func BenchmarkSentences(b *testing.B) {
	s := strings.Repeat("Dr. Smith of Apple Inc. met the U.S. ambassador on Jan. 5, and spoke for 3.5 hours. 今天天氣很好。\n\n", 1000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		text.Sentences(s)
	}
}
