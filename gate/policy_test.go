package gate_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
)

func TestMeanRules(t *testing.T) {
	t.Parallel()
	m := ratio("m@10")
	// Of 5 claims two are borne out, one is not, and two are not ruled on.
	partly := assay.Score{State: assay.JudgeError, Lower: 0.4, Upper: 0.8}
	// Of 6 claims one is not ruled on: 4/5, which may be 4/6 or 5/6.
	mostly := assay.Score{State: assay.Scored, Value: 0.8, Lower: 4. / 6, Upper: 5. / 6}
	open := assay.MetricInfo{Name: "m@10", Better: "lower", Range: [2]float64{0, math.MaxFloat64}, Version: 1}
	rests := m
	rests.OpenThreshold = true
	for _, test := range []struct {
		name, rule string
		run        recorded
		verdict    gate.Verdict
		reason     string
	}{
		{"reached", "m@10 >= 0.5", one(m, 0.4, 0.6), gate.Pass, ""},
		{"reached but for rounding", "m@10 >= 0.3", one(m, 0.1, 0.2, 0.6), gate.Pass, ""},
		{"not above", "m@10 > 0.3", one(m, 0.1, 0.2, 0.6), gate.Fail, "0.3 misses > 0.3"},
		{"missed", "m@10 >= 0.51", one(m, 0.4, 0.6), gate.Fail, "0.5 misses 0.51"},
		{"missed by little is shown so", "m@10 >= 0.5", one(m, 0.49999, 0.49999), gate.Fail, "0.49999 misses 0.5"},
		{"a most", "m@10 <= 0.5", one(m, 0.4, 0.6), gate.Pass, ""},
		{"a most, missed", "m@10 < 0.5", one(m, 0.4, 0.6), gate.Fail, "0.5 misses < 0.5"},
		{"in percent", "m@10 >= 51%", one(m, 0.4, 0.6), gate.Fail, "50% misses 51%"},
		{"without its cutoff", "m >= 0.5", one(m, 0.4, 0.6), gate.Pass, ""},
		{"not measured in the run", "other >= 0.5", one(m, 0.4), gate.Fail, `"other" was not measured in this run`},
		{"a name that is nearly right", "m@100 >= 0.5", one(m, 0.4), gate.Fail, `did you mean "m@10"?`},
		{"measured on no case", "m >= 0", one(m, assay.None("no label")), gate.Fail, "measured on no case"},
		{"no case could be scored", "m >= 0", one(m, unread, unread), gate.Fail, "none of 2 cases could be scored"},
		{"a target that fails scores 0", "m >= 0.5", one(m, 0.9, failed), gate.Fail, "0.45 misses 0.5"},
		// (0.9 + 0.9 + x)/3 lies between 0.6 and 0.9333.
		{"what is not known could decide", "m >= 0.8", one(m, 0.9, 0.9, unread), gate.Inconclusive,
			"1 of 3 cases could not be scored, which could decide: the value lies between 0.6 and 0.9333"},
		{"what is not known cannot hurt", "m >= 0.6", one(m, 0.9, 0.9, unread), gate.Pass, ""},
		{"what is not known cannot help", "m >= 0.95", one(m, 0.9, 0.9, unread), gate.Fail, "at best 0.9333 misses 0.95"},
		{"a most that could be missed", "m <= 0.8", one(m, 0.9, 0.9, unread), gate.Inconclusive, "could decide"},
		{"a most that is missed for certain", "m < 0.6", one(m, 0.9, 0.9, unread), gate.Fail, "at best 0.6 misses < 0.6"},
		// (0.9 + 0.4)/2 = 0.65 and (0.9 + 0.8)/2 = 0.85.
		{"a part is known: enough", "m >= 0.65", one(m, 0.9, partly), gate.Pass, ""},
		{"a part is known: too little", "m >= 0.86", one(m, 0.9, partly), gate.Fail, "at best 0.85"},
		{"the ends of a threshold could decide", "m >= 0.8", one(rests, 0.9, mostly), gate.Inconclusive,
			"scores depend on the exact threshold of the judge, or on missing rulings, which could decide: the value lies between 0.7833 and 0.8667"},
		{"both ends of a threshold suffice", "m >= 0.65", one(rests, 0.9, mostly), gate.Pass, ""},
		{"a score with a part that is open", "m >= 0.7", one(m, mostly), gate.Inconclusive, "the only case could be scored only in part"},
		{"which cannot hurt", "m >= 0.66", one(m, mostly), gate.Pass, ""},
		{"a range without an end", "m <= 9", one(open, 3, unread), gate.Inconclusive, "their scores have no bounds"},
		{"a range without an end, all known", "m <= 9", one(open, 3, 4), gate.Pass, ""},
		{"where less is better a failing target has no value", "m <= 0.9", one(less("m"), 0.2, failed), gate.Pass, ""},
		{"and could decide", "m <= 0.5", one(less("m"), 0.2, failed), gate.Inconclusive, "could decide: the value lies between 0.1 and 0.6"},
	} {
		judged(t, test.name, judge(t, gate.Policy{}, test.run, test.rule), test.verdict, test.reason)
	}
}

// Of 10 cases 8 are hit: Wilson's interval at 95 % is 0.4902…0.9433 (Wilson
// 1927; R: prop.test(8, 10, correct = FALSE)).
func TestBoundRules(t *testing.T) {
	t.Parallel()
	hits := func(last any) recorded { return one(ratio("hit@3"), 1, 1, 1, 1, 1, 1, 1, 1, 0, last) }
	for _, test := range []struct {
		name, rule string
		run        recorded
		verdict    gate.Verdict
		reason     string
	}{
		{"the lower end reaches", "hit@3.lower >= 0.49", hits(0), gate.Pass, ""},
		{"the lower end misses", "hit@3.lower >= 0.491", hits(0), gate.Fail, "0.4902 misses 0.491"},
		{"the upper end reaches", "hit@3.upper <= 0.944", hits(0), gate.Pass, ""},
		{"the upper end misses", "hit@3.upper <= 0.943", hits(0), gate.Fail, "0.9433 misses 0.943"},
		// With the last case hit, 9 of 10 are: 0.5958…0.9821. With a score just
		// above a miss the interval is that of bounded values: 0.4596.
		{"unknown: its worst is enough", "hit@3.lower >= 0.44", hits(unread), gate.Pass, ""},
		{"unknown: its worst is not", "hit@3.lower >= 0.5", hits(unread), gate.Inconclusive,
			"1 of 10 cases could not be scored, which could decide: the value lies between 0.4596 and 0.5958"},
		{"unknown: its best is not", "hit@3.lower >= 0.6", hits(unread), gate.Fail, "at best 0.5958 misses 0.6"},
		{"one value without a largest one has no interval", "wer.lower >= 1",
			one(assay.MetricInfo{Name: "wer", Better: "higher", Range: [2]float64{0, math.MaxFloat64}}, 50), gate.Inconclusive, "there is no interval"},
		{"a perfect case never lowers the bound", "m.lower >= 0.2",
			one(ratio("m"), 0.5, 0.6, assay.Score{State: assay.JudgeError, Lower: 0.5, Upper: 1}), gate.Inconclusive, "could decide: the value lies between 0.1029 and 0.2226"},
		{"no bound of nothing", "hit@3.lower >= 0", one(ratio("hit@3"), unread), gate.Fail, "the only case could not be scored"},
	} {
		judged(t, test.name, judge(t, gate.Policy{}, test.run, test.rule), test.verdict, test.reason)
	}
	if r := judge(t, gate.Policy{Level: 0.8}, hits(0), "hit@3.lower >= 0.6"); r.Verdict != gate.Pass {
		// Wilson at 80 %: (0.8 + z²/20 − z√(0.016 + z²/400))/(1 + z²/10), z = 1.2816: 0.6054.
		t.Errorf("at 80 %%: %+v", r)
	}
}

func TestPooledRules(t *testing.T) {
	t.Parallel()
	m := ratio("abstention_f1")
	m.Pooled = true
	// 2·2/(2·2 + 1) = 0.8; the mean of the cases is 2/3.
	run := one(m, assay.Ratio(2, 2), assay.Ratio(2, 2), assay.Ratio(0, 1))
	judged(t, "mean", judge(t, gate.Policy{}, run, "abstention_f1 >= 0.8"), gate.Pass, "")
	judged(t, "missed", judge(t, gate.Policy{}, run, "abstention_f1 >= 0.81"), gate.Fail, "0.8 misses")
	if r := judge(t, gate.Policy{}, run, "abstention_f1.lower >= 0.9"); r.Got == nil || *r.Got != run.Summary.Metrics[0].CI.Lo ||
		r.Verdict != gate.Fail {
		t.Errorf("lower: %+v, want the lower end of %+v", r, run.Summary.Metrics[0].CI)
	}
	judged(t, "unknown", judge(t, gate.Policy{}, one(m, assay.Ratio(2, 2), unread), "abstention_f1 >= 0.1"), gate.Inconclusive, "no bounds")
	judged(t, "unknown bound", judge(t, gate.Policy{}, one(m, assay.Ratio(2, 2), assay.Ratio(2, 2), unread), "abstention_f1.lower >= 0.1"),
		gate.Inconclusive, "no bounds")
}

func TestQuantityRules(t *testing.T) {
	t.Parallel()
	m := ratio("m")
	plain := one(m, 1, 1, 1, failed)
	told := one(m, 1, 1)
	for i := range told.Records {
		told.Records[i].Response.Latency = time.Duration(i+1) * time.Second // 1 s and 2 s
		told.Records[i].Response.Usage.Cost = 250_000
	}
	told = of(told.Header.Metrics, told.Records)
	header := func(r recorded, change func(*assay.Header)) recorded {
		change(&r.Header)
		return r
	}
	remote := header(told, func(h *assay.Header) { h.Target.Metered = false })
	silent := header(plain, func(h *assay.Header) { h.Target.Metered = false })
	recordedRun := header(plain, func(h *assay.Header) { h.Target.Adapter = "recorded" })
	tokens := header(plain, func(h *assay.Header) { h.Target.Adapter = "recorded" })
	tokens.Summary.Usage.OutputTokens = 7
	judge1 := &assay.JudgeInfo{Provider: "anthropic", Model: "m"}
	for _, test := range []struct {
		name, rule string
		run        recorded
		verdict    gate.Verdict
		reason     string
	}{
		{"a quarter fails", "errors <= 25%", plain, gate.Pass, ""},
		{"a quarter is more than a fifth", "errors <= 20%", plain, gate.Fail, "the target failed 1 of 4 cases: 25% misses 20%"},
		{"none fails", "errors <= 0", one(m, 1), gate.Pass, ""},
		{"all fail, which no rule allows", "errors <= 100%", one(m, failed, failed), gate.Fail, "the target failed all 2 cases"},
		{"no latency", "p95_latency <= 2s", plain, gate.Fail, "the target reports no latency"},
		{"mean latency", "mean_latency <= 1500ms", told, gate.Pass, ""},
		// Type 7 of 1 and 2: 1 + 0.95.
		{"p95 latency", "p95_latency <= 1.95s", told, gate.Pass, ""},
		{"p95 latency, missed", "p95_latency <= 1.9s", told, gate.Fail, "1.95s misses 1.9s"},
		{"cost", "cost <= 0.50", remote, gate.Pass, ""},
		{"cost, missed", "cost < $0.5", remote, gate.Fail, "$0.5 misses < $0.5"},
		{"cost of what is free", "cost <= 0", plain, gate.Pass, ""},
		{"cost that the target does not tell", "cost <= 100", silent, gate.Fail, "the target reports no cost"},
		{"cost of recorded answers", "cost <= 100", recordedRun, gate.Fail, "the target reports no cost"},
		{"cost of recorded answers that tell it", "cost <= 0.50", header(told, func(h *assay.Header) { h.Target.Adapter = "recorded" }), gate.Pass, ""},
		{"cost of judging recorded answers", "cost <= 0.5", header(recordedRun, func(h *assay.Header) {
			h.Judge, h.Spending = judge1, &assay.Spending{Calls: 3, Usage: assay.Usage{Cost: 600_000}}
		}), gate.Fail, "$0.6 misses $0.5"},
		{"cost of judging recorded answers that used tokens", "cost <= 1", header(tokens, func(h *assay.Header) {
			h.Judge, h.Spending = judge1, &assay.Spending{Calls: 3, Usage: assay.Usage{Cost: 600_000}}
		}), gate.Fail, "the target reports no cost"},
		{"cost with judging", "cost <= 1", header(remote, func(h *assay.Header) {
			h.Judge, h.Spending = judge1, &assay.Spending{Calls: 3, Usage: assay.Usage{Cost: 600_000}}
		}), gate.Fail, "$1.1 misses $1"},
		{"cost with embedding", "cost <= 0.55", header(remote, func(h *assay.Header) {
			h.Embedding = &assay.Spending{Calls: 3, Usage: assay.Usage{Cost: 100_000}}
		}), gate.Fail, "$0.6 misses $0.55"},
		{"cost of a reply that is in no record", "cost <= 0.65", header(remote, func(h *assay.Header) {
			h.Pipeline = &assay.Spending{Calls: 3, Usage: assay.Usage{Cost: 700_000}}
		}), gate.Fail, "$0.7 misses $0.65"},
		{"cost of responses of which an earlier run paid for some", "cost <= 0.45", header(remote, func(h *assay.Header) {
			h.Pipeline = &assay.Spending{Calls: 1, Usage: assay.Usage{Cost: 100_000}}
		}), gate.Fail, "$0.5 misses $0.45"},
		{"judging that was paid for earlier", "cost <= 0",
			header(plain, func(h *assay.Header) { h.Judge, h.Spending = judge1, &assay.Spending{} }), gate.Pass, ""},
		{"judging of which nobody knows", "cost <= 100", header(plain, func(h *assay.Header) { h.Judge = judge1 }), gate.Fail,
			"the cost of judging is not known"},
		{"formulas judge for nothing", "cost <= 0",
			header(plain, func(h *assay.Header) { h.Judge = &assay.JudgeInfo{Provider: "offline", Estimate: true} }), gate.Pass, ""},
		{"a model without a price", "cost <= 100", header(remote, func(h *assay.Header) {
			h.Judge, h.Spending = judge1, &assay.Spending{Calls: 3}
			h.Warnings = []string{assay.UnknownPrice + "anthropic m: its cost is not counted"}
		}), gate.Fail, "unknown price of anthropic m"},
	} {
		judged(t, test.name, judge(t, gate.Policy{}, test.run, test.rule), test.verdict, test.reason)
	}
	half := of([]assay.MetricInfo{m}, slices.Clone(told.Records))
	response := *half.Records[1].Response
	response.Latency, response.Usage.Cost = 0, 0
	half.Records[1].Response = &response
	half = of([]assay.MetricInfo{m}, half.Records)
	o, _ := gate.Policy{Rules: rules(t, "p95_latency <= 2s", "cost <= 1")}.Judge(half.run())
	if want := []string{"cost: known for only 1 of 2 responses",
		"p95_latency: known for only 1 of 2 responses"}; !slices.Equal(english(o.Warnings), want) {
		t.Errorf("warnings %q, want %q", english(o.Warnings), want)
	}
	// A response that used tokens cost something.
	response.Usage.InputTokens = 9
	half = of([]assay.MetricInfo{m}, half.Records)
	judged(t, "cost of a part", judge(t, gate.Policy{}, half, "cost <= 1"), gate.Inconclusive, "known for only 1 of 2 responses")
	judged(t, "a part costs too much", judge(t, gate.Policy{}, half, "cost <= 0"), gate.Fail, "misses $0")
}

func TestVersus(t *testing.T) {
	t.Parallel()
	m := ratio("recall@5")
	// The mean is 0.75.
	old := one(m, 1, 1, 0.5, 0.5)
	for _, test := range []struct {
		name, rule string
		run        recorded
		verdict    gate.Verdict
		reason     string
	}{
		{"the same", "recall@5 vs baseline >= 0", old, gate.Pass, ""},
		// (−0.5 + 0.42)/4 = −0.02
		{"just within", "recall@5 vs baseline >= -0.02", one(m, 0.5, 1, 0.92, 0.5), gate.Pass, ""},
		{"in percent", "recall@5 vs baseline >= -2%", one(m, 0.5, 1, 0.92, 0.5), gate.Pass, ""},
		{"not more than", "recall@5 vs baseline > -2%", one(m, 0.5, 1, 0.92, 0.5), gate.Fail, "-2% misses > -2%"},
		{"too much", "recall@5 vs baseline >= -0.02", one(m, 0.5, 1, 0.5, 0.5), gate.Fail, "the difference -0.125 misses -0.02 (0.75 → 0.625)"},
		{"a gain is wanted", "recall@5 vs baseline >= 0.1", one(m, 1, 1, 0.5, 1), gate.Pass, ""},
		{"a gain is wanted and not there", "recall@5 vs baseline >= 0.1", old, gate.Fail, "the difference 0 misses 0.1"},
		// The case was 0.5: at worst (−0.5)/4 = −0.125, at best 0.5/4 = 0.125.
		{"unknown could decide", "recall@5 vs baseline >= -0.02", one(m, 1, 1, unread, 0.5), gate.Inconclusive,
			"1 of 4 cases could not be scored, which could decide: the difference lies between -0.125 and 0.125"},
		{"unknown cannot hurt", "recall@5 vs baseline >= -0.125", one(m, 1, 1, unread, 0.5), gate.Pass, ""},
		{"unknown cannot help", "recall@5 vs baseline >= 0.2", one(m, 1, 1, unread, 0.5), gate.Fail, "at best the difference 0.125 misses 0.2"},
		{"a target that fails loses", "recall@5 vs baseline >= -0.02", one(m, failed, 1, 0.5, 0.5), gate.Fail, "-0.25 misses"},
		{"nothing could be scored", "recall@5 vs baseline >= -1", one(m, unread, unread, unread, unread), gate.Fail,
			"none of 4 cases could be scored"},
		{"nothing in common", "recall@5 vs baseline >= -1", one(m, declined, declined, declined, declined), gate.Fail, "measured on no case"},
		{"not in the baseline", "other vs baseline >= -1",
			several([]assay.MetricInfo{m, ratio("other")}, []any{1, 1}, []any{1, 1}, []any{1, 1},
				[]any{1, 1}), gate.Fail, "it is not in the baseline"},
		{"not in the run", "recall@5 vs baseline >= -1", one(ratio("other"), 1, 1, 1, 1), gate.Fail,
			"is in the baseline, but was not measured in this run"},
	} {
		judged(t, test.name, judge(t, gate.Policy{Baseline: baseline(t, old)}, test.run, test.rule), test.verdict, test.reason)
	}
	r := judge(t, gate.Policy{Baseline: baseline(t, old)}, one(m, 0, 0.5, 1, 0.25), "recall@5 vs baseline >= -0.02")
	// The differences are −1, −½, ½ and −¼: −0.3125 on average.
	if *r.Baseline != 0.75 || *r.Got != 0.4375 || *r.Diff != -0.3125 || r.N != 4 || r.Bounds != nil {
		t.Errorf("%+v", r)
	}
	// Eight cases are enough for an interval.
	many := one(m, 1, 1, 1, 1, 1, 1, 1, 1)
	if r := judge(t, gate.Policy{Baseline: baseline(t, many)}, one(m, 0, 0.5, 0.75, 0.5, 1, 0.9, 0.8, 0.7),
		"recall@5 vs baseline >= -0.02"); r.CI == nil || !r.CI.Contains(*r.Diff) || len(r.Cases) != 5 {
		t.Errorf("%+v, want an interval about the difference, and five cases", r)
	}
	if want := []string{"q1 (1 → 0)", "q2 (1 → 0.5)", "q4 (0.5 → 0.25)"}; !slices.Equal(r.Cases, want) {
		t.Errorf("cases %q, want %q", r.Cases, want)
	}
	r = judge(t, gate.Policy{Baseline: baseline(t, one(less("cer"), 0.1, 0.2))}, one(less("cer"), 0.3, 0.1), "cer vs baseline <= 0.04")
	judged(t, "less is better", r, gate.Fail, "the difference 0.05 misses 0.04 (0.15 → 0.2)")
	if want := []string{"q1 (0.1 → 0.3)"}; !slices.Equal(r.Cases, want) {
		t.Errorf("cases %q, want %q", r.Cases, want)
	}
}

// Cases that one side alone has a value of are said, once for all metrics of
// which it is the same.
func TestVersusSaysWhatIsNotCompared(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{ratio("a"), ratio("b")}
	none := assay.None("no label")
	old := several(metrics, []any{1, 1}, []any{1, 1}, []any{none, none}, []any{none, none})
	run := several(metrics, []any{1, 1}, []any{declined, declined}, []any{1, 1}, []any{unread, unread})
	p := gate.Policy{MaxMissing: 1, Baseline: baseline(t, old), Rules: rules(t, "a vs baseline >= 0", "b vs baseline >= 0")}
	o, _ := p.Judge(run.run())
	want := []string{"a, b: 1 case only in the baseline (q2), 1 case only in the run (q3) not compared"}
	if o.Verdict != gate.Pass || !slices.Equal(english(o.Warnings), want) || o.Results[0].N != 1 {
		t.Errorf("%s with %q over %d cases, want %q over 1", o.Verdict, english(o.Warnings), o.Results[0].N, want)
	}
}

// A case that some of its draws lack a score in is one case, in the count of those that could not be scored too.
func TestUnscoredDrawsAreCountedAsCases(t *testing.T) {
	t.Parallel()
	m := ratio("m")
	var records []assay.Record
	for i := range 6 {
		for draw := range 2 {
			score := assay.Value(1)
			if i < 3 && draw == 1 {
				score = unread
			}
			c := assay.Case{ID: fmt.Sprintf("q%d", i)}.Repeated(draw)
			records = append(records, assay.Record{Seq: 2*i + draw, Case: c, Response: &assay.Response{}, Scores: map[string]assay.Score{"m": score}})
		}
	}
	o, _ := gate.Policy{Rules: rules(t, "m >= 0.5")}.Judge(of([]assay.MetricInfo{m}, records).run())
	judged(t, "half", o.Results[0], gate.Inconclusive,
		"3 of 6 cases could be scored only in part or not at all: no more than 5 % may lack a score")
}

// Draws are averaged on both sides before they are compared.
func TestVersusOfDraws(t *testing.T) {
	t.Parallel()
	m := ratio("m")
	drawn := func(scores ...float64) recorded {
		var records []assay.Record
		for i, s := range scores {
			c := assay.Case{ID: []string{"a", "b"}[i/2]}.Repeated(i % 2)
			records = append(records, assay.Record{Seq: i, Case: c, Response: &assay.Response{},
				Scores: map[string]assay.Score{"m": assay.Value(s)}})
		}
		return of([]assay.MetricInfo{m}, records)
	}
	r := judge(t, gate.Policy{Baseline: baseline(t, drawn(1, 0, 1, 1))}, drawn(0, 0, 1, 1), "m vs baseline >= -0.25")
	if r.Verdict != gate.Pass || r.N != 2 || *r.Diff != -0.25 {
		t.Errorf("%+v, want a difference of −0.25 over 2 cases", r)
	}
}

func TestPooledVersus(t *testing.T) {
	t.Parallel()
	m := ratio("abstention_f1")
	m.Pooled = true
	none := assay.None("answered")
	// 2·2/(4) = 1 before; 4/(4+1) = 0.8 after: the case that came into the pool
	// has no pair, and would not be seen by pairing.
	p := gate.Policy{Baseline: baseline(t, one(m, assay.Ratio(2, 2), assay.Ratio(2, 2), none))}
	run := one(m, assay.Ratio(2, 2), assay.Ratio(2, 2), assay.Ratio(0, 1))
	judged(t, "fell", judge(t, p, run, "abstention_f1 vs baseline >= -0.1"), gate.Fail, "the difference -0.2 misses -0.1 (1 → 0.8)")
	judged(t, "within", judge(t, p, run, "abstention_f1 vs baseline >= -0.2"), gate.Pass, "")
	judged(t, "no bound", judge(t, p, run, "abstention_f1.lower vs baseline >= -1"), gate.Inconclusive, "there is no interval")
	judged(t, "unknown", judge(t, p, one(m, assay.Ratio(2, 2), assay.Ratio(2, 2), unread), "abstention_f1 vs baseline >= -1"),
		gate.Inconclusive, "no bounds")
}

// TestPooledTolerances: a tolerance with a test is not shown for a pooled metric, and no case of it can be lost. The rule
// about lost cases stays where another metric has a worst value.
func TestPooledTolerances(t *testing.T) {
	t.Parallel()
	wer := ratio("wer")
	wer.Pooled, wer.Better = true, "lower"
	p := gate.Policy{Statistical: true, Tolerances: map[string]float64{"wer": 0.03}}
	run := one(wer, assay.Ratio(1, 10), assay.Ratio(0, 10))
	p.Baseline = baseline(t, run)
	o, ok := p.Judge(run.run())
	if !ok || len(o.Results) != 1 || o.Results[0].Verdict != gate.Inconclusive || o.Results[0].Noise {
		t.Errorf("a pooled metric alone: %+v", o.Results)
	}
}

// The differences are those of the worked cases gate_0, gate_1 and gate_2 of
// metrics.md; the verdicts are theirs, the bounds are by the sign-flip test.
func TestNonInferiority(t *testing.T) {
	t.Parallel()
	diffs := [][]float64{
		{0, 0, 0.02, -0.01, 0.03, 0, -0.02, 0.01, 0, 0.02, 0.01, 0},
		{-0.2, -0.1, -0.15, 0, -0.3, -0.05, -0.2, -0.1, 0, -0.25, -0.1, -0.15},
		{-0.2, 0.1, 0.25, -0.3, 0, 0.2, -0.1, 0.05, -0.25, 0.2, 0, 0.1},
	}
	run := func(m assay.MetricInfo, sign float64, d []float64, unknown int) (old, new recorded) {
		var a, b []any
		for i, d := range d {
			a, b = append(a, 0.5), append(b, any(0.5+sign*d))
			if i < unknown {
				b[i] = unread
			}
		}
		return one(m, a...), one(m, b...)
	}
	for i, want := range []gate.Verdict{gate.Pass, gate.Fail, gate.Inconclusive} {
		for _, side := range []struct {
			m    assay.MetricInfo
			rule string
			sign float64
		}{{ratio("m"), "m.lower vs baseline >= -0.03", 1}, {less("m"), "m.upper vs baseline <= 0.03", -1}} {
			old, new := run(side.m, side.sign, diffs[i], 0)
			p := gate.Policy{Baseline: baseline(t, old), Rules: rules(t, side.rule)}
			o, _ := p.Judge(new.run())
			r := o.Results[0]
			if r.Verdict != want || r.Noise != (want == gate.Inconclusive) || (because(r) == "") != (want == gate.Pass) {
				t.Errorf("gate_%d by %s: %+v, want %s", i, side.rule, r, want)
			}
			if o.Passed(false) != (want != gate.Fail) || o.Passed(true) != (want == gate.Pass) {
				t.Errorf("gate_%d: lets through %v, strictly %v", i, o.Passed(false), o.Passed(true))
			}
		}
	}
	// A case that could not be scored may have lost half, or gained it.
	old, new := run(ratio("m"), 1, diffs[0], 1)
	r := judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.lower vs baseline >= -0.03")
	if r.Verdict == gate.Pass || !strings.Contains(because(r), "1 of 12 cases could not be scored") {
		t.Errorf("with an unknown case: %+v, want no pass", r)
	}
	// Five of eight may have lost half: that would be a failure, so the number
	// of cases is not what is wanting.
	old, new = run(ratio("m"), 1, diffs[0][:8], 7)
	r = judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.lower vs baseline >= -0.03")
	if r.Verdict != gate.Inconclusive || r.Noise {
		t.Errorf("with most unknown: %+v, want it inconclusive and not for noise", r)
	}
	old, new = run(ratio("m"), 1, diffs[1], 1)
	judged(t, "what is unknown cannot help", judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.lower vs baseline >= 0.4"), gate.Fail,
		"at best the difference is shown to miss")
	old, new = run(ratio("m"), 1, diffs[0][:1], 0)
	r = judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.lower vs baseline >= -0.03")
	if judged(t, "one case", r, gate.Inconclusive, "there is no interval"); !r.Noise {
		t.Errorf("%+v, want noise", r)
	}
	// The other bound has two verdicts.
	old, new = run(ratio("m"), 1, diffs[2], 0)
	judged(t, "at most", judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.lower vs baseline <= 0"), gate.Pass, "")
	judged(t, "at least", judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.upper vs baseline >= 0.5"), gate.Fail,
		"the upper bound of the difference")
}

// TestEqualDifferencesNeedCases: cases that all differ by the same, such as by nothing, do not
// show how far others may be. A margin of 0.02 takes 149 of them, and equality is never shown.
func TestEqualDifferencesNeedCases(t *testing.T) {
	t.Parallel()
	shifted := func(m assay.MetricInfo, n int, by float64) (old, new recorded) {
		return one(m, slices.Repeat([]any{0.5}, n)...), one(m, slices.Repeat([]any{0.5 + by}, n)...)
	}
	for _, c := range []struct {
		rule   string
		n      int
		by     float64
		want   gate.Verdict
		reason string
	}{
		{"m.lower vs baseline >= 0", 150, 0, gate.Inconclusive, "is not shown to be above 0"},
		{"m.lower vs baseline >= -0.02", 5, 0, gate.Inconclusive, "about 150 cases with such differences would decide"},
		{"m.lower vs baseline >= -0.02", 145, 0, gate.Inconclusive, "about 150 cases with such differences would decide"},
		{"m.lower vs baseline >= -0.02", 150, 0, gate.Pass, ""},
		{"m.lower vs baseline >= -0.02", 6, -0.02, gate.Inconclusive, "is not shown to be above -0.02"},
		{"m.lower vs baseline >= -0.02", 400, -0.04, gate.Fail, "the difference is shown to miss -0.02: its upper bound is"},
		{"m.upper vs baseline >= 0", 6, 0, gate.Pass, ""},
	} {
		old, new := shifted(ratio("m"), c.n, c.by)
		r := judge(t, gate.Policy{Baseline: baseline(t, old)}, new, c.rule)
		judged(t, fmt.Sprintf("%s, %g in %d cases", c.rule, c.by, c.n), r, c.want, c.reason)
		if r.Bound == nil || r.CI != nil || r.Level != 0.95 || c.want == gate.Pass && *r.Bound < r.Want {
			t.Errorf("%s, %g in %d cases: bound %v, interval %v", c.rule, c.by, c.n, r.Bound, r.CI)
		}
	}
	old, new := shifted(less("m"), 150, 0)
	judged(t, "less is better", judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.upper vs baseline <= 0.02"), gate.Pass, "")
	open := assay.MetricInfo{Name: "m", Better: "lower", Range: [2]float64{0, math.MaxFloat64}}
	old, new = shifted(open, 150, 0)
	judged(t, "no largest value", judge(t, gate.Policy{Baseline: baseline(t, old)}, new, "m.upper vs baseline <= 0.02"), gate.Inconclusive,
		"there is no interval")
}

// TestLevel: a result says how sure its interval is, where it has one.
func TestLevel(t *testing.T) {
	t.Parallel()
	b := baseline(t, one(ratio("m"), 0.5, 0.25, 1, 0.75, 0.5, 0.5))
	run := one(ratio("m"), 0.5, 0.5, 1, 0.5, 0.5, 0.75)
	for rule, want := range map[string]float64{"m vs baseline >= 0": 0.9, "m.lower vs baseline >= -1": 0.9, "m.lower >= 0": 0.9,
		"m >= 0": 0, "errors <= 0": 0} {
		if r := judge(t, gate.Policy{Baseline: b, Level: 0.9}, run, rule); r.Level != want {
			t.Errorf("%s: level %g, want %g", rule, r.Level, want)
		}
	}
}

func TestSeveralMetricsAreOneVerdict(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{ratio("a"), ratio("b")}
	limit := 0.9
	metrics[0].Threshold = &limit
	run := several(metrics, []any{1, 1}, []any{1, 0.5}, []any{1, unread})
	for _, test := range []struct {
		rules []string
		want  gate.Verdict
	}{
		{[]string{"a >= 1", "errors <= 0"}, gate.Pass},
		{[]string{"a >= 1", "b >= 0.7"}, gate.Inconclusive},
		{[]string{"b >= 0.7", "b >= 0.99", "a >= 1"}, gate.Fail},
	} {
		o, ok := gate.Policy{Rules: rules(t, test.rules...)}.Judge(run.run())
		if !ok || o.Verdict != test.want || o.Passed(false) != (test.want == gate.Pass) {
			t.Errorf("%q: %s of %q, want %s", test.rules, o.Verdict, spelled(o.Results), test.want)
		}
		// The threshold comes first, then the rules in their order.
		if o.Results[0].Rule != "a >= 0.9" || o.Results[1].Rule != test.rules[0] || len(o.Results) != 1+len(test.rules) {
			t.Errorf("results %q", spelled(o.Results))
		}
	}
	if o, ok := (gate.Policy{}).Judge(one(ratio("a"), 1).run()); ok {
		t.Errorf("a run that is held to nothing has %+v", o)
	}
}

// A rule that nobody parsed is judged too, and never to its favour.
func TestRulesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, r := range []gate.Rule{
		{}, {Quantity: "m"}, {Quantity: "m", Op: "="}, {Quantity: "m", Op: ">=", Limit: math.NaN()},
		{Quantity: "m", Op: "<=", Limit: math.Inf(1)},
		{Quantity: "m", Op: ">=", Bound: "middle"}, {Quantity: "errors", Op: "<=", Limit: 1, Bound: "upper"},
		{Quantity: "cost", Op: "<=", Limit: 1, Versus: true},
	} {
		p := gate.Policy{Rules: []gate.Rule{r}}
		o, _ := p.Judge(one(ratio("m"), 1, 1).run())
		if o.Verdict != gate.Fail || because(o.Results[0]) == "" || o.Results[0].Want != 0 && r.Limit != 1 {
			t.Errorf("%+v: %+v", r, o)
		}
		if p.Check([]assay.MetricInfo{ratio("m")}) == nil {
			t.Errorf("%+v: no error", r)
		}
	}
	if r := judge(t, gate.Policy{Level: math.NaN()}, one(ratio("m"), 1, 1), "m.lower >= 0.1"); r.Verdict != gate.Pass {
		t.Errorf("a level that is none is not %g: %+v", stats.DefaultLevel, r)
	}
}
