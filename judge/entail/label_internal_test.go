package entail

import (
	"math"
	"strings"
	"testing"
)

func row(pairs ...any) []class {
	var out []class
	for i := 0; i < len(pairs); i += 2 {
		score := pairs[i+1].(float64)
		out = append(out, class{pairs[i].(string), &score})
	}
	return out
}

func TestScoreOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, label            string
		row                    []class
		entailed, contradicted float64 // contradicted -1: none
		err                    string
	}{
		{"three", "", row("contradiction", 0.2, "neutral", 0.1, "entailment", 0.7), 0.7, 0.2, ""},
		{"capitals", "", row("ENTAILMENT", 0.25, "NEUTRAL", 0.25, "CONTRADICTION", 0.5), 0.25, 0.5, ""},
		{"two", "", row("not_entailment", 0.4, "entailment", 0.6), 0.6, -1, ""},
		{"numbers", "", row("LABEL_0", 0.3, "LABEL_1", 0.7), 0.7, -1, ""},
		{"in another order", "", row("LABEL_1", 0.7, "LABEL_0", 0.3), 0.7, -1, ""},
		{"one", "", row("LABEL_0", 0.9), 0.9, -1, ""},
		{"one logit", "", row("LABEL_0", -2.0), 1 / (1 + math.Exp(2)), -1, ""},
		{"one that is named", "contradiction", row("contradiction", 0.9), 0.9, -1, ""},
		{"one without a name", "", row("", 0.9), 0.9, -1, ""},
		{"contradiction alone", "", row("contradiction", 0.95), 0, 0, `labels ["contradiction"]: none is known to mean entailment`},
		{"unlike alone", "", row("toxic", 0.95), 0, 0, `labels ["toxic"]: none is known to mean entailment; use --set entailment-label`},
		{"named", "label_2", row("LABEL_0", 0.5, "LABEL_1", 0.2, "LABEL_2", 0.3), 0.3, -1, ""},
		{"named other than usual", "neutral", row("entailment", 0.5, "neutral", 0.5), 0.5, -1, ""},
		// e^1 / (e^1 + e^2 + e^3) and e^3 / the same.
		{"logits", "", row("entailment", 1.0, "neutral", 2.0, "contradiction", 3.0), 0.09003057317038046, 0.6652409557748219, ""},
		{"great logits", "", row("entailment", 1000.0, "contradiction", -1000.0), 1, 0, ""},
		{"rounded", "", row("entailment", 0.699, "neutral", 0.303), 0.699, -1, ""},
		{"three numbers", "", row("LABEL_0", 0.5, "LABEL_1", 0.2, "LABEL_2", 0.3), 0, 0, "none is known to mean entailment; use --set entailment-label"},
		{"no such label", "yes", row("entailment", 0.5, "neutral", 0.5), 0, 0, "none is known"},
		{"two labels", "", row("entailment", 0.5, "supported", 0.5), 0, 0, "two of them mean entailment"},
		{"unlike", "", row("positive", 0.5, "negative", 0.5), 0, 0, "none is known"},
		{"none", "", nil, 0, 0, "a pair without labels"},
		{"no score", "", []class{{"entailment", nil}}, 0, 0, `label "entailment" has no score`},
		{"not finite", "", row("entailment", math.Inf(1)), 0, 0, "has no score"},
	} {
		s, err := scoreOf(c.row, c.label, probabilities)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v: want %s", c.name, err, c.err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case math.Abs(s.Entailed-c.entailed) > 1e-12 || (s.Contradicted != nil) != (c.contradicted >= 0):
			t.Errorf("%s: %+v: want %v", c.name, s, c.entailed)
		case s.Contradicted != nil && math.Abs(*s.Contradicted-c.contradicted) > 1e-12:
			t.Errorf("%s: contradicted %v: want %v", c.name, *s.Contradicted, c.contradicted)
		}
	}
}

func FuzzScoreOf(f *testing.F) {
	f.Add("entailment", 0.7, "neutral", 0.3, "")
	f.Add("LABEL_0", -4.0, "LABEL_1", 900.0, "label_1")
	f.Fuzz(func(t *testing.T, a string, x float64, b string, y float64, label string) {
		for _, of := range []func([]float64) []float64{probabilities, softmax} {
			for _, list := range [][]class{row(a, x), row(a, x, b, y)} {
				if s, err := scoreOf(list, label, of); err == nil && s.check() != nil {
					t.Errorf("%v: %+v", list, s)
				}
			}
		}
	})
}
