package retrieval_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

const maxGrade = 4

// names lists every metric, and the variants that parameters give.
func names() []string {
	var out []string
	for _, d := range retrieval.Defs() {
		switch d.Cutoff {
		case metric.RequiredCutoff:
			out = append(out, d.Name+"@1", d.Name+"@2", d.Name+"@7")
		case metric.OptionalCutoff:
			out = append(out, d.Name, d.Name+"@7")
		default:
			out = append(out, d.Name)
		}
	}
	return append(out, "ndcg@7(exponential)", "rbp(gain=graded)", "map(level=2)", "bpref(level=3)", "set_f(beta=2)",
		"passage_ndcg@3(coverage)")
}

// judgments draws labels for the documents 0 to 19, and a ranking of some.
func judgments(t *rapid.T) (labels map[string]int, ranking []string) {
	labels = rapid.MapOfN(rapid.SampledFrom(ids(20)), rapid.IntRange(-1, maxGrade), 0, 15).Draw(t, "labels")
	ranking = rapid.Permutation(ids(20)).Draw(t, "ranking")
	return labels, ranking[:rapid.IntRange(0, len(ranking)).Draw(t, "length")]
}

func ids(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("d%d", i))
	}
	return out
}

func input(labels map[string]int, ranking []string) metric.Input {
	var passages []assay.Passage
	for _, d := range ranking {
		passages = append(passages, assay.Passage{Document: d})
	}
	in := documents(labels, passages...)
	in.MaxGrade = maxGrade
	return in
}

// TestEveryValueIsInItsRange is for any response whatever, of strange texts
// and names too (properties 1 and 12).
func TestEveryValueIsInItsRange(t *testing.T) {
	t.Parallel()
	strange := rapid.SampledFrom([]string{"", " ", "a", "a/b", "/", "\x00", "\xff\xfe", "　", strings.Repeat("長文", 30),
		strings.Repeat("long text ", 9)})
	passage := rapid.Custom(func(t *rapid.T) assay.Passage {
		return assay.Passage{Document: strange.Draw(t, "document"), Source: strange.Draw(t, "source"), Text: strange.Draw(t, "text"),
			Score: rapid.Float64().Draw(t, "score")}
	})
	rapid.Check(t, func(t *rapid.T) {
		in := metric.Input{
			Case: &assay.Case{Want: assay.Want{
				Documents: rapid.MapOf(strange, rapid.IntRange(-3, 1000)).Draw(t, "documents"),
				Passages:  rapid.SliceOf(strange).Draw(t, "passages"),
				Keywords:  rapid.SliceOf(strange).Draw(t, "keywords"),
			}},
			Response: &assay.Response{Passages: rapid.SliceOf(passage).Draw(t, "response")},
			MaxGrade: rapid.IntRange(1, 1000).Draw(t, "highest grade"),
		}
		for _, name := range names() {
			m, err := catalog.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			s := m.Score(context.Background(), in)
			if s.State != assay.Scored && s.State != assay.NotApplicable {
				t.Fatalf("%s: %v %s", name, s.State, s.Reason)
			}
			if s.Value < 0 || s.Value > 1 || s.Lower > s.Value+1e-12 || s.Upper < s.Value-1e-12 || s.Upper > 1 || math.IsNaN(s.Value) {
				t.Fatalf("%s = %+v", name, s)
			}
		}
	})
}

func TestIdealOrderIsPerfect(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		labels, _ := judgments(t)
		ranking := slices.SortedFunc(maps.Keys(labels), func(a, b string) int { return labels[b] - labels[a] })
		if len(ranking) == 0 || labels[ranking[0]] < 1 {
			return
		}
		for _, name := range []string{"ndcg", "ndcg@3", "ndcg@7(exponential)", "map", "mrr", "r_precision", "bpref", "src_ndcg@5", "src_map"} {
			near(t, name, score(t, name, input(labels, ranking)).Value, 1, 1e-12)
		}
	})
}

func TestAppendingOthersChangesNoRank(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		labels, ranking := judgments(t)
		longer := slices.Concat(ranking, []string{"other 1", "other 2", "other 3"})
		before, after := input(labels, ranking), input(labels, longer)
		for _, name := range []string{"map", "mrr", "bpref", "ndcg", "rbp"} {
			near(t, name, score(t, name, after).Value, score(t, name, before).Value, 1e-12)
		}
		for k := range len(longer) {
			p := fmt.Sprintf("precision@%d", k+1)
			if score(t, p, after).Value > score(t, p, before).Value {
				t.Fatalf("%s rose", p)
			}
			if k < len(ranking) {
				n := fmt.Sprintf("ndcg@%d", k+1)
				near(t, n, score(t, n, after).Value, score(t, n, before).Value, 1e-12)
			}
		}
	})
}

// TestPromotingABetterDocumentNeverHurts is property 2.
func TestPromotingABetterDocumentNeverHurts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		labels, ranking := judgments(t)
		if len(ranking) < 2 {
			return
		}
		i := rapid.IntRange(0, len(ranking)-2).Draw(t, "upper")
		j := rapid.IntRange(i+1, len(ranking)-1).Draw(t, "lower")
		grade := func(d string) int { return max(labels[d], 0) }
		if grade(ranking[j]) <= grade(ranking[i]) {
			return
		}
		better := slices.Clone(ranking)
		better[i], better[j] = better[j], better[i]
		for _, name := range []string{"mrr", "map", "map@5", "ndcg", "ndcg@5(exponential)", "rbp", "rbp(gain=graded)", "err@20", "precision@5",
			"recall@5"} {
			before, after := score(t, name, input(labels, ranking)), score(t, name, input(labels, better))
			if after.Value < before.Value-1e-12 {
				t.Fatalf("%s fell from %v to %v", name, before.Value, after.Value)
			}
		}
	})
}

// TestAgainstPlainDefinitions compares with the definitions written out over
// lists of 0 and 1, without the shortcuts of Ranking.
func TestAgainstPlainDefinitions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		labels, ranking := judgments(t)
		level := rapid.IntRange(1, maxGrade).Draw(t, "level")
		k := rapid.IntRange(1, 25).Draw(t, "k")
		relevant := 0
		for _, g := range labels {
			if g >= level {
				relevant++
			}
		}
		if relevant == 0 {
			return
		}
		hits, ap, rr := 0, 0.0, 0.0
		for i := range min(k, len(ranking)) {
			if labels[ranking[i]] >= level {
				hits++
				ap += float64(hits) / float64(i+1)
				if hits == 1 {
					rr = 1 / float64(i+1)
				}
			}
		}
		for name, want := range map[string]float64{
			"precision": float64(hits) / float64(k), "recall": float64(hits) / float64(relevant), "map": ap / float64(relevant), "mrr": rr,
		} {
			name = fmt.Sprintf("%s@%d(level=%d)", name, k, level)
			near(t, name, score(t, name, input(labels, ranking)).Value, want, 1e-12)
		}
	})
}

// TestBest: the best value of a metric is the best of all rankings, found by trying them.
func TestBest(t *testing.T) {
	t.Parallel()
	all := append(names(), "r_precision(multiple=0.2)", "r_precision(multiple=2)", "r_precision(multiple=2,level=2)", "rbp(p=0.3,level=2)",
		"rbp(gain=graded,level=3)", "err@2(gmax=2)", "precision@2(level=3)", "recall@2(level=2)", "rbp_residual(p=0.5)", "src_precision@2(level=2)",
		"ndcg_at_levels(level=2)", "map@1", "src_map@1", "set_precision(level=2)")
	bounded := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.MapOfN(rapid.SampledFrom(ids(3)), rapid.IntRange(-1, maxGrade), 0, 3).Draw(t, "labels")
		documents := append(slices.Sorted(maps.Keys(labels)), "x", "y")
		for _, name := range all {
			m, err := catalog.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			best := retrieval.Best(name)
			if (best != nil) != (m.Def.Needs == metric.NeedDocuments) {
				t.Fatalf("%s: bounded by labels of documents: %v", name, best != nil)
			}
			if best == nil {
				continue
			}
			got, known := best(labels, maxGrade)
			lower := m.Def.Better == metric.Lower
			want, any := 0.0, false
			each(nil, documents, func(ranking []string) {
				if s := m.Score(context.Background(), input(labels, ranking)); s.State == assay.Scored && (!any || s.Value > want == !lower) {
					want, any = s.Value, true
				}
			})
			if known != any || math.Abs(got-want) > 1e-9 {
				t.Fatalf("%s of %v: %v %v, the best of all rankings is %v %v", name, labels, got, known, want, any)
			}
			if known && (lower && want > m.Def.Range[0] || !lower && want < m.Def.Range[1]) {
				bounded[m.Def.Name] = true
			}
		}
	})
	for _, name := range []string{"precision", "recall", "map", "src_recall", "src_map", "rbp", "rbp_residual", "err", "r_precision"} {
		if !bounded[name] {
			t.Errorf("%s has no bound by labels", name)
		}
	}
}

// each calls do with every ranking that begins with some documents and goes on with others.
func each(ranking, others []string, do func([]string)) {
	do(ranking)
	for i, d := range others {
		each(append(slices.Clip(ranking), d), slices.Concat(others[:i], others[i+1:]), do)
	}
}
