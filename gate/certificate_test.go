package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// certified gives a run a judge on cases in English and Chinese that is certified on questions,
// written as "support en", with the lower end of the interval.
func certified(r recorded, certificates map[string]float64) gate.Run {
	run := r.run()
	run.Header.Judge = &assay.JudgeInfo{Provider: "p", Model: "m"}
	run.Header.Languages = map[string]int{"en": 8, "zh": 4}
	for name, low := range certificates {
		question, language, _ := strings.Cut(name, " ")
		value := (low + 1) / 2
		run.Header.Certificates = append(run.Header.Certificates, assay.Certificate{Question: question, Language: language, Usable: 100,
			Judge: *run.Header.Judge, BalancedAccuracy: assay.Figure{Value: &value, CI: &[2]float64{low, 1}}})
	}
	return run
}

// A judged metric decides nothing of any kind unless the judge is certified for as much as the
// policy demands, on every question that the metric rests on and in every language.
func TestMinCertificate(t *testing.T) {
	t.Parallel()
	both := map[string]float64{"support en": 0.8, "support zh": 0.8, "relevance en": 0.9, "relevance zh": 0.85}
	without := func(name string) map[string]float64 {
		out := map[string]float64{}
		for k, v := range both {
			if k != name {
				out[k] = v
			}
		}
		return out
	}
	low := without("support zh")
	low["support zh"] = 0.79
	for name, test := range map[string]struct {
		judged  bool
		rulings []string
		have    map[string]float64
		demand  float64
		want    gate.Verdict
		why     string
	}{
		"certified":    {true, []string{"relevance", "support"}, both, 0.8, gate.Pass, ""},
		"not demanded": {true, []string{"relevance", "support"}, nil, 0, gate.Pass, ""},
		"not judged":   {false, nil, nil, 0.8, gate.Pass, ""},
		"demands more": {true, []string{"relevance", "support"}, both, 0.81, gate.Inconclusive,
			"support: 0.90 ± 0.10 on 100 items, en; 0.90 ± 0.10 on 100 items, zh"},
		"too low": {true, []string{"relevance", "support"}, low, 0.8, gate.Inconclusive, "support: 0.90 (0.79…1.00) on 100 items, zh"},
		"rounded to it": {true, []string{"support"}, map[string]float64{"support en": 0.8, "support zh": 0.7981}, 0.8, gate.Inconclusive,
			"support: 0.90 ± 0.10 on 100 items, zh (the lower end is 0.798)"},
		"one is missing":   {true, []string{"relevance", "support"}, without("relevance zh"), 0.8, gate.Inconclusive, "relevance: zh: not measured"},
		"another question": {true, []string{"support"}, without("relevance en"), 0.8, gate.Pass, ""},
		"none":             {true, []string{"support"}, nil, 0.5, gate.Inconclusive, "support: en: not measured; zh: not measured"},
		"no ruling":        {true, nil, both, 0.8, gate.Inconclusive, "rests on no ruling"},
	} {
		m := ratio("m")
		m.Judged, m.Rulings = test.judged, test.rulings
		rows := one(m, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
		for _, kind := range []string{"m >= 0.5", "m.lower >= 0.2", "m.min >= 0.5", "below(m, 0.5) <= 1", "m vs baseline >= 0",
			"m.lower vs baseline >= -0.5", "a tolerance", "a threshold"} {
			p := gate.Policy{MinCertificate: test.demand}
			rows := rows
			switch {
			case kind == "a tolerance":
				p.Baseline, p.Tolerances = baseline(t, rows), map[string]float64{"m": 0.1}
			case kind == "a threshold":
				half := 0.5
				m.Threshold = &half
				rows.Summary = summary.Of([]assay.MetricInfo{m}, columns.Of(rows.Records), stats.DefaultLevel)
				m.Threshold = nil
			default:
				p.Rules = rules(t, kind)
				if strings.Contains(kind, "baseline") {
					p.Baseline = baseline(t, rows)
				}
			}
			if p.Baseline != nil {
				p.Baseline.Judge = certified(rows, nil).Header.Judge
			}
			o, _ := p.Judge(certified(rows, test.have))
			res := o.Results[0]
			if res.Verdict != test.want || o.Passed(false) != (test.want == gate.Pass) || !strings.Contains(because(res), test.why) {
				t.Errorf("%s, %s: %s because %q, want %s because of %q", name, kind, res.Verdict, because(res), test.want, test.why)
			}
		}
	}
}

// The composite rests on the questions of all its parts.
func TestMinCertificateOfTheComposite(t *testing.T) {
	t.Parallel()
	metrics := []assay.MetricInfo{ratio("composite"), ratio("faithfulness"), ratio("ndcg")}
	metrics[1].Weight, metrics[2].Weight = 0.5, 0.5
	for i := range 2 {
		metrics[i].Judged, metrics[i].Rulings = true, []string{"support"}
	}
	var rows [][]any
	for range 12 {
		rows = append(rows, []any{1, 1, 1})
	}
	p := gate.Policy{MinCertificate: 0.8, Rules: rules(t, "composite >= 0.5", "ndcg >= 0.5")}
	for want, have := range map[gate.Verdict]map[string]float64{
		gate.Inconclusive: {"support en": 0.9},
		gate.Pass:         {"support en": 0.9, "support zh": 0.9},
	} {
		run := certified(several(metrics, rows...), have)
		var open []string
		for _, x := range p.ForeseeOpen(run.Header) {
			open = append(open, x.Metric)
		}
		if foreseen := slices.Equal(open, []string{"composite"}); foreseen != (want == gate.Inconclusive) {
			t.Errorf("foreseen as open: %q, want %s for the composite", open, want)
		}
		o, _ := p.Judge(run)
		got := []gate.Verdict{o.Results[0].Verdict, o.Results[1].Verdict}
		if !slices.Equal(got, []gate.Verdict{want, gate.Pass}) {
			t.Errorf("verdicts %q, want %s for the composite and a pass", got, want)
		}
	}
}
