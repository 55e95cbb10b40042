package retrieval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/retrieval"
)

func documents(want map[string]int, passages ...assay.Passage) metric.Input {
	if passages == nil {
		passages = []assay.Passage{}
	}
	return metric.Input{
		Case:     &assay.Case{Want: assay.Want{Documents: want}},
		Response: &assay.Response{Passages: passages}, MaxGrade: 1,
	}
}

func TestLabelsMatchPassages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		labels  map[string]int
		passage assay.Passage
		hit     bool
	}{
		{"the document", map[string]int{"d1": 1}, assay.Passage{Document: "d1"}, true},
		{"the source", map[string]int{"docs/a.md": 1}, assay.Passage{Document: "17", Source: "docs/a.md"}, true},
		{"the source's last element", map[string]int{"a.md": 1}, assay.Passage{Source: "docs/a.md"}, true},
		{"the document's last element", map[string]int{"a.md": 1}, assay.Passage{Document: "docs/a.md"}, true},
		{"a backslash separates too", map[string]int{"a.md": 1}, assay.Passage{Source: `docs\a.md`}, true},
		{"a path is not matched by its end", map[string]int{"docs/a.md": 1}, assay.Passage{Source: "old/docs/a.md"}, false},
		{"another case of letters is another name", map[string]int{"A.md": 1}, assay.Passage{Source: "a.md"}, false},
		{"the chunk's own id", map[string]int{"c1": 1}, assay.Passage{ID: "c1"}, true},
		{"what the chunk's id begins with", map[string]int{"d1": 1}, assay.Passage{ID: "d1#3"}, true},
		{"but not within a name", map[string]int{"d1": 1}, assay.Passage{ID: "d10"}, false},
		{"an empty label matches nothing", map[string]int{"": 1}, assay.Passage{Text: "x"}, false},
		{"a folder has no last element", map[string]int{"": 1}, assay.Passage{Source: "docs/"}, false},
	} {
		if got := score(t, "hit@1", documents(c.labels, c.passage)); (got.Value == 1) != c.hit {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestTheDocumentOfTheQuestionIsNoResult(t *testing.T) {
	t.Parallel()
	in := documents(map[string]int{"c": 1}, assay.Passage{Document: "q7"}, assay.Passage{Document: "c"})
	in.Case.ID = "q7"
	near(t, "mrr", score(t, "mrr", in).Value, 0.5, 0)
	in.Case.Want.OwnText = true
	got := score(t, "mrr", in)
	near(t, "mrr", got.Value, 1, 0)
	if got.Reason != "1 passage with the id of the query left out" {
		t.Errorf("reason %q", got.Reason)
	}
	repeated := in.Case.Repeated(1)
	in.Case = &repeated
	near(t, "mrr of the second draw", score(t, "mrr", in).Value, 1, 0)
}

func TestDuplicatesKeepTheirFirstRank(t *testing.T) {
	t.Parallel()
	// a a b a c: the ranking is a b c, so that c has rank 3 and RR is 1/3.
	in := documents(map[string]int{"c": 1},
		assay.Passage{Document: "a"}, assay.Passage{Document: "a"}, assay.Passage{Document: "b"},
		assay.Passage{Document: "a"}, assay.Passage{Document: "c"})
	got := score(t, "mrr", in)
	near(t, "mrr", got.Value, 1.0/3, 1e-12)
	if got.Reason != "2 passages of documents seen before were left out" {
		t.Errorf("reason %q", got.Reason)
	}
	in.Response.Passages = in.Response.Passages[:2]
	if got := score(t, "mrr", in); got.Reason != "1 passage of a document seen before was left out" {
		t.Errorf("reason %q", got.Reason)
	}
	if got := score(t, "src_mrr", in); got.Reason != "1 passage of a source seen before was left out" {
		t.Errorf("reason %q", got.Reason)
	}
	in.Response.Passages = in.Response.Passages[:5]
	// What does not apply has its reason, and no note.
	none := documents(map[string]int{"c": 0}, in.Response.Passages...)
	if got := score(t, "mrr", none); got.State != assay.NotApplicable || got.Reason != "no document is judged relevant" {
		t.Errorf("%+v", got)
	}
	// A set of sources says nothing of duplicates: chunks of one file are usual.
	if got := score(t, "src_recall@4", in); got.Value != 0 || got.Reason != "" {
		t.Errorf("src_recall@4 = %+v", got)
	}
	near(t, "src_precision@5", score(t, "src_precision@5", in).Value, 1.0/3, 1e-12)
}

func TestOneLabelIsCreditedOnce(t *testing.T) {
	t.Parallel()
	// Both files have the last element a.md: the second is a repetition.
	in := documents(map[string]int{"a.md": 1, "b.md": 1}, assay.Passage{Source: "x/a.md"}, assay.Passage{Source: "y/a.md"})
	near(t, "recall@2", score(t, "recall@2", in).Value, 0.5, 0)
	near(t, "precision@2", score(t, "precision@2", in).Value, 0.5, 0)
}

func TestPassagesWithoutADocumentKeepTheirRank(t *testing.T) {
	t.Parallel()
	in := documents(map[string]int{"a": 1}, assay.Passage{Text: "x"}, assay.Passage{Text: "x"}, assay.Passage{Document: "a"})
	got := score(t, "mrr", in)
	near(t, "mrr", got.Value, 1.0/3, 1e-12)
	if got.Reason != "2 passages name no document" {
		t.Errorf("reason %q", got.Reason)
	}
	near(t, "src_precision@3", score(t, "src_precision@3", in).Value, 1, 0)
}

func TestMissingDocumentsAreEvidence(t *testing.T) {
	t.Parallel()
	in := documents(map[string]int{"b": 1, "a": 2, "c": 1, "no": 0}, assay.Passage{Document: "x"}, assay.Passage{Document: "c"})
	want := []assay.Evidence{{Kind: "missing", Text: "a"}, {Kind: "missing", Text: "b"}, {Kind: "missing", Text: "c"}}
	if d := cmp.Diff(want, score(t, "recall@1", in).Evidence); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want[:2], score(t, "src_recall@2", in).Evidence); d != "" {
		t.Error(d)
	}
}

func TestEdges(t *testing.T) {
	t.Parallel()
	none := documents(map[string]int{"a": 0})
	nothing := documents(map[string]int{"a": 1})
	for name, want := range map[string][2]float64{ // −1 stands for not applicable
		"precision@5": {0, 0}, "precision_returned@5": {-1, -1}, "recall@5": {-1, 0}, "recall_cap@5": {-1, 0}, "hit@5": {-1, 0},
		"mrr": {-1, 0}, "mrr@3": {-1, 0}, "map": {-1, 0}, "map@3": {-1, 0}, "ndcg": {-1, 0}, "ndcg@3(exponential)": {-1, 0},
		"r_precision": {-1, 0}, "bpref": {-1, 0}, "infap": {-1, 0}, "rbp": {0, 0}, "err@5": {0, 0}, "judged@5": {-1, -1},
		"unjudged@5": {0, 0}, "set_precision": {-1, -1}, "set_recall": {-1, 0}, "set_f": {-1, -1},
		"src_recall@5": {-1, 0}, "src_hit@5": {-1, 0}, "src_precision@5": {-1, -1}, "src_mrr": {-1, 0}, "src_ndcg@5": {-1, 0}, "src_map": {-1, 0},
	} {
		for i, in := range []metric.Input{none, nothing} {
			got := score(t, name, in)
			if want[i] < 0 && got.State != assay.NotApplicable || want[i] >= 0 && (got.State != assay.Scored || got.Value != want[i]) {
				t.Errorf("%s of %s: %v %v, want %v", name, []string{"no relevant document", "an empty list"}[i], got.State, got.Value, want[i])
			}
			if got.State == assay.NotApplicable && got.Reason == "" {
				t.Errorf("%s: no reason", name)
			}
		}
	}
}

func TestRBPBounds(t *testing.T) {
	t.Parallel()
	// p = 0.8, relevant, unjudged: RBP = 0.2; the unjudged one could add
	// 0.2·0.8 = 0.16 and what was not returned 0.8² = 0.64.
	got := score(t, "rbp", documents(map[string]int{"a": 1}, assay.Passage{Document: "a"}, assay.Passage{Document: "b"}))
	near(t, "value", got.Value, 0.2, 1e-12)
	near(t, "lower", got.Lower, 0.2, 1e-12)
	near(t, "upper", got.Upper, 1, 1e-12)
	got = score(t, "rbp", documents(map[string]int{"a": 1, "b": 0}, assay.Passage{Document: "a"}, assay.Passage{Document: "b"}))
	near(t, "upper of judged", got.Upper, 0.84, 1e-12)
}

func TestGradesAboveTheScale(t *testing.T) {
	t.Parallel()
	in := documents(map[string]int{"a": 900}, assay.Passage{Document: "a"})
	// One document of the highest grade: (2^2 − 1)/2^2.
	near(t, "err", score(t, "err@5(gmax=2)", in).Value, 0.75, 1e-12)
	near(t, "rbp", score(t, "rbp(gain=graded,gmax=2)", in).Value, 0.2, 1e-12)
	in.MaxGrade = 900
	near(t, "err of 900", score(t, "err@5", in).Value, 1, 1e-12)
	near(t, "ndcg of 900", score(t, "ndcg@5(exponential)", in).Value, 1, 1e-12)
}

func TestPassageMatching(t *testing.T) {
	t.Parallel()
	const passage = "the quick brown fox jumps over the lazy dog and"
	// The chunk holds the last 31 of the passage's 47 runes: a miss for
	// containment, and at least half of it for the tolerant match.
	in := texts([]string{passage}, "nothing", "fox jumps over the lazy dog and runs away")
	near(t, "contain", score(t, "passage_mrr", in).Value, 0, 0)
	near(t, "coverage", score(t, "passage_mrr(match=coverage)", in).Value, 0.5, 0)
	// One rank can hold one new passage, however many there are.
	near(t, "ndcg@1", score(t, "passage_ndcg@1", texts([]string{passage, "another passage of some length"}, passage)).Value, 1, 0)
	near(t, "coverage within 1", score(t, "passage_mrr@1(coverage)", in).Value, 0, 0)

	got := score(t, "passage_recall@5", texts([]string{"short", passage}, passage))
	near(t, "recall", got.Value, 0.5, 0)
	if got.Reason != "1 reference passage is too short to match" {
		t.Errorf("reason %q", got.Reason)
	}
	if d := cmp.Diff([]assay.Evidence{{Kind: "missing", Text: "short"}}, got.Evidence); d != "" {
		t.Error(d)
	}
	// 13 runes of Chinese match by default, and the length is recorded.
	got = score(t, "passage_recall@5",
		texts([]string{"香港天文台發出黃色暴雨警告"}, "今日香港天文台發出黃色暴雨警告信號"))
	near(t, "Chinese", got.Value, 1, 0)
	if got.Reason != "min_len is 10 for 1 reference passage that is mostly Chinese, Japanese or Korean" {
		t.Errorf("reason %q", got.Reason)
	}
	got = score(t, "passage_recall@5(min_len=20)",
		texts([]string{"香港天文台發出黃色暴雨警告"}, "今日香港天文台發出黃色暴雨警告信號"))
	near(t, "Chinese at 20", got.Value, 0, 0)
}

func TestTextsThatAreAbsent(t *testing.T) {
	t.Parallel()
	ids := metric.Input{
		Case:     &assay.Case{Want: assay.Want{Passages: []string{strings.Repeat("x", 30)}, Keywords: []string{"x"}}},
		Response: &assay.Response{Passages: []assay.Passage{{Document: "a"}}},
	}
	empty := ids
	empty.Response = &assay.Response{Passages: []assay.Passage{}}
	unlabelled := ids
	unlabelled.Case = &assay.Case{Want: assay.Want{Passages: []string{}, Keywords: []string{}}}
	for _, name := range []string{"passage_recall@3", "passage_ndcg", "passage_coverage@3", "keyword_recall"} {
		if got := score(t, name, ids); got.State != assay.NotApplicable || got.Reason == "" {
			t.Errorf("%s of passages without text: %+v", name, got)
		}
		if got := score(t, name, empty); got.State != assay.Scored || got.Value != 0 {
			t.Errorf("%s of nothing: %+v", name, got)
		}
		if got := score(t, name, unlabelled); got.State != assay.NotApplicable {
			t.Errorf("%s without labels: %+v", name, got)
		}
	}
}

func TestKeywordRecallCutsAndExplains(t *testing.T) {
	t.Parallel()
	in := metric.Input{
		Case:     &assay.Case{Want: assay.Want{Keywords: []string{"fare|price", "June", "gone"}}},
		Response: &assay.Response{Passages: []assay.Passage{{Text: "The PRICE rose"}, {Text: "in June"}}},
	}
	near(t, "all", score(t, "keyword_recall", in).Value, 2.0/3, 1e-12)
	got := score(t, "keyword_recall@1", in)
	near(t, "first", got.Value, 1.0/3, 1e-12)
	if d := cmp.Diff([]assay.Evidence{{Kind: "missing", Text: "June"}, {Kind: "missing", Text: "gone"}}, got.Evidence); d != "" {
		t.Error(d)
	}
}

func TestSubtopics(t *testing.T) {
	t.Parallel()
	in := documents(map[string]int{"a": 1, "b": 1}, assay.Passage{Document: "a"}, assay.Passage{Document: "a"}, assay.Passage{Document: "b"})
	for _, name := range []string{"alpha_ndcg", "err_ia", "subtopic_recall@1"} {
		if got := score(t, name, in); got.State != assay.NotApplicable || got.Reason != "no document is labelled with a subtopic" {
			t.Errorf("%s without subtopics: %+v", name, got)
		}
	}
	// A document that comes again is left out, so that b has rank 2.
	in.Case.Want.Subtopics = map[string][]string{"a": {"1"}, "b": {"2"}}
	near(t, "alpha_ndcg", score(t, "alpha_ndcg", in).Value, 1, 1e-12)
	near(t, "subtopic_recall@1", score(t, "subtopic_recall@1", in).Value, 0.5, 0)
	// With alpha = 1 the second document of a subtopic is worth nothing: of the
	// ideal 1 + 1/log2(3) the ranking has the first term.
	in.Case.Want.Subtopics["b"] = []string{"1"}
	in.Case.Want.Subtopics["c"] = []string{"2"}
	near(t, "alpha_ndcg(alpha=1)", score(t, "alpha_ndcg(alpha=1)", in).Value, 1/(1+1/math.Log2(3)), 1e-12)
}

func TestFormulaOf(t *testing.T) {
	t.Parallel()
	m, err := catalog.Parse("precision@2")
	if err != nil {
		t.Fatal(err)
	}
	f, ok := retrieval.FormulaOf(m)
	if !ok {
		t.Fatal("precision has no formula")
	}
	near(t, "precision@2", f(&retrieval.Ranking{Grades: []int{1, 0}, Judged: []int{1, 0}}).Value, 0.5, 0)
	m, err = catalog.Parse("src_recall@2")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := retrieval.FormulaOf(m); ok {
		t.Error("src_recall has a formula of documents")
	}
}
