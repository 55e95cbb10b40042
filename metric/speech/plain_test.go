package speech

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay/internal/text"
)

// The short way of normalising plain English is the long one.
func TestNormalisePlainEnglish(t *testing.T) {
	t.Parallel()
	short := 0
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("aZé''’ .-%$[(\t\n\x00~`{@")), 0, 12, -1).Draw(t, "text")
		if rapid.Bool().Draw(t, "ascii") {
			s = strings.Map(func(r rune) rune { return r & 0x7f }, s)
		}
		p := Profile{Contractions: rapid.Bool().Draw(t, "contractions"), Numbers: rapid.Bool().Draw(t, "numbers")}
		if _, ok := spokenLatin(s); ok {
			short++
		}
		if got, want := p.Normalise(s), p.normalise(s); got != want {
			t.Fatalf("%q is %q: want %q", s, got, want)
		}
	})
	if short == 0 {
		t.Error("no text was normalised the short way")
	}
}

var numeral = regexp.MustCompile(`\p{Nd}+(?:[.,:/⁄` + dashes[1:] + `\-]\p{Nd}+)*`)

func TestNextNumeral(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"1", "23", "٣", "5", ".", ",", ":", "/", "⁄", "-", "−", "~", "a", " ", "年", "\xff"}),
			0, 14).Draw(t, "parts"), "")
		for at := 0; ; {
			from, to := nextNumeral(s, at)
			want := numeral.FindStringIndex(s[at:])
			if (want == nil) != (from < 0) || want != nil && (from != at+want[0] || to != at+want[1]) {
				t.Fatalf("%q from %d: %d to %d, want %v", s, at, from, to, want)
			}
			if from < 0 {
				return
			}
			at = to
		}
	})
}

// What the expressions are not asked of, they do not match.
func TestExpressionsThatCannotMatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"1", "30", "5", "點", "点", "負", "负", "零下", "minus ", "零", "三", "兩", "年", "分", ".",
			"a", " ", "[1]", "%"}), 0, 10).Draw(t, "parts"), "")
		if !hasPoint(s) && (hanPoint().MatchString(s) || pointed().MatchString(s)) {
			t.Fatalf("%q has a number with a point", s)
		}
		if got, want := minusSigns(s), hanMinus().ReplaceAllString(s, " -$1"); got != want {
			t.Fatalf("%q is %q: want %q", s, got, want)
		}
		if countedHan().MatchString(s) && !strings.ContainsAny(s, hanNumerals) {
			t.Fatalf("%q has a counted numeral", s)
		}
		if numbers := text.Numbers(inFigures(norm.NFKC.String(s))); isWordy(s) && len(numbers) > 0 {
			t.Fatalf("%q has the numbers %v", s, numbers)
		}
	})
}
