package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/text"
)

// Each row's ops, in order: h hit, s substitution, d deletion, i insertion. More
// is in metric/speech, whose counts are held to a plain table and to jiwer's.
func TestAlign(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ ref, hyp, ops string }{
		{"", "", ""},
		{"a b", "", "dd"},
		{"", "a b", "ii"},
		{"a b c", "a x c", "hsh"},
		{"a b", "b", "dh"},
		// Two edits either way: that with a hit, and not two substitutions.
		{"a b", "b c", "dhi"},
		{"the cat sat on the mat", "the cat sit on mat today", "hhshdhi"},
	} {
		ref, hyp := strings.Fields(test.ref), strings.Fields(test.hyp)
		var ops strings.Builder
		errors, found := 0, 0
		for _, s := range text.Align(ref, hyp) {
			ops.WriteByte("hsdi"[s.Op])
			if s.Op == text.Hit {
				found++
				if ref[s.Reference] != hyp[s.Hypothesis] {
					t.Errorf("%q, %q: %+v is no hit", ref, hyp, s)
				}
			} else {
				errors++
			}
		}
		if ops.String() != test.ops {
			t.Errorf("%q, %q: %s, want %s", ref, hyp, &ops, test.ops)
		}
		if edits, hits := text.Edits(ref, hyp); edits != errors || hits != found {
			t.Errorf("%q, %q: %d edits and %d hits, want %d and %d", ref, hyp, edits, hits, errors, found)
		}
	}
	if !slices.Equal(text.Align([]string{"a"}, []string{"b"}), []text.Step{{Op: text.Substitution}}) {
		t.Error("a for b is no substitution")
	}
}
