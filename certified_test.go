package assay_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
)

// certifiedRun is a run of the judge p m with 3 Chinese and 5 English cases, whose judge is
// certified on support in English.
func certifiedRun() assay.Header {
	judge := assay.JudgeInfo{Provider: "p", Model: "m", Prompts: map[string]string{"support": "1", "claims": "1", "relevance": "1"}, Passes: 3}
	of := judge.About([]string{"support"})
	value := 0.8
	return assay.Header{
		Judge: &judge, Languages: map[string]int{"zh": 3, "en": 5},
		Certificates: []assay.Certificate{{Question: "support", Language: "en", Judge: of,
			BalancedAccuracy: assay.Figure{Value: &value, CI: &[2]float64{0.7, 0.9}}}},
		Metrics: []assay.MetricInfo{
			{Name: "a", Rulings: []string{"support"}}, {Name: "b", Rulings: []string{"relevance", "support"}}, {Name: "c"},
		},
	}
}

func TestMeasured(t *testing.T) {
	t.Parallel()
	type entry struct {
		Question, Language string
		Cases              int
		Certified          bool
	}
	h := certifiedRun()
	bare := h
	bare.Languages, bare.Certificates = nil, nil
	for name, test := range map[string]struct {
		h       assay.Header
		metrics []assay.MetricInfo
		want    []entry
	}{
		"one question":      {h, h.Metrics[:1], []entry{{"support", "en", 5, true}, {"support", "zh", 3, false}}},
		"no ruling":         {h, h.Metrics[2:], nil},
		"nobody judges":     {assay.Header{Metrics: h.Metrics}, h.Metrics, nil},
		"without languages": {bare, h.Metrics[:1], []entry{{"support", "", 0, false}}},
		"each question once": {h, h.Metrics, []entry{
			{"relevance", "en", 5, false}, {"relevance", "zh", 3, false}, {"support", "en", 5, true}, {"support", "zh", 3, false},
		}},
	} {
		var got []entry
		for _, m := range test.h.Measured(test.metrics) {
			got = append(got, entry{m.Question, m.Language, m.Cases, m.Certificate != nil})
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestVoid(t *testing.T) {
	t.Parallel()
	c := certifiedRun().Certificates[0]
	for name, test := range map[string]struct {
		change func(*assay.JudgeInfo)
		want   []string
		other  bool
	}{
		"the same":         {change: func(*assay.JudgeInfo) {}},
		"another question": {change: func(j *assay.JudgeInfo) { j.Prompts["claims"] = "2" }},
		"a prompt":         {change: func(j *assay.JudgeInfo) { j.Prompts["support"] = "2" }, want: []string{"prompt"}},
		"all": {want: []string{"parameters", "passes", "prompt"}, change: func(j *assay.JudgeInfo) {
			j.Prompts["support"], j.Passes, j.Parameters = "2", 1, map[string]string{"a": "b"}
		}},
		"a model": {change: func(j *assay.JudgeInfo) { j.Model = "n" }, other: true},
		"a panel": {change: func(j *assay.JudgeInfo) { j.Panel = []assay.JudgeInfo{{Model: "m"}} }, other: true},
		"a judge of the question": {other: true, change: func(j *assay.JudgeInfo) {
			j.Tasks = map[string]assay.JudgeInfo{"support": {Provider: "entailment"}}
		}},
	} {
		judge := *certifiedRun().Judge
		judge.Prompts = maps.Clone(judge.Prompts)
		test.change(&judge)
		got, ok := c.Void(&judge)
		if !slices.Equal(got, test.want) || ok == test.other {
			t.Errorf("%s: %q and %v, want %q and %v", name, got, ok, test.want, !test.other)
		}
		if c.Fits(&judge) != (ok && got == nil) {
			t.Errorf("%s: the certificate fits: %v, but it differs in %q", name, c.Fits(&judge), got)
		}
	}
	if _, ok := c.Void(nil); ok {
		t.Error("a certificate of nobody")
	}
}
