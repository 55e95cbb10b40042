package retrieval_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

// elsewhere lists the worked cases of the retrieval section that are about
// reading runs and about means, with the package that tests them.
var elsewhere = map[string]string{"tie_order": "dataset/trec", "agg_missing_query": "metric/treceval"}

// TestWorkedCases computes every worked case of section 1 by the metrics' names.
func TestWorkedCases(t *testing.T) {
	t.Parallel()
	n := 0
	for _, w := range requiretest.WorkedCases(t) {
		if w.Section != "1" || elsewhere[w.ID] != "" {
			continue
		}
		n++
		t.Run(w.ID, func(t *testing.T) {
			compute, ok := workedCases[w.ID]
			if !ok {
				t.Fatalf("no test computes the worked case %q", w.ID)
			}
			compute(t, w)
		})
	}
	if n != len(workedCases) {
		t.Errorf("the file holds %d worked cases, the test %d", n, len(workedCases))
	}
}

// rankedInput is the input of most cases, in its several spellings.
type rankedInput struct {
	Run      [][2]any
	RunOrder []string `json:"run_order"`
	Returned []string
	Qrels    map[string]int
	Relevant []string
	Gmax     int
	Level    int
}

func (in rankedInput) input() metric.Input {
	c, r := &assay.Case{}, &assay.Response{Passages: []assay.Passage{}}
	c.Want.Documents = map[string]int{}
	for _, d := range in.Relevant {
		c.Want.Documents[d] = 1
	}
	for d, g := range in.Qrels {
		c.Want.Documents[d] = g
	}
	for _, pair := range in.Run {
		// The runs of the file are in rank order already.
		r.Passages = append(r.Passages, assay.Passage{Document: pair[0].(string)})
	}
	for _, d := range slices.Concat(in.RunOrder, in.Returned) {
		r.Passages = append(r.Passages, assay.Passage{Document: d})
	}
	return metric.Input{Case: c, Response: r, MaxGrade: max(in.Gmax, 3)}
}

var workedCases = map[string]func(*testing.T, requiretest.WorkedCase){
	"trec_q1":        trec,
	"trec_q1_level2": trec,
	"ndcg_exponential": ranked(map[string]string{
		"@5": "ndcg@5(exponential)", "@10": "ndcg@10(gain=exponential)",
	}),
	"err": ranked(map[string]string{"@5": "err@5(gmax=4)", "@10": "err@10(gmax=4)", "@10_gmax3": "err@10(gmax=3)"}),
	"rbp": func(t *testing.T, w requiretest.WorkedCase) {
		ranked(map[string]string{"binary": "rbp", "graded_gmax3": "rbp(gain=graded,gmax=3)"})(t, w)
		var want map[string]float64
		unmarshal(t, w.Expected, &want)
		var in rankedInput
		unmarshal(t, w.Input, &in)
		s := score(t, "rbp(p=0.8)", in.input())
		near(t, "residual", s.Upper-s.Lower, want["residual"], w.Tol)
		s = score(t, "rbp(p=0.9)", in.input())
		near(t, "residual of 0.9", s.Upper-s.Lower, want["residual_p09"], w.Tol)
	},
	"judged": func(t *testing.T, w requiretest.WorkedCase) {
		ranked(map[string]string{"returned@5": "judged@5", "returned@10": "judged@10"})(t, w)
		var in rankedInput
		unmarshal(t, w.Input, &in)
		// From the note of the case: unj_5 = 2/5, unj_10 = 2/10.
		near(t, "unjudged@5", score(t, "unjudged@5", in.input()).Value, 0.4, w.Tol)
		near(t, "unjudged@10", score(t, "unjudged@10", in.input()).Value, 0.2, w.Tol)
	},
	"short_list_precision": ranked(map[string]string{
		"P@5_trec": "precision@5", "P_returned@5": "precision_returned@5", "R@5": "recall@5", "R_cap@2": "recall_cap@2",
	}),
	// The other denominators of the case are those of other tools.
	"ap_denominators": ranked(map[string]string{"over_R(trec)": "map@5"}),
	"empty_ground_truth": ranked(map[string]string{
		"P@5": "precision@5", "R@5": "recall@5", "nDCG@5": "ndcg@5", "AP": "map", "RR": "mrr",
	}),
	"alpha_ndcg":          alphaNDCG,
	"set_f_beta":          setF,
	"source_level":        sourceLevel,
	"text_containment":    textContainment,
	"passage_coverage":    passageCoverage,
	"passage_credit_once": passageCreditOnce,
	"keyword_recall": func(t *testing.T, w requiretest.WorkedCase) {
		var in struct {
			Text     string
			Keywords []string
		}
		unmarshal(t, w.Input, &in)
		var want float64
		unmarshal(t, w.Expected, &want)
		got := score(t, "keyword_recall", metric.Input{
			Case:     &assay.Case{Want: assay.Want{Keywords: in.Keywords}},
			Response: &assay.Response{Passages: []assay.Passage{{Text: in.Text}}},
		})
		near(t, "keyword_recall", got.Value, want, w.Tol)
	},
}

// ranked compares metrics by name with the expected values that names maps.
func ranked(names map[string]string) func(*testing.T, requiretest.WorkedCase) {
	return func(t *testing.T, w requiretest.WorkedCase) {
		var in rankedInput
		unmarshal(t, w.Input, &in)
		var want map[string]*float64
		unmarshal(t, w.Expected, &want)
		for key, name := range names {
			v, ok := want[key]
			if !ok {
				t.Fatalf("the case has no expected value %q", key)
			}
			got := score(t, name, in.input())
			switch {
			case v == nil && got.State != assay.NotApplicable:
				t.Errorf("%s: state %v, want not applicable", name, got.State)
			case v != nil:
				near(t, name, got.Value, *v, w.Tol)
			}
		}
	}
}

// trec translates the case's own names, such as "P@5", into metrics.
func trec(t *testing.T, w requiretest.WorkedCase) {
	base := map[string]string{
		"P": "precision", "R": "recall", "Success": "hit", "RR": "mrr", "AP": "map", "Rprec": "r_precision", "bpref": "bpref",
		"infAP": "infap", "nDCG": "ndcg", "setP": "set_precision", "setR": "set_recall", "setF1": "set_f",
	}
	var in rankedInput
	unmarshal(t, w.Input, &in)
	var want map[string]float64
	unmarshal(t, w.Expected, &want)
	names := map[string]string{}
	for key := range want {
		name, k, cut := strings.Cut(key, "@")
		m := base[name]
		if m == "" {
			t.Fatalf("no metric for %q", key)
		}
		if cut {
			m += "@" + k
		}
		if in.Level != 1 && name != "nDCG" {
			m += fmt.Sprintf("(level=%d)", in.Level)
		}
		names[key] = m
	}
	ranked(names)(t, w)
}

func alphaNDCG(t *testing.T, w requiretest.WorkedCase) {
	var in struct {
		RunOrder  []string `json:"run_order"`
		Subtopics map[string][]int
		Alpha     float64
		K         int
	}
	unmarshal(t, w.Input, &in)
	var want map[string]float64
	unmarshal(t, w.Expected, &want)
	c := rankedInput{RunOrder: in.RunOrder}.input()
	c.Case.Want.Subtopics = map[string][]string{}
	for d, topics := range in.Subtopics {
		c.Case.Want.Documents[d] = 1
		for _, n := range topics {
			c.Case.Want.Subtopics[d] = append(c.Case.Want.Subtopics[d], fmt.Sprint(n))
		}
	}
	at := fmt.Sprintf("@%d(alpha=%g)", in.K, in.Alpha)
	near(t, "α-nDCG", score(t, "alpha_ndcg"+at, c).Value, want["alpha_ndcg"], w.Tol)
	near(t, "nERR-IA", score(t, "err_ia"+at, c).Value, want["nerr_ia"], w.Tol)
	near(t, "subtopic recall", score(t, fmt.Sprintf("subtopic_recall@%d", in.K), c).Value, want["strec"], w.Tol)
}

func setF(t *testing.T, w requiretest.WorkedCase) {
	var in struct {
		Retrieved, Relevant []string
		Beta                float64
	}
	unmarshal(t, w.Input, &in)
	var want map[string]float64
	unmarshal(t, w.Expected, &want)
	got := score(t, fmt.Sprintf("set_f(beta=%g)", in.Beta), rankedInput{RunOrder: in.Retrieved, Relevant: in.Relevant}.input())
	near(t, "set_f", got.Value, want["f_beta2"], w.Tol)
	r := retrieval.Ranking{Grades: []int{1, 1, 0, 0}, Judged: []int{1, 1, 1}}
	near(t, "set_F.2", r.SetF(in.Beta, 1), want["trec set_F.2 (x=beta^2)"], w.Tol)
}

func sourceLevel(t *testing.T, w requiretest.WorkedCase) {
	var in struct {
		Chunks    [][2]string
		GTSources []string `json:"gt_sources"`
	}
	unmarshal(t, w.Input, &in)
	var want map[string]any
	unmarshal(t, w.Expected, &want)
	c := &assay.Case{Want: assay.Want{Documents: map[string]int{}}}
	for _, s := range in.GTSources {
		c.Want.Documents[s] = 1
	}
	r := &assay.Response{}
	for _, chunk := range in.Chunks {
		r.Passages = append(r.Passages, assay.Passage{ID: chunk[1], Source: chunk[0]})
	}
	for key, name := range map[string]string{
		"src_recall@3chunks": "src_recall@3", "src_precision@3chunks": "src_precision@3", "src_recall@5chunks": "src_recall@5",
		"src_rr": "src_mrr", "src_ndcg@3sources": "src_ndcg@3",
		// Recall at sources is that of documents, since the chunks name none.
		"src_recall@3sources": "recall@3",
	} {
		near(t, name, score(t, name, metric.Input{Case: c, Response: r, MaxGrade: 1}).Value, want[key].(float64), w.Tol)
	}
}

func textContainment(t *testing.T, w requiretest.WorkedCase) {
	var in struct {
		Pairs  [][2]string
		MinLen int `json:"min_len"`
	}
	unmarshal(t, w.Input, &in)
	var want []bool
	unmarshal(t, w.Expected, &want)
	for i, pair := range in.Pairs {
		name := fmt.Sprintf("passage_hit@1(min_len=%d)", in.MinLen)
		got := score(t, name, texts([]string{pair[0]}, pair[1]))
		if (got.Value == 1) != want[i] {
			t.Errorf("%q in %q: %v, want %v", pair[0], pair[1], got.Value, want[i])
		}
		// Which of the two is the chunk does not matter.
		if turned := score(t, name, texts([]string{pair[1]}, pair[0])); turned.Value != got.Value {
			t.Errorf("%q and %q: %v one way, %v the other", pair[0], pair[1], got.Value, turned.Value)
		}
	}
}

func passageCoverage(t *testing.T, w requiretest.WorkedCase) {
	var in struct {
		Passage string
		Chunks  []string
		Block   int
	}
	unmarshal(t, w.Input, &in)
	var want float64
	unmarshal(t, w.Expected, &want)
	name := fmt.Sprintf("passage_coverage@5(min_len=%d)", in.Block)
	near(t, name, score(t, name, texts([]string{in.Passage}, in.Chunks...)).Value, want, w.Tol)
}

func passageCreditOnce(t *testing.T, w requiretest.WorkedCase) {
	var in struct {
		Match [][]int
		NGT   int `json:"n_gt"`
		K     int
	}
	unmarshal(t, w.Input, &in)
	var want struct {
		NDCG, Recall float64
		Precision    float64 `json:"precision_any_match"`
	}
	unmarshal(t, w.Expected, &want)
	passage := func(n int) string { return strings.Repeat(fmt.Sprintf("passage number %d. ", n), 3) }
	var gt, chunks []string
	for n := range in.NGT {
		gt = append(gt, passage(n+1))
	}
	for i, of := range in.Match {
		chunk := fmt.Sprintf("chunk %d, ", i)
		for _, n := range of {
			chunk += passage(n)
		}
		chunks = append(chunks, chunk)
	}
	k := fmt.Sprintf("@%d", in.K)
	near(t, "ndcg", score(t, "passage_ndcg"+k, texts(gt, chunks...)).Value, want.NDCG, w.Tol)
	near(t, "recall", score(t, "passage_recall"+k, texts(gt, chunks...)).Value, want.Recall, w.Tol)
	near(t, "precision", score(t, "passage_precision"+k, texts(gt, chunks...)).Value, want.Precision, w.Tol)
}

// texts is the input of a case with reference passages.
func texts(want []string, chunks ...string) metric.Input {
	r := &assay.Response{Passages: []assay.Passage{}}
	for _, c := range chunks {
		r.Passages = append(r.Passages, assay.Passage{Text: c})
	}
	return metric.Input{Case: &assay.Case{Want: assay.Want{Passages: want}}, Response: r, MaxGrade: 1}
}

var catalog = metric.NewCatalog(retrieval.Defs()...)

func score(t tester, name string, in metric.Input) assay.Score {
	t.Helper()
	m, err := catalog.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.Score(context.Background(), in)
}

func near(t tester, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func unmarshal(t testing.TB, data json.RawMessage, v any) {
	t.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// tester is what *testing.T and *rapid.T share.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}
