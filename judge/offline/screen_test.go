package offline

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
)

// A screened expression matches what the expression alone matches.
func TestScreen(t *testing.T) {
	for _, of := range []struct {
		expression, text string
		want             bool
	}{
		{`\b(?:do not|don't) (?:know|say)\b`, "i do not know", true},
		{`\b(?:do not|don't) (?:know|say)\b`, "i do not see", false},
		{`(?i)unknown`, "UNKNOWN", true},
		{`(?:a|)b?c*`, "", true},
		{`[xy]es+`, "yes", true},
		{`(no){2,3}`, "nono", true},
		{`(no){2,3}`, "no", false},
	} {
		if got := screen(of.expression).MatchString(of.text); got != of.want {
			t.Errorf("%s in %q: %v, want %v", of.expression, of.text, got, of.want)
		}
	}

	var parts []string
	for _, e := range known().declining {
		if e.literals == nil {
			t.Errorf("nothing screens %s", e)
		}
		for _, set := range e.literals {
			parts = append(parts, set...)
		}
	}
	parts = append(parts, "i", "the", "is", "we", "in", "this", "sé", "paris", ".", ",", "$")
	whole := regexp.MustCompile(`(?:` + strings.Join(known().Declining, `)|(?:`) + `)`)
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
		long := r.Kind == judge.Empty || r.Kind == judge.Abstained && declined
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
