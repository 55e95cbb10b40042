package index_test

import (
	"bufio"
	"bytes"
	_ "embed"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-eval/assay/rag/index"
)

// TestStem goes through the rules with the words that Porter's paper gives for
// them. The stems are those of the whole algorithm, not of the one step.
func TestStem(t *testing.T) {
	t.Parallel()
	for _, step := range []struct{ name, pairs string }{
		{"1a", "caresses caress, ponies poni, ties ti, caress caress, cats cat"},
		{"1b", "feed feed, agreed agre, plastered plaster, bled bled, motoring motor, sing sing"},
		{"1b, e comes back", "conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall, hissing hiss, fizzed " +
			"fizz, failing fail, filing file"},
		{"1c", "happy happi, sky sky"},
		{"2", "relational relat, conditional condit, rational ration, valenci valenc, hesitanci hesit, digitizer digit, radicalli radic, " +
			"differentli differ, " +
			"vileli vile, analogousli analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis, " +
			"hopefulness hope, " +
			"callousness callous, formaliti formal, sensitiviti sensit, sensibiliti sensibl"},
		{"2, the author's changes", "conformabli conform, archaeologi archaeolog"},
		{"3", "triplicate triplic, formative form, formalize formal, electriciti electr, electrical electr, hopeful hope, goodness good"},
		{"4", "revival reviv, allowance allow, inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens, " +
			"irritant irrit, " +
			"replacement replac, adjustment adjust, dependent depend, adoption adopt, homologou homolog, communism commun, activate activ, " +
			"angulariti angular, " +
			"homologous homolog, effective effect, bowdlerize bowdler"},
		{"5a", "probate probat, rate rate, cease ceas"},
		{"5b", "controll control, roll roll"},
		{"short words stay", "a a, is is, as as"},
		// y is a vowel after a consonant: s-y-z-y-g-y has m = 2.
		{"y", "syzygy syzygi, toy toi, by by, say sai, flying fly"},
		{"no letters, no rule", "p53s p53, 1990s 1990, naïves naïv"},
	} {
		for pair := range strings.SplitSeq(step.pairs, ", ") {
			word, want, _ := strings.Cut(pair, " ")
			if got := index.Stem(word); got != want {
				t.Errorf("step %s: %q: %q, want %q", step.name, word, got, want)
			}
		}
	}
}

//go:embed testdata/porter.txt
var porter []byte

// TestStemAgainstNLTK holds the stemmer against NLTK's, see testdata/porter.py.
func TestStemAgainstNLTK(t *testing.T) {
	t.Parallel()
	n := 0
	for sc := bufio.NewScanner(bytes.NewReader(porter)); sc.Scan(); n++ {
		word, want, _ := strings.Cut(sc.Text(), " ")
		if got := index.Stem(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if n < 4000 {
		t.Errorf("%d words: want at least 4000", n)
	}
}

func FuzzStem(f *testing.F) {
	for _, s := range []string{"", "s", "ing", "eed", "yyy", "ational", "ll", "ኊing", "\xff\xffed"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := index.Stem(s)
		if len(got) > len(s) || s != "" && got == "" {
			t.Errorf("%q: %q: want a stem that is not longer and not empty", s, got)
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("%q: %q is no UTF-8", s, got)
		}
	})
}
