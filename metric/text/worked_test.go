package text

import (
	"math"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric"
)

// scored gives the score of a metric by name, as a user would ask for it.
func scored(t *testing.T, name string, in metric.Input) assay.Score {
	t.Helper()
	m, err := metric.NewCatalog(Defs()...).Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.Score(t.Context(), in)
}

// answer makes the input for a metric that compares with references.
func answer(answer string, references ...string) metric.Input {
	return metric.Input{
		Case:     &assay.Case{ID: "a", Question: "?", Want: assay.Want{Answers: references}},
		Response: &assay.Response{Answer: answer},
		Embedder: axes{},
	}
}

// grounds makes the input for a metric that compares with passages.
func grounds(answer string, passages ...string) metric.Input {
	in := metric.Input{
		Case:     &assay.Case{ID: "a", Question: "?"},
		Response: &assay.Response{Answer: answer, Passages: []assay.Passage{}},
		Embedder: axes{},
	}
	for _, p := range passages {
		in.Response.Passages = append(in.Response.Passages, assay.Passage{Text: p})
	}
	return in
}

func value(t *testing.T, what string, s assay.Score, want, tolerance float64) {
	t.Helper()
	if s.State != assay.Scored || math.Abs(s.Value-want) > tolerance {
		t.Errorf("%s: %s %v %s: want %v", what, s.State, s.Value, s.Reason, want)
	}
}

// pairsOf gives the only list of pairs in the input of a case, whose key says
// in its own words what the pairs are.
func pairsOf(t *testing.T, in map[string][][2]string, n int) [][2]string {
	t.Helper()
	for _, pairs := range in {
		if len(in) == 1 && len(pairs) == n && n > 0 {
			return pairs
		}
	}
	t.Fatalf("input %v: want one list of %d pairs", in, n)
	return nil
}

func TestSquadWorked(t *testing.T) {
	t.Parallel()
	var in map[string][][2]string
	var want []struct{ EM, F1 float64 }
	requiretest.Worked(t, "squad_f1_em", &in, &want)
	for i, p := range pairsOf(t, in, len(want)) {
		value(t, "exact_match of "+p[1], scored(t, "exact_match", answer(p[1], p[0])), want[i].EM, 1e-9)
		value(t, "token_f1 of "+p[1], scored(t, "token_f1", answer(p[1], p[0])), want[i].F1, 1e-9)
	}
}

func TestROUGEWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Ref, Hyp string }
	var want map[string]struct{ P, R, F float64 }
	requiretest.Worked(t, "rouge", &in, &want)
	for name, key := range map[string]string{"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"} {
		value(t, name, scored(t, name, answer(in.Hyp, in.Ref)), want[key].F, 1e-9)
		value(t, name+" p", scored(t, name+"(p)", answer(in.Hyp, in.Ref)), want[key].P, 1e-9)
		value(t, name+" r", scored(t, name+"(r)", answer(in.Hyp, in.Ref)), want[key].R, 1e-9)
	}
}

func TestBLEUAndChrFWorked(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{"bleu": "sentence_bleu", "chrf": "chrf_pp"} {
		var in map[string][][2]string
		var want []float64
		requiretest.Worked(t, id, &in, &want)
		for i, c := range pairsOf(t, in, len(want)) {
			value(t, name+" of "+c[0], scored(t, name, answer(c[0], c[1])), want[i], 1e-6)
		}
	}
}

// The matching of support is that of BERTScore, which has tokens in place of
// sentences: precision looks for each of the answer in the reference, recall the
// other way round.
func TestBERTScoreWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Hyp, Ref [][]float32 }
	var want struct{ P, R float64 }
	requiretest.Worked(t, "bertscore_like", &in, &want)
	// The vectors are float32 here and float64 there.
	const tolerance = 1e-7
	if p := supportOf(in.Hyp, in.Ref, 0).mean; math.Abs(p-want.P) > tolerance {
		t.Errorf("precision is %v: want %v", p, want.P)
	}
	if r := supportOf(in.Ref, in.Hyp, 0).mean; math.Abs(r-want.R) > tolerance {
		t.Errorf("recall is %v: want %v", r, want.R)
	}
}

func TestSupportWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Ans, Ctx [][]float32
		Tau      float64
	}
	var want struct {
		Sentences []float64 `json:"per_sentence"`
		Mean, Min float64
		Share     float64 `json:"share_over_tau"`
	}
	requiretest.Worked(t, "sentence_support", &in, &want)
	got := supportOf(in.Ans, in.Ctx, in.Tau)
	const tolerance = 1e-7
	for i, v := range want.Sentences {
		if math.Abs(got.sentences[i]-v) > tolerance {
			t.Errorf("sentence %d is %v: want %v", i, got.sentences[i], v)
		}
	}
	if math.Abs(got.mean-want.Mean) > tolerance || math.Abs(got.min-want.Min) > tolerance || math.Abs(got.share-want.Share) > tolerance {
		t.Errorf("got %+v: want %+v", got, want)
	}
}

func TestKPrecisionWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Answer, Context string }
	var want struct {
		Value       float64
		EmptyAnswer *float64 `json:"empty_answer"`
	}
	requiretest.Worked(t, "k_precision", &in, &want)
	value(t, "k_precision", scored(t, "k_precision", grounds(in.Answer, in.Context)), want.Value, 1e-9)
	if s := scored(t, "k_precision", grounds("", in.Context)); want.EmptyAnswer != nil || s.State != assay.NotApplicable {
		t.Errorf("an empty answer: %+v: want %s", s, assay.NotApplicable)
	}
}

func TestNumberAgreementWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Answer, Context string }
	var want struct {
		Answer, Unsupported []string
		Precision           float64
	}
	requiretest.Worked(t, "number_agreement", &in, &want)
	said, unsupported := numbersOf(in.Answer, []string{in.Context})
	for what, v := range map[string][2][]string{"said": {keys(said), want.Answer}, "unsupported": {keys(unsupported), want.Unsupported}} {
		if !slices.Equal(v[0], v[1]) {
			t.Errorf("%s %q: want %q", what, v[0], v[1])
		}
	}
	value(t, "number_agreement", scored(t, "number_agreement", grounds(in.Answer, in.Context)), want.Precision, 1e-9)
}

func TestNegationWorked(t *testing.T) {
	t.Parallel()
	var in map[string][][2]string
	var want []bool
	requiretest.Worked(t, "negation", &in, &want)
	for i, p := range pairsOf(t, in, len(want)) {
		if got := NegationsDiffer(p[0], p[1]); got != want[i] {
			t.Errorf("negations of %q and %q differ: %v: want %v", p[0], p[1], got, want[i])
		}
	}
}
