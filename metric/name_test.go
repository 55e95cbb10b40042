package metric_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay/metric"
)

// names is a catalog with every kind of name.
func names() *metric.Catalog {
	gain := metric.Param{Name: "gain", Doc: "d", Default: "linear", Values: []string{"linear", "exponential"}}
	p := metric.Param{Name: "p", Doc: "d", Default: "0.8", Min: 0, Max: 1}
	level := metric.Param{Name: "level", Doc: "d", Default: "0", Min: -10, Max: 1000}
	return metric.NewCatalog(
		define(func(d *metric.Def) {
			d.Name, d.Cutoff, d.Params = "ndcg", metric.OptionalCutoff, []metric.Param{gain, p, level}
		}),
		define(func(d *metric.Def) { d.Name, d.Cutoff = "hit", metric.RequiredCutoff }),
		define(func(d *metric.Def) { d.Name = "map" }),
		define(func(d *metric.Def) { d.Name, d.Params = "rbp", []metric.Param{p} }),
		define(func(d *metric.Def) { d.Name = "r_precision" }),
	)
}

func TestParse(t *testing.T) {
	t.Parallel()
	c := names()
	for _, tc := range []struct {
		in, name string
		k        int
	}{
		{"map", "map", 0},
		{" MAP\n", "map", 0},
		{"ndcg", "ndcg", 0},
		{"ndcg@10", "ndcg@10", 10},
		{"nDCG@0010", "ndcg@10", 10},
		{"ndcg@1073741824", "ndcg@1073741824", 1 << 30},
		{"hit@1", "hit@1", 1},
		{"ndcg@10(exponential)", "ndcg@10(gain=exponential)", 10},
		{"ndcg(gain=exponential)", "ndcg(gain=exponential)", 0},
		{"ndcg(linear)", "ndcg", 0}, // the default is left out
		{"ndcg(p=0.80, gain=linear)", "ndcg", 0},
		{"ndcg(p=.5,exponential)", "ndcg(gain=exponential,p=0.5)", 0}, // in the order of the definition
		{"ndcg( EXPONENTIAL , level=1e2 )", "ndcg(gain=exponential,level=100)", 0},
		{"ndcg(level=-0)", "ndcg", 0},
		{"rbp(p=1e-5)", "rbp(p=1e-05)", 0},
		{"rbp(p=0)", "rbp(p=0)", 0},
		{"rbp(p=1)", "rbp(p=1)", 0},
	} {
		m, err := c.Parse(tc.in)
		if err != nil || m.Name != tc.name || m.Params.K != tc.k {
			t.Errorf("Parse(%q) = %q with k %d, %v: want %q with k %d", tc.in, m.Name, m.Params.K, err, tc.name, tc.k)
		}
	}
	m, err := c.Parse("ndcg@5(exponential,p=.25)")
	if err != nil {
		t.Fatal(err)
	}
	if w, v, d := m.Params.Word("gain"), m.Params.Number("p"), m.Params.Number("level"); w != "exponential" || v != 0.25 || d != 0 {
		t.Errorf("parameters %q, %v, %v", w, v, d)
	}
	if p := panics(func() { m.Params.Number("gain") }); p == nil {
		t.Error("a word is read as a number")
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	c := names()
	for in, want := range map[string]string{
		"":               `unknown metric ""  (all: assay metrics)`,
		"ndgc@10":        `unknown metric "ndgc@10": did you mean "ndcg@10"?  (all: assay metrics)`,
		"NDGC(p=1)":      `unknown metric "NDGC(p=1)": did you mean "ndcg(p=1)"?  (all: assay metrics)`,
		"rprecision":     `unknown metric "rprecision": did you mean "r_precision"?  (all: assay metrics)`,
		"faithfulness":   `unknown metric "faithfulness"  (all: assay metrics)`,
		"map@5":          `metric "map@5": "map" takes no cutoff: expected "map"`,
		"hit":            `metric "hit": expected a cutoff, as in "hit@10"`,
		"hit@":           `metric "hit@": cutoff "": expected a whole number from 1, as in "hit@10"`,
		"hit@0":          `metric "hit@0": cutoff "0": expected a whole number from 1, as in "hit@10"`,
		"hit@-1":         `metric "hit@-1": cutoff "-1": expected a whole number from 1, as in "hit@10"`,
		"hit@1.5":        `metric "hit@1.5": cutoff "1.5": expected a whole number from 1, as in "hit@10"`,
		"hit@1@2":        `metric "hit@1@2": cutoff "1@2": expected a whole number from 1, as in "hit@10"`,
		"hit@9999999999": `metric "hit@9999999999": cutoff "9999999999": expected a whole number from 1, as in "hit@10"`,
		"rbp(p=0.5":      `metric "rbp(p=0.5": the parenthesis is not closed: expected "rbp(p=0.5)"`,
		"rbp(p=2":        `metric "rbp(p=2": the parenthesis is not closed`,
		"ndcg(gain=exponential)@5": `metric "ndcg(gain=exponential)@5": the cutoff stands before the parenthesis: ` +
			`expected "ndcg@5(gain=exponential)"`,
		"Hit()@5":                  `metric "Hit()@5": the cutoff stands before the parenthesis`,
		"rbp(p=0.5)@5":             `metric "rbp(p=0.5)@5": the cutoff stands before the parenthesis`,
		"ndcg@3(p=0.5)@5":          `metric "ndcg@3(p=0.5)@5": "@5" follows the parenthesis: expected "ndcg@3(p=0.5)"`,
		"ndcg(p=0.5)@5(linear)":    `metric "ndcg(p=0.5)@5(linear)": the cutoff stands before the parenthesis`,
		"rbp(p=0.5) x":             `metric "rbp(p=0.5) x": " x" follows the parenthesis: expected "rbp(p=0.5)"`,
		"rbp(p=2)":                 `metric "rbp(p=2)": p "2": expected a number from 0 to 1`,
		"rbp(p=NaN)":               `metric "rbp(p=NaN)": p "nan": expected a number from 0 to 1`,
		"rbp(p=)":                  `metric "rbp(p=)": p "": expected a number from 0 to 1`,
		"rbp()":                    `metric "rbp()": parameter "": expected p=0…1`,
		"rbp(q=1)":                 `metric "rbp(q=1)": parameter "q=1": expected p=0…1`,
		"rbp(0.5)":                 `metric "rbp(0.5)": parameter "0.5": expected p=0…1`,
		"rbp(p=0.5,p=0.6)":         `metric "rbp(p=0.5,p=0.6)": p is given twice`,
		"ndcg(linear,gain=linear)": `metric "ndcg(linear,gain=linear)": gain is given twice`,
		"map(x)":                   `metric "map(x)": parameter "x": expected no parameter`,
		"ndcg(gain=quadratic)":     `metric "ndcg(gain=quadratic)": gain "quadratic": expected one of ["linear" "exponential"]`,
		"ndcg(quadratic)":          `metric "ndcg(quadratic)": parameter "quadratic": expected gain=linear|exponential, p=0…1, level=-10…1000`,
		"rbp(p=0.5))":              `metric "rbp(p=0.5))": ")" follows the parenthesis: expected "rbp(p=0.5)"`,
	} {
		if m, err := c.Parse(in); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = %q,\n got %v\nwant %s", in, m.Name, err, want)
		}
	}
}

// Names of other tools lead to ours, with the cutoff in our spelling.
func TestNamesOfOtherTools(t *testing.T) {
	t.Parallel()
	var defs []*metric.Def
	for name, cutoff := range map[string]metric.Cutoff{
		"precision": metric.RequiredCutoff, "recall": metric.RequiredCutoff, "hit": metric.RequiredCutoff, "mrr": metric.OptionalCutoff,
		"map": metric.OptionalCutoff, "ndcg": metric.OptionalCutoff, "r_precision": metric.NoCutoff, "exact_match": metric.NoCutoff,
		"token_f1": metric.NoCutoff,
	} {
		defs = append(defs, define(func(d *metric.Def) { d.Name, d.Cutoff = name, cutoff }))
	}
	c := metric.NewCatalog(defs...)
	for in, want := range map[string]string{
		"P.5": "precision@5", "P_5": "precision@5", "p@5": "precision@5", "P.5,10": "precision@5", "p10": "precision@10", "P": "precision@10",
		"P_at_5": "precision@5", "p-5": "precision@5", "r_100": "recall@100", "precision_at_3": "precision@3", "precision.3": "precision@3",
		"precision3": "precision@3",
		"success.1":  "hit@1", "hit_rate": "hit@10", "recip_rank": "mrr", "RR@10": "mrr@10", "ap": "map", "map_cut.5": "map@5",
		"map_cut_5":   "map@5",
		"ndcg_cut.10": "ndcg@10", "ndcg_cut": "ndcg", "ndgc_10": "ndcg@10", "Rprec": "r_precision", "rprec.5": "r_precision", "em": "exact_match",
		"f1": "token_f1", "F1@5": "token_f1",
		"precison": "precision@10", "p@0": "precision@10", "ndcgs.5(gain=x)": "ndcg@5(gain=x)", "accuracy": "", "@5": "", ".5": "", "5": "",
	} {
		message := `unknown metric "` + in + `"  (all: assay metrics)`
		if want != "" {
			message = `unknown metric "` + in + `": did you mean "` + want + `"?  (all: assay metrics)`
		}
		if _, err := c.Parse(in); err == nil || err.Error() != message {
			t.Errorf("Parse(%q): %v\nwant %s", in, err, message)
		}
	}
	if _, err := c.Find("P"); err == nil || !strings.Contains(err.Error(), `did you mean "precision"?`) {
		t.Errorf("Find: %v", err)
	}
}

func TestParseAll(t *testing.T) {
	t.Parallel()
	c := names()
	got, err := c.ParseAll([]string{"hit@3", "map", "HIT@03", "ndcg(linear)", "ndcg"})
	var list []string
	for _, m := range got {
		list = append(list, m.Name)
	}
	if err != nil || !slices.Equal(list, []string{"hit@3", "map", "ndcg"}) {
		t.Errorf("got %q, %v: want each once", list, err)
	}
	if _, err := c.ParseAll([]string{"hit", "map", "mop"}); err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two names are wrong: %v", err)
	}
	if got, err := c.ParseAll(nil); got != nil || err != nil {
		t.Errorf("no name: %v, %v", got, err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	c := names()
	if d, err := c.Find("Map"); err != nil || d.Name != "map" {
		t.Errorf("got %v, %v", d, err)
	}
	if _, err := c.Find("mapp"); err == nil || !strings.Contains(err.Error(), `did you mean "map"?`) {
		t.Errorf("got %v", err)
	}
}

// Every name that parses has one canonical spelling, which parses to itself.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"ndcg@10(gain=exponential,p=.5)", "hit@3", " RBP(p=1e-3) ", "map", "ndcg(level=-0)", "hit@+5", "ndcg@1(",
		"rbp(p=0x1p-2)", "\u212a", "ndcg(,)"} {
		f.Add(s)
	}
	c := names()
	f.Fuzz(func(t *testing.T, s string) {
		m, err := c.Parse(s)
		if err != nil {
			if err.Error() == "" || m.Def != nil {
				t.Errorf("Parse(%q) = %+v, %q", s, m, err)
			}
			return
		}
		again, err := c.Parse(m.Name)
		if err != nil || again.Name != m.Name || again.Params.K != m.Params.K {
			t.Errorf("Parse(%q) is %q, which parses to %q, %v", s, m.Name, again.Name, err)
		}
		for _, q := range m.Def.Params {
			if again.Params.Word(q.Name) != m.Params.Word(q.Name) {
				t.Errorf("Parse(%q): %s is %q, and in its canonical name %q", s, q.Name, m.Params.Word(q.Name), again.Params.Word(q.Name))
			}
		}
	})
}

// However a number is written, it is one metric.
func TestOneNameForOneNumber(t *testing.T) {
	t.Parallel()
	c := names()
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(0, 1).Draw(t, "v")
		seen := map[string]bool{}
		for _, format := range []string{"f", "e", "g"} {
			m, err := c.Parse("rbp(p=" + formatFloat(v, format[0]) + ")")
			if err != nil {
				t.Fatal(err)
			}
			if got := m.Params.Number("p"); got != v && !(got == 0 && v == 0) {
				t.Fatalf("%v is read as %v", v, got)
			}
			seen[m.Name] = true
		}
		if len(seen) != 1 || math.IsNaN(v) {
			t.Fatalf("%v has the names %v", v, seen)
		}
	})
}

func formatFloat(v float64, format byte) string { return strconv.FormatFloat(v, format, -1, 64) }
