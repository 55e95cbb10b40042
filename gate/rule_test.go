package gate_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay/gate"
)

func TestParseRule(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		want gate.Rule // without its text
		is   string    // the usual spelling; "" is that of the text
	}{
		{"faithfulness >= 0.85", gate.Rule{Quantity: "faithfulness", Op: ">=", Limit: 0.85}, ""},
		{"ndcg@10.lower >= 0.6", gate.Rule{Quantity: "ndcg@10", Bound: "lower", Op: ">=", Limit: 0.6}, ""},
		{"recall@5 vs baseline >= -0.02", gate.Rule{Quantity: "recall@5", Versus: true, Op: ">=", Limit: -0.02}, ""},
		{"src_hit@3 vs baseline >= -1%", gate.Rule{Quantity: "src_hit@3", Versus: true, Op: ">=", Limit: -0.01, Percent: true}, ""},
		{"errors <= 1%", gate.Rule{Quantity: "errors", Op: "<=", Limit: 0.01, Percent: true}, ""},
		{"errors <= 0.1%", gate.Rule{Quantity: "errors", Op: "<=", Limit: 0.001, Percent: true}, ""},
		{"errors <= 0.01", gate.Rule{Quantity: "errors", Op: "<=", Limit: 0.01}, ""},
		{"errors <= 0", gate.Rule{Quantity: "errors", Op: "<="}, ""},
		{"new_total_losses <= 2%", gate.Rule{Quantity: "new_total_losses", Op: "<=", Limit: 0.02, Percent: true}, ""},
		{"new_total_losses <= 100 %", gate.Rule{Quantity: "new_total_losses", Op: "<=", Limit: 1, Percent: true}, "new_total_losses <= 100%"},
		{"p95_latency <= 2s", gate.Rule{Quantity: "p95_latency", Op: "<=", Limit: 2}, ""},
		{"mean_latency<1500ms", gate.Rule{Quantity: "mean_latency", Op: "<", Limit: 1.5}, "mean_latency < 1.5s"},
		{"p99_latency ≤ 1 m", gate.Rule{Quantity: "p99_latency", Op: "<=", Limit: 60}, "p99_latency <= 60s"},
		{"cost <= 1.50", gate.Rule{Quantity: "cost", Op: "<=", Limit: 1.5}, "cost <= $1.5"},
		{"cost<$0.25", gate.Rule{Quantity: "cost", Op: "<", Limit: 0.25}, "cost < $0.25"},
		{"  MRR≥.5 ", gate.Rule{Quantity: "mrr", Op: ">=", Limit: 0.5}, "mrr >= 0.5"},
		{"rbp(p=0.8)@10.lower >= 0.6", gate.Rule{Quantity: "rbp@10(p=0.8)", Bound: "lower", Op: ">=", Limit: 0.6}, "rbp@10(p=0.8).lower >= 0.6"},
		{"rbp( p=0.8, gain=graded ) > 60%", gate.Rule{Quantity: "rbp(p=0.8,gain=graded)", Op: ">", Limit: 0.6, Percent: true},
			"rbp(p=0.8,gain=graded) > 60%"},
		{"hallucination.upper vs baseline<=+0.03", gate.Rule{Quantity: "hallucination", Bound: "upper", Versus: true, Op: "<=", Limit: 0.03},
			"hallucination.upper vs baseline <= 0.03"},
		{"hit@3 VS Baseline >= −0.5 %", gate.Rule{Quantity: "hit@3", Versus: true, Op: ">=", Limit: -0.005, Percent: true},
			"hit@3 vs baseline >= -0.5%"},
		{"hit@3 vs baseline >= -0", gate.Rule{Quantity: "hit@3", Versus: true, Op: ">="}, "hit@3 vs baseline >= 0"},
		{"composite >= 0.7", gate.Rule{Quantity: "composite", Op: ">=", Limit: 0.7}, ""},
		{"lost_at.filter <= 5%", gate.Rule{Quantity: "lost_at.filter", Op: "<=", Limit: 0.05, Percent: true}, ""},
		{"Lost_at.Not_in_index.upper <= 0.01", gate.Rule{Quantity: "lost_at.not_in_index", Bound: "upper", Op: "<=", Limit: 0.01},
			"lost_at.not_in_index.upper <= 0.01"},
		{"lost_at.retrieve vs baseline <= 2%", gate.Rule{Quantity: "lost_at.retrieve", Versus: true, Op: "<=", Limit: 0.02, Percent: true}, ""},
		{"check.short.lower >= 0.9", gate.Rule{Quantity: "check.short", Bound: "lower", Op: ">=", Limit: 0.9}, ""},
		{"check.max <= 2%", gate.Rule{Quantity: "check.max", Op: "<=", Limit: 0.02, Percent: true}, ""},
		{"check.low_latency >= 1", gate.Rule{Quantity: "check.low_latency", Op: ">=", Limit: 1}, ""},
		{"bleu >= 35.25", gate.Rule{Quantity: "bleu", Op: ">=", Limit: 35.25}, ""},
	} {
		got, err := gate.ParseRule(test.text)
		test.want.Text = test.text
		if err != nil || got != test.want {
			t.Errorf("%q: %+v, %v, want %+v", test.text, got, err, test.want)
			continue
		}
		is := test.is
		if is == "" {
			is = test.text
		}
		if got.String() != is {
			t.Errorf("%q is written %q, want %q", test.text, got, is)
		}
	}
}

func TestParseRuleErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"faithfulness => 0.85":                 `rule "faithfulness => 0.85": column 14: "=>": expected one of >=, <=, >, <`,
		"":                                     `rule "": column 1: the rule ends: expected the name of a metric, errors, new_total_losses, p95_latency or cost`,
		"0.85":                                 `column 1: "0": expected the name of a metric`,
		"faithfulness":                         `column 13: the rule ends: expected one of >=, <=, >, <`,
		"faithfulness 0.85":                    `column 14: "0.85": expected one of >=`,
		"faithfulness == 1":                    `column 14: "==": expected one of >=`,
		"faithfulness >=":                      `column 16: the rule ends: expected a number, such as 0.85`,
		"faithfulness >= high":                 `column 17: "high": expected a number, such as 0.85`,
		"faithfulness >= .":                    `column 17: ".": expected a number`,
		"faithfulness >= 0,85":                 `column 18: ",85": expected the end of the rule`,
		"faithfulness >= 1e-3":                 `column 18: "e": expected a number without a unit, or with "%"`,
		"faithfulness >= 0.8 please":           `column 21: "please": expected a number without a unit, or with "%"`,
		"faithfulness >= 80% please":           `column 21: "please": expected the end of the rule`,
		"faithfulness >= $1":                   `column 17: "$1": expected a number without "$": only the cost is in dollars`,
		"faithfulness >= 2s":                   `column 18: "s": expected a number without a unit: only mean_latency, p50_latency, p95_latency and p99_latency are times`,
		"p95_latenc <= 2 ms":                   `column 17: "ms": expected a number without a unit: only mean_latency`,
		"recall@ >= 1":                         `column 7: "@": expected a cutoff, such as "@10"`,
		"ndcg@10.low >= 1":                     `column 8: ".low": expected ".lower", ".upper", ".min" or ".max"`,
		"lost_at.filter.low <= 1":              `column 15: ".low": expected ".lower", ".upper", ".min" or ".max"`,
		"ndcg@10. >= 1":                        `column 8: ".": expected ".lower", ".upper", ".min" or ".max"`,
		"rbp(p=0.8 >= 1":                       `column 11: ">": expected a parameter, such as "p=0.8", or ")"`,
		"rbp(p=0.8":                            `column 4: "(": expected a ")" that closes it`,
		"recall@5 versus baseline >= 0":        `column 10: "versus": expected "vs baseline" or one of`,
		"recall@5 vs last >= 0":                `column 13: "last": expected "baseline"`,
		"recall@5 vs >= 0":                     `column 13: ">": expected "baseline"`,
		"errors <= 1":                          `column 11: "1": expected a share from 0 to 1, such as "1%": is "1%" meant?`,
		"errors <= 5":                          `is "5%" meant?`,
		"errors <= 101%":                       `column 11: "101%": expected a share from 0 to 1`,
		"errors <= -1%":                        `column 11: "-1": expected a number from 0: errors cannot be less`,
		"errors.upper <= 1%":                   `column 1: "errors.upper": expected "errors": only a metric has ".lower", ".upper", ".min" or ".max"`,
		"errors vs baseline <= 1%":             `column 8: "vs baseline": expected nothing here: a baseline holds metrics only`,
		"new_total_losses vs baseline<=0":      `column 18: "vs baseline": expected nothing here: new_total_losses are always those against the baseline`,
		"p95_latency <= 2":                     `column 16: "2": expected a time with ms, s or m, such as "2s"`,
		"p95_latency <= 2h":                    `column 16: "2h": expected a time with ms, s or m, such as "2s"`,
		"p95_latency <= 2%":                    `expected a time with ms, s or m`,
		"p90_latency <= 2s":                    `column 1: "p90_latency": expected one of mean_latency, p50_latency, p95_latency, p99_latency`,
		"latency <= 2s":                        `expected one of mean_latency`,
		"cost <= 150%":                         `column 12: "%": expected dollars without a unit, such as "1.50"`,
		"cost <= -1":                           `expected a number from 0: cost cannot be less`,
		"µ >= 1":                               `column 1: "µ": expected the name of a metric`,
		"bleu >= 1" + strings.Repeat("0", 400): `expected a number that is not so large`,
	} {
		if _, err := gate.ParseRule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseRule(f *testing.F) {
	for _, s := range []string{
		"faithfulness >= 0.85", "ndcg@10.lower >= 0.6", "rbp(p=0.8,gain=graded)@10.upper vs baseline<=-3.5%", "errors <= 1%",
		"new_total_losses <= 2%",
		"p95_latency <= 2m", "mean_latency<1.0005ms", "cost <= $1.50", "cost>0.000000000001", "hit@3 vs baseline ≥ −0", "rbp( a , ) > 1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := gate.ParseRule(s)
		if err != nil {
			return
		}
		again, err := gate.ParseRule(r.String())
		if err != nil {
			t.Fatalf("%q is written %q, which is no rule: %v", s, r, err)
		}
		if again.Text != r.String() {
			t.Fatalf("text %q, want %q", again.Text, r)
		}
		again.Text = r.Text
		if again != r {
			t.Fatalf("%q is %+v, and its spelling %q is %+v", s, r, r, again)
		}
	})
}
