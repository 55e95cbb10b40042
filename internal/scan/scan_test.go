package scan_test

import (
	"slices"
	"testing"
	"unicode"

	"github.com/assay-eval/assay/internal/scan"
)

func TestScannerReadsFromLeftToRight(t *testing.T) {
	t.Parallel()
	s := scan.Scanner{Text: "  été>=1"}
	s.Space()
	if word := s.Take(unicode.IsLetter); word != "été" || s.Next("<") || !s.Next(">=") || s.Rest() != "1" {
		t.Errorf("word %q, rest %q", word, s.Rest())
	}
	if c := scan.Column(s.Text, s.At); c != 8 {
		t.Errorf("column %d, want 8", c)
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		"":                                {""},
		"mrr, hit@5":                      {"mrr", " hit@5"},
		"mrr,rbp(p=0.8,gain=graded),wer":  {"mrr", "rbp(p=0.8,gain=graded)", "wer"},
		"below(rbp(p=0.8,a=b), 1) <= 0,c": {"below(rbp(p=0.8,a=b), 1) <= 0", "c"},
		"a(b,c":                           {"a(b", "c"},
		"a)b,c":                           {"a)b", "c"},
	} {
		if got := scan.Items(list); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
}
