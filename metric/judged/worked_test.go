package judged_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

func TestRAGCheckerWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		AnswerChunks     [][]int `json:"resp_chunk"`
		ReferenceChunks  [][]int `json:"gt_chunk"`
		AnswerReference  []int   `json:"resp_ref"`
		ReferenceInReply []int   `json:"gt_resp"`
	}
	var want map[string]float64
	requiretest.Worked(t, "ragchecker", &in, &want)
	x := asked(len(in.AnswerChunks[0]))
	a := x.Assessment
	question.Answer.Set(a, says(judge.Answered, len(in.AnswerReference)))
	question.Reference.Set(a, says(judge.Answered, len(in.ReferenceInReply)))
	setBoth(a, question.AnswerPassages, question.AnswerAlone, alone(in.AnswerChunks...))
	setBoth(a, question.ReferencePassages, question.ReferenceAlone, alone(in.ReferenceChunks...))
	question.AnswerReference.Set(a, yesNo(in.AnswerReference...))
	question.ReferenceAnswer.Set(a, yesNo(in.ReferenceInReply...))
	for key, name := range map[string]string{
		"precision": "factual_correctness(precision)", "recall": "factual_correctness(recall)", "f1": "factual_correctness",
		"claim_recall": "claim_recall", "context_precision": "context_precision(share)", "context_utilization": "context_utilization",
		"noise_sens_relevant": "noise_sensitivity", "noise_sens_irrelevant": "noise_sensitivity(irrelevant)",
		"hallucination": "hallucination", "self_knowledge": "self_knowledge", "faithfulness": "faithfulness",
	} {
		w, ok := want[key]
		if !ok {
			t.Fatalf("the worked case has no %q", key)
		}
		delete(want, key)
		value(t, name, scored(t, name, x), w)
	}
	if len(want) > 0 {
		t.Errorf("not compared: %v", want)
	}
}

func TestFaithfulnessWorked(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"faithfulness_0", "faithfulness_1", "faithfulness_2", "faithfulness_3"} {
		var in struct{ Verdicts []string }
		var want struct {
			Value, Contradicted *float64
			Status              string
			Bounds              *[2]float64
		}
		requiretest.Worked(t, id, &in, &want)
		x := asked(1)
		question.Answer.Set(x.Assessment, says(judge.Answered, len(in.Verdicts)))
		setBoth(x.Assessment, question.AnswerPassages, question.AnswerAlone, rulings(t, in.Verdicts...))
		s := scored(t, "faithfulness", x)
		states := map[string]assay.State{"ok": assay.Scored, "not_applicable": assay.NotApplicable, "judge_error": assay.JudgeError}
		if s.State != states[want.Status] {
			t.Errorf("%s: state %s: want %q", id, s.State, want.Status)
		}
		if want.Value != nil {
			value(t, id, s, *want.Value)
		}
		if want.Bounds != nil && (math.Abs(s.Lower-want.Bounds[0]) > 1e-9 || math.Abs(s.Upper-want.Bounds[1]) > 1e-9) {
			t.Errorf("%s: bounds %v and %v: want %v", id, s.Lower, s.Upper, *want.Bounds)
		}
		if want.Contradicted != nil {
			value(t, id+", contradicted", scored(t, "contradiction_rate", x), *want.Contradicted)
		}
	}
}

// usefulAt makes a case whose reference makes one claim, which the passages
// marked 1 each support alone.
func usefulAt(verdicts ...int) metric.Input {
	x := asked(len(verdicts))
	question.Reference.Set(x.Assessment, says(judge.Answered, 1))
	setBoth(x.Assessment, question.ReferencePassages, question.ReferenceAlone, alone(verdicts))
	return x
}

func TestContextPrecisionWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Verdicts []int }
	var want struct {
		Ours     float64
		AllZero  float64 `json:"all_zero"`
		LastOnly float64 `json:"single_hit_last"`
	}
	requiretest.Worked(t, "context_precision", &in, &want)
	value(t, "context_precision", scored(t, "context_precision", usefulAt(in.Verdicts...)), want.Ours)
	value(t, "none", scored(t, "context_precision", usefulAt(0, 0)), want.AllZero)
	value(t, "the last", scored(t, "context_precision", usefulAt(0, 0, 0, 1)), want.LastOnly)
	// Nothing retrieved is right where there is nothing to find, else 0.
	none := usefulAt()
	value(t, "nothing retrieved", scored(t, "context_precision", none), 0)
	none.Case.Want.Answerable = new(bool)
	state(t, "nothing to find", scored(t, "context_precision", none), assay.NotApplicable)
}

func TestContextRecallWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Attributed []int }
	var want struct {
		Value     float64
		Reference *float64 `json:"empty_reference"`
	}
	requiretest.Worked(t, "context_recall", &in, &want)
	x := asked(1)
	question.Reference.Set(x.Assessment, says(judge.Answered, len(in.Attributed)))
	setBoth(x.Assessment, question.ReferencePassages, question.ReferenceAlone, yesNo(in.Attributed...))
	value(t, "context_recall", scored(t, "context_recall", x), want.Value)
	question.Reference.Set(x.Assessment, says(judge.Answered, 0))
	setBoth(x.Assessment, question.ReferencePassages, question.ReferenceAlone, yesNo())
	if s := scored(t, "context_recall", x); want.Reference != nil || s.State != assay.NotApplicable {
		t.Errorf("an empty reference: %+v: want %s", s, assay.NotApplicable)
	}
}

func TestFactualCorrectnessWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Answer    []int `json:"resp_claims_ok"`
		Reference []int `json:"ref_claims_covered"`
	}
	var want map[string]float64
	requiretest.Worked(t, "factual_correctness", &in, &want)
	x := compared(in.Answer, in.Reference)
	value(t, "precision", scored(t, "factual_correctness(stat=precision)", x), want["precision"])
	value(t, "recall", scored(t, "factual_correctness(stat=recall)", x), want["recall(ours)"])
	value(t, "F1", scored(t, "factual_correctness", x), want["f1(ours)"])
}

// compared makes a case whose answer and reference are held against each other.
func compared(answer, reference []int) metric.Input {
	x := asked(1)
	a := x.Assessment
	question.Answer.Set(a, says(judge.Answered, len(answer)))
	question.Reference.Set(a, says(judge.Answered, len(reference)))
	question.AnswerReference.Set(a, yesNo(answer...))
	question.ReferenceAnswer.Set(a, yesNo(reference...))
	return x
}

// table embeds texts so that the cosine with the first one is what their name
// says: "0.9" is a text of cosine 0.9.
type table struct{}

func (table) Dimensions() int  { return 2 }
func (table) Identity() string { return "table" }

func (table) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, s := range texts {
		c := 1.0
		if i > 0 {
			if _, err := fmt.Sscan(s, &c); err != nil {
				return nil, fmt.Errorf("%q is no cosine", s)
			}
		}
		out[i] = []float32{float32(c), float32(math.Sqrt(1 - c*c))}
	}
	return out, nil
}

// The vectors are float32 here.
const float32Tolerance = 1e-7

func near(t *testing.T, what string, s assay.Score, want float64) {
	t.Helper()
	if s.State != assay.Scored || math.Abs(s.Value-want) > float32Tolerance {
		t.Errorf("%s: %s %v %q: want %v", what, s.State, s.Value, s.Reason, want)
	}
}

func TestAnswerCorrectnessWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		TP, FP, FN int
		Similarity float64
		Weights    [2]float64
	}
	var want struct{ F1, Score float64 }
	requiretest.Worked(t, "answer_correctness", &in, &want)
	ones := func(yes, no int) []int { return append(slicesOf(1, yes), slicesOf(0, no)...) }
	x := compared(ones(in.TP, in.FP), ones(in.TP, in.FN))
	x.Case.Want.Answers = []string{fmt.Sprint(in.Similarity)}
	value(t, "F1", scored(t, "answer_correctness_f1", x), want.F1)
	near(t, "score", scored(t, fmt.Sprintf("answer_correctness_f1(similarity=%v)", in.Weights[1]), x), want.Score)
}

func slicesOf(v, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func TestAnswerRelevanceWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Cosines      []float64
		Noncommittal []int
	}
	var want struct {
		Value    float64
		Evading  float64  `json:"all_noncommittal"`
		OneBlank float64  `json:"one_parse_failure"`
		AllBlank *float64 `json:"all_failed"`
	}
	requiretest.Worked(t, "answer_relevancy", &in, &want)
	written := func(evades func(i int) bool, blank func(i int) bool) metric.Input {
		x := asked(0)
		var out []judge.Reversed
		for i, c := range in.Cosines {
			q := judge.Reversed{Question: fmt.Sprint(c), Noncommittal: evades(i)}
			if blank(i) {
				q.Question = ""
			}
			out = append(out, q)
		}
		question.Questions.Set(x.Assessment, judge.Known(out))
		return x
	}
	never, always := func(int) bool { return false }, func(int) bool { return true }
	near(t, "value", scored(t, "answer_relevance", written(func(i int) bool { return in.Noncommittal[i] == 1 }, never)), want.Value)
	near(t, "all noncommittal", scored(t, "answer_relevance", written(always, never)), want.Evading)
	near(t, "one blank", scored(t, "answer_relevance", written(never, func(i int) bool { return i == 1 })), want.OneBlank)
	if s := scored(t, "answer_relevance", written(never, always)); want.AllBlank != nil || s.State != assay.JudgeError {
		t.Errorf("all blank: %+v: want %s", s, assay.JudgeError)
	}
}

func TestContextEntityRecallWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Ref, Ctx []string }
	var want map[string]*float64
	requiretest.Worked(t, "context_entity_recall", &in, &want)
	x := asked(0)
	x.Case.Want.Answers = []string{""}
	for _, e := range in.Ref {
		x.Case.Want.Answers[0] += e + ", "
	}
	for _, e := range in.Ctx {
		x.Response.Passages = append(x.Response.Passages, assay.Passage{Text: e})
	}
	value(t, "recall", scored(t, "context_entity_recall", x), *want["ours(normalised sets)"])
	x.Case.Want.Answers[0] = "nothing of the kind"
	if s := scored(t, "context_entity_recall", x); want["empty_ref"] != nil || s.State != assay.NotApplicable {
		t.Errorf("a reference without a name: %+v: want %s", s, assay.NotApplicable)
	}
}

func TestNuggetsWorked(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"nuggets", "nuggets_no_vital"} {
		var in struct{ Nuggets [][2]string }
		var want map[string]*float64
		requiretest.Worked(t, id, &in, &want)
		x := asked(0)
		var given []judge.Assignment
		x.Case.Want.Ideal = &assay.Ideal{}
		for i, n := range in.Nuggets {
			x.Case.Want.Ideal.Points = append(x.Case.Want.Ideal.Points, assay.Point{Text: fmt.Sprint(i), Vital: n[0] == "vital"})
			credit, ok := map[string]float64{"support": 1, "partial_support": 0.5, "not_support": 0}[n[1]]
			given = append(given, judge.Assignment{Known: ok, Credit: credit})
		}
		question.Points.Set(x.Assessment, judge.Known(given))
		for key, name := range map[string]string{
			"strict_vital": "nugget_vital_strict", "strict_all": "nugget_strict", "vital": "nugget_vital", "all": "nugget_all",
			"weighted": "completeness",
		} {
			s := scored(t, name, x)
			if want[key] == nil {
				state(t, id+": "+name, s, assay.NotApplicable)
			} else {
				value(t, id+": "+name, s, *want[key])
			}
		}
	}
}

func TestALCEWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Sentences []struct {
			Cites           []int
			Docs            int `json:"n_docs"`
			Joint           int
			Single, Without map[string]int
		}
	}
	var want map[string]float64
	requiretest.Worked(t, "citations_alce", &in, &want)
	x := asked(in.Sentences[0].Docs)
	question.Answer.Set(x.Assessment, says(judge.Answered, len(in.Sentences)))
	var cited []judge.Cited
	for i, s := range in.Sentences {
		c := judge.Cited{Sentence: i + 1, Text: "A sentence.", Finding: judge.Finding{Verdict: judge.NotFound}}
		for _, p := range s.Cites {
			if p < 1 || p > s.Docs {
				c.Invalid = append(c.Invalid, p)
				continue
			}
			c.Cites = append(c.Cites, p-1)
			// The judge quotes what bears the sentence out alone, and what the
			// others do not do without.
			key := fmt.Sprint(p)
			if s.Single[key] == 1 || s.Joint == 1 && s.Without[key] == 0 {
				c.Finding.Quotes = append(c.Finding.Quotes, judge.Quote{Source: p - 1, Text: "words", Alone: s.Single[key] == 1})
			}
		}
		if s.Joint == 1 {
			c.Finding.Verdict, c.Finding.Degree = judge.Supported, 1
		}
		if len(c.Cites) == 0 {
			c.Finding = judge.Finding{}
		}
		cited = append(cited, c)
	}
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known(cited))
	value(t, "recall", scored(t, "citation_recall", x), want["recall"])
	value(t, "precision", scored(t, "citation_precision", x), want["precision(ours: invalid ids count as wrong)"])
}

func TestTRECSupportWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		First []*string `json:"first_citation_support"`
	}
	var want struct {
		Precision float64 `json:"weighted_precision"`
		Recall    float64 `json:"weighted_recall"`
	}
	requiretest.Worked(t, "citations_trec", &in, &want)
	x := asked(2)
	question.Answer.Set(x.Assessment, says(judge.Answered, len(in.First)))
	var cited []judge.Cited
	for i, grade := range in.First {
		c := judge.Cited{Sentence: i + 1, Text: "A sentence."}
		if grade != nil {
			c.Cites = []int{0, 1}
			c.Finding = map[string]judge.Finding{
				"full":    {Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0, Alone: true}}},
				"partial": {Verdict: judge.Supported, Degree: 1, Quotes: []judge.Quote{{Source: 0}, {Source: 1}}},
				"none":    {Verdict: judge.NotFound},
			}[*grade]
		}
		cited = append(cited, c)
	}
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known(cited))
	value(t, "precision", scored(t, "citation_support", x), want.Precision)
	value(t, "recall", scored(t, "citation_support(recall)", x), want.Recall)

	// TREC's partial support is a part of the sentence, by the first citation or not at all.
	for i := range cited {
		if f := &cited[i].Finding; len(f.Quotes) == 2 {
			*f = judge.Finding{Verdict: judge.NotFound, Parts: []judge.Quote{{Source: 0, Text: "words"}}}
		}
	}
	setBoth(x.Assessment, question.Citations, question.CitationsAlone, judge.Known(cited))
	value(t, "precision by parts", scored(t, "citation_support", x), want.Precision)
	for i := range cited {
		if f := &cited[i].Finding; f.Parts != nil {
			f.Parts[0].Source = 1
		}
	}
	if got := scored(t, "citation_support", x); got.Value >= want.Precision {
		t.Errorf("a part in the second citation counts: %v", got.Value)
	}
}

func TestAbstentionWorked(t *testing.T) {
	t.Parallel()
	var in map[string][][3]int
	var want map[string]float64
	requiretest.Worked(t, "abstention", &in, &want)
	var cases []metric.Input
	for _, r := range in["rows(answerable,abstained,correct)"] {
		x := asked(0)
		answerable := r[0] == 1
		x.Case.Want.Answerable = &answerable
		if r[1] == 1 {
			question.Answer.Set(x.Assessment, says(judge.Abstained, 0))
		}
		question.Equivalence.Set(x.Assessment, judge.Known(judge.Ruling{Holds: r[2] == 1, Degree: float64(r[2])}))
		cases = append(cases, x)
	}
	for name, w := range want {
		m, err := catalog.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		sum, n, num, den := 0.0, 0.0, 0.0, 0.0
		for i, x := range cases {
			switch s := m.Score(t.Context(), x); s.State {
			case assay.Scored:
				sum, n, num, den = sum+s.Value, n+1, num+s.Num, den+s.Den
			case assay.NotApplicable, assay.Abstained:
			default:
				t.Errorf("%s, row %d: %+v", name, i, s)
			}
		}
		got := sum / n
		if m.Def.Pooled {
			got = num / den
		}
		if math.Abs(got-w) > 1e-9 {
			t.Errorf("%s is %v: want %v", name, got, w)
		}
	}
}

func TestIdealAnswerWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Points [][2]float64 `json:"key_points"`
		Claims []string
	}
	var want map[string]float64
	requiretest.Worked(t, "ideal_answer", &in, &want)
	x := asked(0)
	var given []judge.Assignment
	x.Case.Want.Ideal = &assay.Ideal{}
	for _, p := range in.Points {
		x.Case.Want.Ideal.Points = append(x.Case.Want.Ideal.Points, assay.Point{Text: "a point", Vital: p[0] == 1})
		given = append(given, judge.Assignment{Known: true, Credit: p[1]})
	}
	question.Points.Set(x.Assessment, judge.Known(given))
	question.Answer.Set(x.Assessment, says(judge.Answered, len(in.Claims)))
	question.Truth.Set(x.Assessment, rulings(t, in.Claims...))
	for name, w := range want {
		if name == "f1" {
			// The worked case has factual_accuracy in place of G, 0.8, which nothing invented
			// lowers: 2GC / (G + C) = 2·(4/6)·(4/7) / (4/6 + 4/7) = 8/13.
			name, w = "grounded_f1", 8./13
		}
		value(t, name, scored(t, name, x), w)
	}
}

// One claim of the ideal answer among nine that nobody told: G 1/10, C 1 and
// 2·0.1/1.1 = 2/11; factual accuracy sees nothing wrong.
func TestInventedClaimsLowerGroundedF1(t *testing.T) {
	t.Parallel()
	x := asked(0)
	x.Case.Want.Ideal = &assay.Ideal{Points: []assay.Point{{Text: "a point", Vital: true}}}
	question.Points.Set(x.Assessment, judge.Known([]judge.Assignment{{Known: true, Credit: 1}}))
	question.Answer.Set(x.Assessment, says(judge.Answered, 10))
	question.Truth.Set(x.Assessment, rulings(t, append([]string{"supported"}, slices.Repeat([]string{"extra"}, 9)...)...))
	value(t, "grounded_f1", scored(t, "grounded_f1", x), 2./11)
	value(t, "factual_accuracy", scored(t, "factual_accuracy", x), 1)
	value(t, "completeness", scored(t, "completeness", x), 1)
	// Wrong claims count like invented ones.
	question.Truth.Set(x.Assessment, rulings(t, append([]string{"supported"}, slices.Repeat([]string{"contradicted"}, 9)...)...))
	value(t, "grounded_f1 of wrong claims", scored(t, "grounded_f1", x), 2./11)
	question.Truth.Set(x.Assessment, rulings(t, slices.Repeat([]string{"extra"}, 10)...))
	value(t, "grounded_f1 of claims that are all invented", scored(t, "grounded_f1", x), 0)
}

func TestRubricWorked(t *testing.T) {
	t.Parallel()
	var in struct {
		Weights []float64
		Max     []int
		Judges  [][]float64
	}
	var want struct {
		Judges []*float64 `json:"per_judge"`
		Score  *float64
	}
	requiretest.Worked(t, "rubric_two_judges", &in, &want)
	x := asked(0)
	for i, w := range in.Weights {
		x.Assessment.Rubric.Dimensions = append(x.Assessment.Rubric.Dimensions,
			judge.Dimension{Name: fmt.Sprint(i), Weight: w, Anchors: make([]string, in.Max[i]+1)})
	}
	panel := make([]judge.Mark, len(in.Weights))
	for j, levels := range in.Judges {
		one := make([]judge.Mark, len(levels))
		for i, v := range levels {
			one[i].Level = v
			panel[i].Level += v / float64(len(in.Judges))
		}
		question.Marks.Set(x.Assessment, judge.Known(one))
		value(t, fmt.Sprintf("judge %d", j+1), scored(t, "rubric", x), *want.Judges[j])
	}
	question.Marks.Set(x.Assessment, judge.Known(panel))
	value(t, "both", scored(t, "rubric", x), *want.Score)

	// A judge who failed fails the panel: its part of the assessment is failed.
	want.Score = new(float64)
	requiretest.Worked(t, "rubric_judge_failed", &in, &want)
	question.Marks.Set(x.Assessment, judge.Failed[[]judge.Mark](errJudge))
	if s := scored(t, "rubric", x); want.Score != nil || s.State != assay.JudgeError {
		t.Errorf("%+v: want %s", s, assay.JudgeError)
	}
}

func TestGradedWorked(t *testing.T) {
	t.Parallel()
	var in struct{ Grades []int }
	var want map[string]float64
	requiretest.Worked(t, "umbrela_binary", &in, &want)
	x := asked(len(in.Grades))
	var grades []judge.Grade
	for _, g := range in.Grades {
		grades = append(grades, judge.Grade{Known: true, Level: g, Degree: float64(g) / 3})
	}
	question.Relevance.Set(x.Assessment, judge.Known(grades))
	for key, name := range map[string]string{
		"P@4": "graded_precision@4", "RR": "graded_mrr", "ndcg_linear@4": "ndcg_self@4", "ndcg_exp@4": "ndcg_self@4(exponential)",
	} {
		value(t, name, scored(t, name, x), want[key])
	}
}
