package gate_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
)

// metricsOf gives ratios by their names; a "-" in front makes one of which less
// is better.
func metricsOf(names ...string) []assay.MetricInfo {
	var out []assay.MetricInfo
	for _, n := range names {
		if bare, lower := strings.CutPrefix(n, "-"); lower {
			out = append(out, less(bare))
		} else {
			out = append(out, ratio(n))
		}
	}
	return out
}

// constant gives a run in which every case has the same scores.
func constant(metrics []assay.MetricInfo, cases int, score any) recorded {
	row := make([]any, len(metrics))
	for i := range row {
		row[i] = score
	}
	return several(metrics, slices.Repeat([][]any{row}, cases)...)
}

func TestTolerances(t *testing.T) {
	t.Parallel()
	names := []string{"src_hit@3", "precision@5", "mrr@10", "ndcg@5", "-cer"}
	for _, test := range []struct {
		name    string
		metrics []string
		policy  gate.Policy
		rules   []string
		tracked []string
	}{
		{"defaults", names, gate.Policy{},
			[]string{"src_hit@3 vs baseline >= 0", "precision@5 vs baseline >= -0.02", "mrr@10 vs baseline >= -0.03"}, []string{"ndcg@5", "cer"}},
		{"every depth and level of mrr",
			[]string{"mrr", "src_mrr", "src_mrr@10", "passage_mrr@3", "graded_mrr", "passage_hit@3", "src_precision@5", "hit@5"}, gate.Policy{},
			[]string{"mrr vs baseline >= -0.03", "src_mrr vs baseline >= -0.03", "src_mrr@10 vs baseline >= -0.03",
				"passage_mrr@3 vs baseline >= -0.03", "passage_hit@3 vs baseline >= 0", "src_precision@5 vs baseline >= -0.02"},
			[]string{"graded_mrr", "hit@5"}},
		{"one's own wins", names, gate.Policy{Tolerances: map[string]float64{"mrr": 0.1, "src_hit@3": -1, "ndcg@5": 0.04, "cer": 0.05}},
			[]string{"precision@5 vs baseline >= -0.02", "mrr@10 vs baseline >= -0.1", "ndcg@5 vs baseline >= -0.04",
				"cer vs baseline <= 0.05"}, []string{"src_hit@3"}},
		{"the full name wins", []string{"mrr@10", "mrr", "src_mrr"},
			gate.Policy{Tolerances: map[string]float64{"mrr": 0.1, "mrr@10": 0.2, "src_mrr": 0.3}},
			[]string{"mrr@10 vs baseline >= -0.2", "mrr vs baseline >= -0.1", "src_mrr vs baseline >= -0.3"}, nil},
		{"a default's name stands for its levels", []string{"src_hit@3", "src_precision@5"},
			gate.Policy{Tolerances: map[string]float64{"hit@3": 0.05, "precision@5": 0.01}},
			[]string{"src_hit@3 vs baseline >= -0.05", "src_precision@5 vs baseline >= -0.01"}, nil},
		{"a rule takes the place of a default", names, gate.Policy{Rules: rules(t, "mrr@10 vs baseline >= -0.2", "src_hit@3 vs baseline <= 0.5")},
			[]string{"mrr@10 vs baseline >= -0.2", "src_hit@3 vs baseline <= 0.5", "src_hit@3 vs baseline >= 0",
				"precision@5 vs baseline >= -0.02"}, []string{"ndcg@5", "cer"}},
		{"but not of one's own tolerance", []string{"mrr@10"},
			gate.Policy{Rules: rules(t, "mrr vs baseline >= -0.2"), Tolerances: map[string]float64{"mrr": 0.1}},
			[]string{"mrr vs baseline >= -0.2", "mrr@10 vs baseline >= -0.1"}, nil},
		{"statistical", names, gate.Policy{Statistical: true, Tolerances: map[string]float64{"cer": 0.05}},
			[]string{"src_hit@3 vs baseline >= 0", "precision@5.lower vs baseline >= -0.02", "mrr@10.lower vs baseline >= -0.03",
				"cer.upper vs baseline <= 0.05", "new_total_losses <= 2%"}, []string{"ndcg@5"}},
		{"statistical, with losses of one's own", []string{"mrr@10"}, gate.Policy{Statistical: true, Rules: rules(t, "new_total_losses <= 10%")},
			[]string{"new_total_losses <= 10%", "mrr@10.lower vs baseline >= -0.03"}, nil},
	} {
		run := constant(metricsOf(test.metrics...), 8, 0.5)
		test.policy.Baseline = baseline(t, run)
		o, ok := test.policy.Judge(run.run())
		var got, tracked []string
		for _, r := range o.Results {
			got = append(got, r.Rule)
		}
		for _, r := range o.Tracked {
			tracked = append(tracked, r.Metric)
			if r.Verdict != "" || r.Diff == nil || *r.Diff != 0 || r.N != 8 {
				t.Errorf("%s: tracked %+v", test.name, r)
			}
		}
		want := gate.Pass
		if test.policy.Statistical {
			want = gate.Inconclusive // eight cases show no tolerance of a few points
		}
		if !ok || o.Verdict != want && test.name != "a rule takes the place of a default" {
			t.Errorf("%s: an unchanged run: %s of %q", test.name, o.Verdict, spelled(o.Results))
		}
		if !slices.Equal(got, test.rules) || !slices.Equal(tracked, test.tracked) {
			t.Errorf("%s: rules %q, tracked %q, want %q and %q", test.name, got, tracked, test.rules, test.tracked)
		}
	}
}

// The example of the retrieval harness: a hit lost fails, small losses of rank
// and precision do not.
func TestTolerancesDecide(t *testing.T) {
	t.Parallel()
	metrics := metricsOf("hit@3", "precision@5", "mrr", "ndcg@5")
	row := func(hit, precision, mrr, ndcg float64) []any { return []any{hit, precision, mrr, ndcg} }
	rows := slices.Repeat([][]any{row(1, 0.4, 1, 0.9)}, 20)
	b := baseline(t, several(metrics, rows...))
	with := func(change ...[]any) recorded {
		out := slices.Clone(rows)
		copy(out, change)
		return several(metrics, out...)
	}
	for _, test := range []struct {
		name string
		run  recorded
		fail string
	}{
		{"unchanged", with(), ""},
		// mrr: −0.5/20 = −0.025; precision: −0.4/20 = −0.02; ndcg is tracked.
		{"within", with(row(1, 0, 0.5, 0)), ""},
		{"a hit is lost", with(row(0, 0.4, 1, 0.9)), "hit@3 vs baseline >= 0"},
		// −0.75/20 = −0.0375
		{"too much rank", with(row(1, 0.4, 0.25, 0.9)), "mrr vs baseline >= -0.03"},
		{"too much precision", with(row(1, 0, 1, 0.9), row(1, 0.2, 1, 0.9)), "precision@5 vs baseline >= -0.02"},
	} {
		o, _ := gate.Policy{Baseline: b}.Judge(test.run.run())
		var failed []string
		for _, r := range o.Results {
			if r.Verdict != gate.Pass {
				failed = append(failed, r.Rule)
			}
		}
		if strings.Join(failed, "; ") != test.fail || o.Passed(false) != (test.fail == "") {
			t.Errorf("%s: failed %q, want %q", test.name, failed, test.fail)
		}
	}
}

func TestLosses(t *testing.T) {
	t.Parallel()
	metrics := metricsOf("mrr", "-cer", "ndcg@5")
	// ndcg@5 is not gated, and none of it counts.
	old := several(metrics, []any{1, 0, 1}, []any{0.5, 0.5, 1}, []any{0.49, 0.51, 1}, []any{1, 0, 1})
	p := gate.Policy{Baseline: baseline(t, old), Tolerances: map[string]float64{"mrr": 1, "cer": 1}}
	for _, test := range []struct {
		name, rule string
		run        recorded
		verdict    gate.Verdict
		reason     string
		share      float64
		cases      string
	}{
		{"none", "new_total_losses <= 0", old, gate.Pass, "", 0, ""},
		{"what was below half loses nothing", "new_total_losses <= 0",
			several(metrics, []any{1, 0, 0}, []any{0.1, 0.9, 0}, []any{0, 1, 0}, []any{1, 0, 0}), gate.Pass, "", 0, ""},
		{"one of four", "new_total_losses <= 25%", several(metrics, []any{0, 0, 1}, []any{0.5, 0.5, 1}, []any{0.49, 0.51, 1}, []any{1, 0, 1}),
			gate.Pass, "", 0.25, "q1 (mrr: 1 → 0)"},
		{"a case counts once, over all metrics", "new_total_losses <= 2%",
			several(metrics, []any{0, 1, 1}, []any{0.5, 1, 1}, []any{0.49, 0.51, 1},
				[]any{1, 0, 1}), gate.Fail, "2 of 4 cases fell to the worst value: 50% misses 2%", 0.5, "q1 (mrr: 1 → 0); q2 (cer: 0.5 → 1)"},
		{"unknown may be", "new_total_losses <= 2%",
			several(metrics, []any{unread, 0, 1}, []any{0.5, 0.5, 1}, []any{0.49, 0.51, 1},
				[]any{1, 0,
					1}), gate.Inconclusive, "1 case could not be scored and may have fallen to the worst value: the share lies between 0% and 25%", 0, ""},
	} {
		r := judge(t, p, test.run, test.rule)
		judged(t, test.name, r, test.verdict, test.reason)
		if r.Got == nil || *r.Got != test.share || r.N != 4 || strings.Join(r.Cases, "; ") != test.cases {
			t.Errorf("%s: %+v, want a share of %g of 4, and %q", test.name, r, test.share, test.cases)
		}
	}
	judged(t, "no baseline", judge(t, gate.Policy{}, old, "new_total_losses <= 100%"), gate.Fail, "there is no baseline")
	p.Tolerances = map[string]float64{"mrr": -1}
	judged(t, "nothing gated", judge(t, p, old, "new_total_losses <= 100%"), gate.Fail, "of a gated metric")
}

func TestCriticalCasesLoseNothing(t *testing.T) {
	t.Parallel()
	const text = "critical cases may lose nothing"
	metrics := metricsOf("mrr", "ndcg@5")
	with := func(rows ...[]any) recorded {
		r := several(metrics, rows...)
		r.Records[0].Case.Critical, r.Records[0].Retrieved = true, &assay.Retrieved{Found: 1, Of: 1}
		r.Records[0].Response = &assay.Response{NoAnswer: true}
		return of(metrics, r.Records)
	}
	old := with([]any{0.5, 1}, []any{1, 1})
	p := gate.Policy{Baseline: baseline(t, old), Tolerances: map[string]float64{"mrr": 0.5}}
	for _, test := range []struct {
		name    string
		run     recorded
		verdict gate.Verdict
		reason  string
	}{
		{"nothing lost", old, gate.Pass, ""},
		{"gained", with([]any{1, 1}, []any{0.5, 1}), gate.Pass, ""},
		{"lost, within the tolerance", with([]any{0.49, 1}, []any{1, 1}), gate.Fail, "1 of 1 critical case got worse: q1 (mrr: 0.5 → 0.49)"},
		{"lost where nothing is gated", with([]any{0.5, 0}, []any{1, 1}), gate.Pass, ""},
		{"not known", with([]any{unread, 1}, []any{1, 1}), gate.Inconclusive, "unknown for q1 (mrr)"},
		{"no value any more", with([]any{declined, 1}, []any{1, 1}), gate.Inconclusive, "unknown for q1 (mrr)"},
	} {
		o, _ := p.Judge(test.run.run())
		judged(t, test.name, named(t, o, text), test.verdict, test.reason)
		if o.Passed(false) != (test.verdict == gate.Pass) {
			t.Errorf("%s: the gate lets it through: %v", test.name, o.Passed(false))
		}
	}
	if o, _ := p.Judge(several(metrics, []any{0.5, 1}, []any{1, 1}).run()); len(o.Results) != 1 {
		t.Errorf("without a critical case: %q", spelled(o.Results))
	}
}

// Whatever is asked of them, these never pass.
func TestNeverPasses(t *testing.T) {
	t.Parallel()
	metrics := metricsOf("mrr", "hit@3")
	good := constant(metrics, 6, 1)
	b := baseline(t, good)
	judges := func(r recorded, j *assay.JudgeInfo) recorded {
		r.Header.Metrics = slices.Clone(r.Header.Metrics)
		r.Summary.Metrics = slices.Clone(r.Summary.Metrics)
		for i := range r.Header.Metrics {
			r.Header.Metrics[i].Judged, r.Summary.Metrics[i].Judged = true, true
		}
		r.Header.Judge = j
		return r
	}
	header := func(r recorded, change func(*assay.Header)) recorded {
		change(&r.Header)
		return r
	}
	haiku := &assay.JudgeInfo{Provider: "anthropic", Model: "haiku", PromptHash: "sha256:1"}
	generous := map[string]float64{"mrr": 1, "hit@3": 1}
	for _, test := range []struct {
		name   string
		policy gate.Policy
		run    recorded
		reason string
	}{
		{"a rule on an empty metric", gate.Policy{Rules: rules(t, "mrr >= 0")}, constant(metrics, 6, assay.None("no label")),
			"measured on no case"},
		{"a tolerance of an empty metric", gate.Policy{Baseline: b, Tolerances: generous}, constant(metrics, 6, assay.None("no label")),
			"measured on no case"},
		{"a run without cases", gate.Policy{Rules: rules(t, "errors <= 100%")}, several(metrics), "the run has no cases"},
		{"a missing baseline", gate.Policy{Rules: rules(t, "mrr vs baseline >= -1")}, good, "there is no baseline"},
		{"a missing baseline, for losses", gate.Policy{Rules: rules(t, "new_total_losses <= 100%")}, good, "there is no baseline"},
		{"a baseline of another judge",
			gate.Policy{Baseline: baseline(t, judges(good, &assay.JudgeInfo{Provider: "openai", Model: "mini"})), Tolerances: generous}, judges(good,
				haiku), `"openai:mini" → "anthropic:haiku"`},
		{"a baseline of other prompts",
			gate.Policy{Baseline: baseline(t, judges(good, &assay.JudgeInfo{Provider: "anthropic", Model: "haiku", PromptHash: "sha256:0"})),
				Tolerances: generous}, judges(good, haiku), "prompts sha256:0 → sha256:1"},
		{"a baseline of no judge", gate.Policy{Baseline: b, Tolerances: generous}, judges(good, haiku),
			`the judge differs: none → "anthropic:haiku"`},
		{"another data set", gate.Policy{Baseline: b}, header(good, func(h *assay.Header) { h.Dataset.Hash = "sha256:e" }),
			`the baseline was saved on "gold" (sha256:d), the run is on "gold" (sha256:e)`},
		{"a case more", gate.Policy{Baseline: b}, constant(metrics, 7, 1), "the gold set has 7 cases, the baseline was saved on 6"},
		{"a case fewer", gate.Policy{Baseline: b}, constant(metrics, 5, 1), "the gold set has 5 cases, the baseline was saved on 6"},
		{"all failed, by rules", gate.Policy{Rules: rules(t, "mrr >= 0")}, constant(metrics, 6, failed), "the target failed all 6 cases"},
		{"all failed, by tolerances", gate.Policy{Baseline: b, Tolerances: generous}, constant(metrics, 6, failed),
			"the target failed all 6 cases"},
		{"an unfinished run", gate.Policy{Rules: rules(t, "mrr >= 0")}, header(good, func(h *assay.Header) { h.State = "interrupted" }),
			"the run is interrupted"},
		{"an unfinished run against a baseline", gate.Policy{Baseline: b}, header(good, func(h *assay.Header) { h.State = "running" }),
			"the run is running"},
		{"a metric that was not measured", gate.Policy{Baseline: b, Tolerances: generous}, constant(metrics[:1], 6, 1),
			"is in the baseline, but was not measured in this run"},
		{"a tolerance of what nobody measured", gate.Policy{Baseline: b, Tolerances: map[string]float64{"recall@5": 1}}, good,
			"was not measured in this run"},
		{"nothing of the baseline is gated", gate.Policy{Baseline: b, Tolerances: map[string]float64{"mrr": -1, "hit@3": -1}}, good,
			"it gates none: expected a tolerance, or a rule against the baseline, for hit@3, mrr"},
		{"nothing of the baseline is gated, beside a rule",
			gate.Policy{Baseline: b, Rules: rules(t, "mrr >= 0"), Tolerances: map[string]float64{"mrr": -1, "hit@3": -1}}, good, "it gates none"},
	} {
		o, ok := test.policy.Judge(test.run.run())
		said := strings.Join(english(o.Refused), "; ")
		for _, r := range o.Results {
			said += "; " + because(r)
		}
		if !ok || o.Verdict != gate.Fail || o.Passed(false) || o.Passed(true) || !strings.Contains(said, test.reason) {
			t.Errorf("%s: %s of %q because %q, want a failure because %q", test.name, o.Verdict, spelled(o.Results), said, test.reason)
		}
	}
	if (gate.Outcome{}).Passed(false) {
		t.Error("no verdict passes")
	}
}

// A threshold that 0 reaches, or that nothing is known about, is not reached by a
// target that failed everything.
func TestThresholdOfAllFailed(t *testing.T) {
	t.Parallel()
	zero, one := 0.0, 1.0
	a, b := ratio("a"), less("b")
	a.Threshold, b.Threshold = &zero, &one
	o, ok := gate.Policy{}.Judge(constant([]assay.MetricInfo{a, b}, 2, failed).run())
	for _, r := range o.Results {
		judged(t, "all failed", r, gate.Fail, "the target failed all 2 cases")
	}
	if !ok || len(o.Results) != 2 {
		t.Errorf("%+v", o)
	}
}

// A judge that ruled on most of every case leaves a threshold open that the
// means alone would reach.
func TestThresholdOfPartialScores(t *testing.T) {
	t.Parallel()
	limit := 0.75
	m := ratio("m")
	m.Threshold = &limit
	run := one(m, assay.Score{State: assay.Scored, Value: 0.8, Lower: 4. / 6, Upper: 5. / 6}, assay.Value(0.8))
	o, _ := gate.Policy{}.Judge(run.run())
	// (4/6 + 0.8)/2 = 0.7333, (5/6 + 0.8)/2 = 0.8167.
	judged(t, "partial", o.Results[0], gate.Inconclusive,
		"could be scored only in part, which could decide: the value lies between 0.7333 and 0.8167")
	m.OpenThreshold = true
	o, _ = gate.Policy{}.Judge(one(m, assay.Score{State: assay.Scored, Value: 0.8, Lower: 4. / 6, Upper: 5. / 6}, assay.Value(0.8)).run())
	judged(t, "threshold", o.Results[0], gate.Inconclusive,
		"scores depend on the exact threshold of the judge, or on missing rulings, which could decide: the value lies between 0.7333 and 0.8167")
}

func TestMetricsThatChanged(t *testing.T) {
	t.Parallel()
	metrics := metricsOf("composite", "mrr", "hit@3")
	metrics[1].Weight, metrics[2].Weight = 0.5, 0.5
	old := constant(metrics, 6, 1)
	p := gate.Policy{Baseline: baseline(t, old), Tolerances: map[string]float64{"composite": 0}}
	changed := func(change func(m []assay.MetricInfo)) gate.Outcome {
		ms := slices.Clone(metrics)
		change(ms)
		o, _ := p.Judge(constant(ms, 6, 1).run())
		return o
	}
	for _, test := range []struct {
		name   string
		change func(m []assay.MetricInfo)
		want   string
	}{
		{"nothing", func([]assay.MetricInfo) {}, ""},
		{"a version", func(m []assay.MetricInfo) { m[1].Version = 2 },
			"composite: its part mrr: its version differs: 1 → 2; mrr: its version differs: 1 → 2"},
		{"a scheme", func(m []assay.MetricInfo) { m[2].Scheme = "sha256:0123456789abcdef" },
			"composite: its part hit@3: its definition differs: none → sha256:0123456789ab; hit@3: its definition differs: none → sha256:0123456789ab"},
		{"a scale", func(m []assay.MetricInfo) { m[2].Range[1] = 2 }, "composite: its part hit@3: its scale differs; hit@3: its scale differs"},
		{"the weights", func(m []assay.MetricInfo) { m[1].Weight, m[2].Weight = 0.4, 0.6 },
			"composite: its weights differ: hit@3 0.5, mrr 0.5 → hit@3 0.6, mrr 0.4"},
	} {
		var got []string
		for _, r := range changed(test.change).Results {
			if r.Verdict == gate.Fail {
				got = append(got, r.Metric+": "+strings.TrimPrefix(because(r), "not compared with the baseline: "))
			}
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{ratio("mrr@10"), ratio("ndcg@5"), ratio("ndcg@10"),
		{Name: "bleu", Better: "higher", Unit: "points", Range: [2]float64{0, 100}},
		{Name: "wer", Better: "lower", Range: [2]float64{0, math.MaxFloat64}}}
	for text, want := range map[string]string{
		"mrr@10 >= 0.5":            "",
		"mrr >= 0.5":               "",
		"mrr >= 1":                 "",
		"mrr > 1":                  `rule "mrr > 1": no value reaches it: expected a number from 0 to 1`,
		"mrr >= 85":                `is "85%" meant?`,
		"mrr <= 5":                 `every value reaches it: expected a number from 0 to 1: is "5%" meant?`,
		"mrr >= -0.1":              "every value reaches it: expected a number from 0 to 1",
		"mrr vs baseline <= 2":     "every value reaches it: expected a number from -1 to 1",
		"mrr >= 500":               "no value reaches it: expected a number from 0 to 1",
		"mrr < 0":                  "no value reaches it",
		"mrr vs baseline >= -0.5":  "",
		"mrr vs baseline >= 1.5":   "no value reaches it: expected a number from -1 to 1",
		"bleu >= 35":               "",
		"bleu >= 35%":              `"%" is of ratios, and bleu is in points: expected a number without it`,
		"ndcg >= 0.5":              `"ndcg" is ambiguous: expected one of ndcg@5, ndcg@10`,
		"ndgc@5 >= 0.5":            `"ndgc@5" was not measured in this run: did you mean "ndcg@5"?`,
		"faithfulness >= 0.5":      `"faithfulness" was not measured in this run`,
		"erorrs <= 1%":             `did you mean "errors"?`,
		"errors <= 1%":             "",
		"p95_latency <= 2s":        "",
		"ndcg@10.lower >= 0.6":     "",
		"ndcg@10.lower >= 60":      `is "60%" meant?`,
		"new_total_losses <= 0.5%": "",
	} {
		err := gate.Policy{Rules: rules(t, text)}.Check(metrics)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	p := gate.Policy{
		Rules:      rules(t, "map >= 0.5", "mrr@10 >= 2"),
		Tolerances: map[string]float64{"mrr": 0.1, "ndcg@5": -1, "hit@3": 0, "nddcg@5": 0, "recall@5": -0.5},
		Baseline:   baseline(t, constant(metricsOf("recall@5"), 2, 1)),
	}
	err := p.Check(metrics)
	if err == nil {
		t.Fatal("no error")
	}
	var heads []string
	for _, line := range strings.Split(err.Error(), "\n") {
		heads = append(heads, strings.Join(strings.Fields(line)[:3], " "))
	}
	if err := (gate.Policy{Tolerances: p.Tolerances}).Check(metrics); err == nil || strings.Contains(err.Error(), "nddcg") {
		t.Errorf("%v: without a baseline a tolerance holds nothing, whatever it is of", err)
	}
	for key, limit := range map[string]float64{"mrr": 1, "ndcg@5": 5, "bleu": 100, "mrr@10": 0.99, "wer": 5, "ndcg@10": -1} {
		err := gate.Policy{Tolerances: map[string]float64{key: limit}, Statistical: true}.Check(metrics)
		if (err != nil) != slices.Contains([]string{"mrr", "ndcg@5", "bleu"}, key) || err != nil && !strings.Contains(err.Error(), "no fall exceeds it") {
			t.Errorf("tolerance %s=%g: %v", key, limit, err)
		}
	}
	want := []string{`rule "map >=`, `rule "mrr@10 >=`, `tolerance of "hit@3":`, `tolerance of "nddcg@5":`, "tolerance of recall@5:"}
	if !slices.Equal(heads, want) {
		t.Errorf("%v\nheads %q, want %q", err, heads, want)
	}
}

func TestWarningsAboutTheBaseline(t *testing.T) {
	t.Parallel()
	metrics := metricsOf("mrr")
	old := constant(metrics, 6, 1)
	old.Header.Corpus = &assay.CorpusInfo{Hash: "sha256:" + strings.Repeat("a", 64)}
	run := constant(metrics, 6, 1)
	run.Header.Corpus = &assay.CorpusInfo{Hash: "sha256:" + strings.Repeat("b", 64)}
	corpus := fmt.Sprintf("the corpus differs from the baseline's: sha256:%s → sha256:%s", strings.Repeat("a", 12), strings.Repeat("b", 12))
	for _, c := range []struct {
		was, is string
		want    []string
	}{
		{"minilm", "other", []string{corpus, "the embedder of the metrics differs from the baseline's: minilm → other"}},
		{"minilm", "minilm", []string{corpus}},
		// An embedder of one side alone is of a metric that the other lacks.
		{"", "minilm", []string{corpus}},
		{"minilm", "", []string{corpus}},
	} {
		old.Header.Embedder, run.Header.Embedder = c.was, c.is
		o, _ := gate.Policy{Baseline: baseline(t, old)}.Judge(run.run())
		if o.Verdict != gate.Pass || !slices.Equal(english(o.Warnings), c.want) {
			t.Errorf("%q → %q: %s with %q, want a pass with %q", c.was, c.is, o.Verdict, english(o.Warnings), c.want)
		}
	}
}

// A judge that changed since the baseline is warned of, also by a baseline that was written and
// read.
func TestWarningAboutAJudgeThatChanged(t *testing.T) {
	t.Parallel()
	p := 0.001
	then := assay.Canary{Provider: "openai", Model: "m", Since: time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC), Items: 20, Usual: 0.9, Likeness: 0.9, P: &p}
	now := then
	now.Changed, now.Differs = 5, true
	old, run := constant(metricsOf("mrr"), 6, 1), constant(metricsOf("mrr"), 6, 1)
	old.Header.Canaries = []assay.Canary{then}
	var file bytes.Buffer
	if err := baseline(t, old).Write(&file); err != nil {
		t.Fatal(err)
	}
	b, err := gate.ReadBaseline(&file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []assay.Canary{then, now} {
		run.Header.Canaries = []assay.Canary{c}
		o, _ := gate.Policy{Baseline: b}.Judge(run.run())
		warned := english(o.Warnings)
		if (len(warned) == 1) != c.Differs || c.Differs && !strings.Contains(warned[0], "openai m: the rulings of the judge changed: 5 of 20") {
			t.Errorf("differs %v: warnings %q", c.Differs, warned)
		}
	}
}

// TestForesee: what fails whatever is measured is known before the run.
func TestForesee(t *testing.T) {
	t.Parallel()
	metrics := metricsOf("mrr", "hit@3", "recall@5")
	b := baseline(t, constant(metrics[:2], 6, 1))
	newer := slices.Clone(metrics)
	newer[0].Version++
	for _, c := range []struct {
		name    string
		policy  gate.Policy
		metrics []assay.MetricInfo
		want    []string
	}{
		{"all measured", gate.Policy{Baseline: b}, metrics, nil},
		{"no baseline", gate.Policy{Rules: rules(t, "mrr vs baseline >= 0")}, metrics[1:], nil},
		{"one left out", gate.Policy{Baseline: b}, metrics[1:], []string{
			`mrr vs baseline >= -0.03: "mrr" is in the baseline, but was not measured in this run`,
		}},
		{"one left out that is only tracked", gate.Policy{Baseline: b, Tolerances: map[string]float64{"mrr": -1}}, metrics[1:], nil},
		{"one that the baseline lacks", gate.Policy{Baseline: b, Rules: rules(t, "recall@5 >= 0.5", "recall@5 vs baseline >= 0")}, metrics,
			[]string{"recall@5 vs baseline >= 0: it is not in the baseline"}},
		{"a newer version", gate.Policy{Baseline: b}, newer, []string{
			"mrr vs baseline >= -0.03: not compared with the baseline: its version differs: 1 → 2",
		}},
		{"nothing gated", gate.Policy{Baseline: b, Tolerances: map[string]float64{"mrr": -1, "hit@3": -1}}, metrics, []string{
			"the baseline gates a metric: it gates none: expected a tolerance, or a rule against the baseline, for hit@3, mrr",
		}},
	} {
		run := constant(c.metrics, 6, 1)
		var got []string
		for _, x := range c.policy.Foresee(run.Header) {
			got = append(got, x.Rule+": "+because(x))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		// What is foreseen comes true.
		if o, _ := c.policy.Judge(run.run()); c.want != nil && o.Verdict != gate.Fail {
			t.Errorf("%s: %s, want a failure", c.name, o.Verdict)
		}
	}
	refused := constant(metrics[1:], 7, 1)
	if got := (gate.Policy{Baseline: b}).Foresee(refused.Header); got != nil {
		t.Errorf("%v of a run that the baseline refuses, want nothing", got)
	}
}

// TestBaselineAtTheEndsOfAThreshold: a run and its baseline are compared at the same threshold of the judge.
func TestBaselineAtTheEndsOfAThreshold(t *testing.T) {
	t.Parallel()
	m := ratio("m")
	m.OpenThreshold = true
	of := func(value, lower, upper float64) recorded {
		scores := make([]any, 60)
		for i := range scores {
			scores[i] = assay.Score{State: assay.Scored, Value: value - lower*float64(i%7)/20, Lower: lower * (1 - float64(i%5)/10), Upper: upper * (1 - float64(i%3)/40)}
		}
		r := one(m, scores...)
		r.Records[0].Case.Critical = true
		return r
	}
	const open = "may have fallen to the worst value, depending on the exact threshold of the judge"
	for _, test := range []struct {
		old, run recorded
		reason   [5]string
	}{
		{of(0.6, 0.3, 0.8), of(0.7, 0.4, 0.9), [5]string{3: "unchecked"}},
		{of(0.6, 0.4, 0.8), of(0.7, 0, 0.9), [5]string{"which could decide", "exact threshold", "", "unchecked", "unknown for"}},
		{of(0.6, 0.5, 0.8), of(0.7, 0, 0.9), [5]string{"which could decide", "exact threshold", open, "unchecked", "unknown for"}},
	} {
		b, err := gate.ReadBaseline(strings.NewReader(written(t, baseline(t, test.old))))
		if err != nil {
			t.Fatal(err)
		}
		p := gate.Policy{Baseline: b, Rules: rules(t, "m vs baseline >= 0.05", "m.lower vs baseline >= -0.02", "new_total_losses <= 0")}
		o, _ := p.Judge(test.run.run())
		for i, reason := range test.reason {
			want := gate.Pass
			if reason != "" {
				want = gate.Inconclusive
			}
			judged(t, "same end", o.Results[i], want, reason)
		}
		b.Metrics["m"].Ends = nil
		if o, _ = p.Judge(test.run.run()); !strings.Contains(strings.Join(english(o.Warnings), "; "), "save it again") {
			t.Errorf("without the ends: %q", english(o.Warnings))
		}
	}
}
