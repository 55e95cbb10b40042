package check_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/check"
)

var documents = []assay.Document{
	{ID: "fares.txt", Text: "A single from Harbour to Isle costs 12 crowns. All rights reserved by the company."},
	{ID: "bikes.txt", Text: "Bicycles travel free on weekdays before noon. All rights reserved by the company."},
	{ID: "dogs.txt", Text: "Dogs travel on the outer deck, on a lead. All rights reserved by the company."},
	{ID: "food.txt", Text: "The galley serves soup from eleven to three."},
}

func docs(ids ...string) assay.Want {
	w := assay.Want{Documents: map[string]int{}}
	for _, id := range ids {
		w.Documents[id] = 1
	}
	return w
}

func run(t *testing.T, in check.Input) *check.Report {
	t.Helper()
	r, err := check.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// said gives the findings of a check as "severity case: text".
func said(r *check.Report, name string) []string {
	var out []string
	for _, f := range r.Findings {
		if f.Check == name {
			out = append(out, string(f.Severity)+" "+strings.Join(f.Cases, "+")+": "+f.Says)
		}
	}
	return out
}

func no() *bool { b := false; return &b }

func TestFindings(t *testing.T) {
	t.Parallel()
	passages := func(ids ...string) []assay.Passage {
		var out []assay.Passage
		for _, id := range ids {
			out = append(out, assay.Passage{Document: id, Source: "corpus/" + id})
		}
		return out
	}
	for name, test := range map[string]struct {
		check string
		in    check.Input
		want  []string
	}{
		"the same but for case and punctuation": {"duplicate", check.Input{Cases: []assay.Case{
			{ID: "a", Question: "What does a single cost?", Want: docs("x")},
			{ID: "b", Question: "what does a  SINGLE cost", Want: docs("x")},
			{ID: "c", Question: "What does a return cost?", Want: docs("x")},
		}}, []string{`wrong b+a: repeats the question of "a"`}},
		"the same with another answer": {"duplicate", check.Input{Cases: []assay.Case{
			{ID: "a", Question: "How much?", Want: assay.Want{Answers: []string{"12"}}},
			{ID: "b", Question: "How much?", Want: assay.Want{Answers: []string{"13"}}},
		}}, []string{`wrong b+a: repeats the question of "a" with different answers`}},
		"the same words in two recordings": {"duplicate", check.Input{Cases: []assay.Case{
			{ID: "a", Question: "How much?", Audio: "1.wav"}, {ID: "b", Question: "How much?", Audio: "2.wav"},
		}}, nil},
		"no label": {"vacuous", check.Input{Cases: []assay.Case{{ID: "a", Question: "Why?"}}},
			[]string{"wrong a: no labels, so only metrics without labels apply: expected an answer, documents, passages or keywords"}},
		"unanswerable is a label": {
			"vacuous",
			check.Input{Cases: []assay.Case{{ID: "a", Question: "Why?", Want: assay.Want{Answerable: no()}}}},
			nil,
		},
		"unanswerable with an answer": {"vacuous", check.Input{Cases: []assay.Case{{
			ID:       "a",
			Question: "Why?",
			Want:     assay.Want{Answerable: no(), Documents: map[string]int{"x": 1}},
		}}},
			[]string{"wrong a: labelled unanswerable, but has documents or passages that answer it: expected one or the other"}},
		"judged, none relevant": {"vacuous", check.Input{Cases: []assay.Case{{
			ID:       "a",
			Question: "Why?",
			Want:     assay.Want{Documents: map[string]int{"x": 0}},
		}}},
			[]string{"wrong a: none of its judged documents is relevant, so no retriever can find any: expected a relevant document, or answerable: false"}},
		"half of the corpus": {"vacuous", check.Input{
			Documents: documents,
			Cases: []assay.Case{
				{ID: "a", Question: "Why?", Want: docs("fares.txt", "bikes.txt")},
				{ID: "b", Question: "Who?", Want: docs("fares.txt")},
			},
		},
			[]string{"wrong a: 2 of the 4 documents of the corpus are relevant: random retrieval finds some"}},
		"keywords in the question": {"vacuous", check.Input{Cases: []assay.Case{
			{ID: "a", Question: "Is a bicycle free?", Want: assay.Want{Keywords: []string{"bicycle|bike", "free"}}},
			{ID: "b", Question: "Is a bicycle free?!", Want: assay.Want{Keywords: []string{"bicycle", "weekdays"}}},
		}}, []string{"wrong a: the question contains all of its keywords (bicycle|bike, free): an answer that repeats it passes"}},
		"the answer in the question": {"vacuous", check.Input{Cases: []assay.Case{
			{
				ID:       "a",
				Question: "Is it true that dogs travel on the outer deck?",
				Want:     assay.Want{Answers: []string{"Dogs travel on the outer deck"}},
			},
			{ID: "b", Question: "Was it 2024?", Want: assay.Want{Answers: []string{"2024"}}},
		}}, []string{`wrong a: the question contains its answer "Dogs travel on the outer deck"`}},
		"one answer for most": {"vacuous", check.Input{Cases: many(12, func(i int) assay.Case {
			answer := "yes"
			if i >= 7 {
				answer = string(rune('a' + i))
			}
			return assay.Case{Want: assay.Want{Answers: []string{answer}}}
		})}, []string{`doubtful c0+c1+c2+c3+c4+c5+c6: 7 of 12 cases have the answer "yes": a system that always gives it is right as often`}},
		"a document that is not there": {"missing-document", check.Input{Documents: documents, Cases: []assay.Case{
			{
				ID:       "a",
				Question: "Why?",
				Want:     docs("Fares.txt", "bikes.txt"),
			}, {ID: "b", Question: "Who?", Want: assay.Want{Documents: map[string]int{"gone": 0}}},
		}}, []string{`wrong a: the expected document "Fares.txt" is not in the corpus: did you mean "fares.txt"?`}},
		"a passage that is not there": {"missing-passage", check.Input{Documents: documents, Cases: []assay.Case{
			{ID: "a", Question: "Why?", Want: assay.Want{Passages: []string{"Bicycles travel free on weekdays", "Horses travel in the hold below"}}},
		}}, []string{`wrong a: no document contains the passage "Horses travel in the hold below"`}},
		"boilerplate": {"boilerplate", check.Input{Documents: documents, Cases: []assay.Case{
			{
				ID:       "a",
				Question: "Why?",
				Want:     assay.Want{Passages: []string{"All rights reserved by the company.", "The galley serves soup from eleven"}},
			},
		}}, []string{`wrong a: the passage "All rights reserved by the company." is in 3 of 4 documents`}},
		"a reference that declines": {"label", check.Input{Cases: []assay.Case{
			{ID: "a", Question: "Who owns the pier?", Want: assay.Want{Answers: []string{"The context does not contain this information."}}},
			{ID: "b", Question: "Who owns the tram?", Want: assay.Want{Answers: []string{"I don't know."}, Answerable: no()}},
			{ID: "c", Question: "What is the song called?", Want: assay.Want{Answers: []string{"Unknown"}}},
		}}, []string{`doubtful a: the reference answer "The context does not contain this information." says that there is no answer: ` +
			`expected answerable: false, or answerable: true if it is the answer`}},
		"the passage of another document": {"label", check.Input{Documents: documents, Cases: []assay.Case{
			{
				ID:       "a",
				Question: "Why?",
				Want:     assay.Want{Documents: map[string]int{"fares.txt": 1}, Passages: []string{"Bicycles travel free on weekdays"}},
			},
		}}, []string{`doubtful a: the passage "Bicycles travel free on weekdays" is in "bikes.txt" and in no expected document: expected that document among the expected ones`}},
		"the keywords of another document": {"label", check.Input{Documents: documents, Cases: []assay.Case{
			{ID: "a", Question: "Why?", Want: assay.Want{Documents: map[string]int{"fares.txt": 1}, Keywords: []string{"soup", "eleven"}}},
			{ID: "b", Question: "Who?", Want: assay.Want{Documents: map[string]int{"fares.txt": 1}, Keywords: []string{"soup", "crowns"}}},
		}}, []string{`doubtful a: no expected document contains any of the keywords (soup, eleven), and "food.txt" contains them all: is that the right document?`}},
		"retrievers agree on another": {"label", check.Input{
			Cases: []assay.Case{{ID: "a", Question: "Why?", Want: docs("fares.txt")}, {ID: "b", Question: "Who?", Want: docs("fares.txt")}},
			Rankings: []check.Ranking{
				{Name: "one", Passages: map[string][]assay.Passage{"a": passages("bikes.txt", "dogs.txt"), "b": passages("bikes.txt", "fares.txt")}},
				{Name: "two", Passages: map[string][]assay.Passage{"a": passages("bikes.txt", "food.txt"), "b": passages("bikes.txt")}},
			},
		}, []string{`doubtful a: 2 retrievers rank "bikes.txt" first, and none returns an expected document (fares.txt): is the label right?`}},
		"what nobody judged": {"unjudged", check.Input{
			Cases: []assay.Case{
				{ID: "a", Question: "Why?", Want: assay.Want{Documents: map[string]int{"fares.txt": 1, "dogs.txt": 0}}},
				{ID: "b", Question: "Who?", Want: docs("fares.txt")},
			},
			Rankings: []check.Ranking{
				{
					Name: "one",
					Passages: map[string][]assay.Passage{
						"a": passages("dogs.txt", "food.txt", "bikes.txt", "fares.txt"),
						"b": passages("fares.txt", "bikes.txt"),
					},
				},
				{Name: "two", Passages: map[string][]assay.Passage{"a": passages("bikes.txt", "fares.txt", "food.txt")}},
			},
		}, []string{`doubtful a: "bikes.txt", at rank 1 by one and two`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, said(run(t, test.in), test.check)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func many(n int, c func(int) assay.Case) []assay.Case {
	var out []assay.Case
	for i := range n {
		one := c(i)
		one.ID, one.Question = "c"+string(rune('0'+i)), "Question "+strings.Repeat("x", i)+"?"
		out = append(out, one)
	}
	return out
}

// Of five ranks two are judged for a and one of two for b: (0.4 + 0.5)/2. A case
// without judged documents says nothing.
func TestJudgedShare(t *testing.T) {
	t.Parallel()
	names := func(ids ...string) (out []assay.Passage) {
		for _, id := range ids {
			out = append(out, assay.Passage{Document: id})
		}
		return out
	}
	r := run(t, check.Input{
		Depth: 5,
		Cases: []assay.Case{
			{ID: "a", Question: "Why?", Want: docs("1", "2")},
			{ID: "b", Question: "Who?", Want: docs("1")},
			{ID: "c", Question: "How?"},
		},
		Rankings: []check.Ranking{{Name: "one", Passages: map[string][]assay.Passage{
			"a": names("1", "1", "3", "4", "2", "5", "6"), "b": names("1", "9"), "c": names("1"),
		}}},
	})
	if len(r.Judged) != 1 || r.Judged[0].Cases != 2 || r.Judged[0].Share < 0.4499 || r.Judged[0].Share > 0.4501 {
		t.Errorf("judged: %+v, want a share of 0.45 over 2 cases", r.Judged)
	}
}

// embedder gives vectors by the first letter.
type embedder struct{ err error }

func (e embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, s := range texts {
		v := make([]float32, 32)
		v[s[0]%32] = 1
		out = append(out, v)
	}
	return out, e.err
}
func (embedder) Dimensions() int  { return 32 }
func (embedder) Identity() string { return "first letter" }

func TestNearDuplicates(t *testing.T) {
	t.Parallel()
	cases := []assay.Case{
		{ID: "a", Question: "Fares in 2024?"}, {ID: "b", Question: "Fares in 2025?"}, {ID: "c", Question: "For 2024, the fares?"},
		{ID: "d", Question: "fares in 2024"}, {ID: "e", Question: "Dogs?"},
		{ID: "g", Question: "Galley hours?", Group: "galley"}, {ID: "h", Question: "Galley times?", Group: "galley"},
	}
	got := said(run(t, check.Input{Cases: cases, Embedder: embedder{}}), "near-duplicate")
	want := []string{`doubtful c+a: nearly the same question as "a" (cosine 1.00): "Fares in 2024?"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := check.Run(t.Context(), check.Input{
		Cases:    cases,
		Embedder: embedder{errors.New("no vectors")},
	}); err == nil || err.Error() != "no vectors" {
		t.Errorf("error %v, want that of the embedder", err)
	}
}

func TestSkippedChecksAreNamed(t *testing.T) {
	t.Parallel()
	r := run(t, check.Input{Cases: []assay.Case{{ID: "a", Question: "Why?"}}})
	for _, name := range []string{"near-duplicate", "missing-document", "missing-passage", "boilerplate", "unjudged"} {
		if !slices.ContainsFunc(r.Skipped, func(s string) bool { return strings.HasPrefix(s, name+": needs ") }) {
			t.Errorf("%s is not among what was skipped: %q", name, r.Skipped)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := check.Run(ctx, check.Input{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
