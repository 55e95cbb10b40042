package offline

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
)

// A sentence declines if one of the expressions matches, whatever screens them.
func TestDeclining(t *testing.T) {
	if !known().screens.Screened() {
		t.Error("nothing screens some of the expressions")
	}
	var parts, expressions []string
	for _, e := range known().Declining {
		expressions = append(expressions, e.String())
		parts = append(parts, regexp.MustCompile(`[^\pL ]+`).Split(e.String(), -1)...)
	}
	parts = append(parts, "i", "the", "is", "we", "in", "this", "sé", "paris", ".", ",", "$")
	whole := regexp.MustCompile(`(?:` + strings.Join(expressions, `)|(?:`) + `)`)
	r := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range 1500 {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(parts[r.IntN(len(parts))])
			b.WriteString([]string{" ", "", " "}[r.IntN(3)])
		}
		want := whole.MatchString(plain(b.String()))
		if got := declines(b.String()); got != want {
			t.Errorf("%q: declines %v, want %v", b.String(), got, want)
		}
		r, declined := reading("Who?", b.String())
		long := r.Kind == judge.Empty || r.Kind == judge.Abstained && declined && surely(b.String()) && !adds("Who?", b.String())
		if got := Declines("Who?", b.String()); got != long {
			t.Errorf("%q: Declines %v, want %v", b.String(), got, long)
		}
		if want {
			matched++
		}
	}
	if matched < 50 {
		t.Errorf("%d of the texts decline: want enough to compare", matched)
	}
}
