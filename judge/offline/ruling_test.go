package offline_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/offline"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/rag/embed"
)

// both gives the judge with MiniLM and without an embedder.
func both(t *testing.T) map[string]*offline.Judge {
	t.Helper()
	m, err := embed.New("minilm")
	must(t, err)
	return map[string]*offline.Judge{"minilm": offline.New(embed.Memo(m)), "words": offline.New(assay.Embedder(nil))}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	passages := []judge.Source{
		{Name: "passage 1", Text: "The Star Ferry was founded in 1888. A ride costs 5 dollars. Dogs are not allowed on board."},
		{Name: "passage 2", Text: "Trams run on Hong Kong Island. They were opened in 1904."},
		{Name: "passage 3", Text: "渡輪服務由天星小輪營運，成人票價為五元。長者可免費乘搭。"},
	}
	for _, tc := range []struct {
		claim string
		want  judge.Verdict
		// source is the one quoted, -1 for none.
		source int
	}{
		{"The Star Ferry was founded in 1888.", judge.Supported, 0},
		{"A ride on the ferry costs 5 dollars.", judge.Supported, 0},
		{"The Star Ferry was founded in 1898.", judge.Contradicted, 0},
		{"Dogs are allowed on board.", judge.Contradicted, 0},
		{"Dogs are not allowed on board.", judge.Supported, 0},
		{"Trams were opened in 1904.", judge.Supported, 1},
		{"Whales sing in the ocean at night.", judge.NotFound, -1},
		{"The ferry company employs 300 people.", judge.NotFound, -1},
		{"成人票價為五元。", judge.Supported, 2},
		{"成人票价为五元。", judge.Supported, 2}, // simplified, of a traditional passage
		{"長者不可免費乘搭。", judge.Contradicted, 2},
		{"巴士每十分鐘一班。", judge.NotFound, -1},
	} {
		for name, j := range both(t) {
			f, err := question.Support.Ask(
				context.Background(), j, judge.Subject{Question: "q"}, question.SupportInput{
					Claims: []judge.Claim{{Text: tc.claim}}, Sources: passages,
				},
			)
			must(t, err)
			if f[0].Verdict != tc.want {
				t.Errorf("%s: %q: %v at %.2f (%s), want %v", name, tc.claim, f[0].Verdict, f[0].Degree, f[0].Why, tc.want)
			}
			switch {
			case tc.source < 0 && f[0].Quotes != nil:
				t.Errorf("%s: %q: quotes %+v, want none", name, tc.claim, f[0].Quotes)
			case tc.source >= 0 && (len(f[0].Quotes) == 0 || f[0].Quotes[0].Source != tc.source || !f[0].Quotes[0].Alone):
				t.Errorf("%s: %q: quotes %+v, want source %d alone", name, tc.claim, f[0].Quotes, tc.source)
			}
			if f[0].Singly != (tc.want == judge.Supported) {
				t.Errorf("%s: %q: it says of each source whether it suffices: %v", name, tc.claim, f[0].Singly)
			}
		}
	}
}

// TestWithin wants a claim to be held against the sources it names alone.
func TestWithin(t *testing.T) {
	t.Parallel()
	sources := []judge.Source{{Text: "A ride costs 5 dollars."}, {Text: "Trams run on the island."}}
	for name, j := range both(t) {
		f, err := question.Support.Ask(
			context.Background(), j, judge.Subject{}, question.SupportInput{
				Claims: []judge.Claim{
					{Text: "A ride costs 5 dollars.", Within: []int{1}}, {Text: "A ride costs 5 dollars.", Within: []int{0}},
					{Text: "A ride costs 5 dollars.", Within: []int{}},
				},
				Sources: sources,
			},
		)
		must(t, err)
		if f[0].Verdict == judge.Supported || f[1].Verdict != judge.Supported || f[2].Verdict != judge.NotFound {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestRelevance(t *testing.T) {
	t.Parallel()
	passages := []judge.Source{{Text: "Trams run on Hong Kong Island every five minutes."},
		{Text: "The Star Ferry is old. A ride on the Star Ferry costs 5 dollars on weekdays."}, {Text: ""}}
	for name, j := range both(t) {
		g, err := question.Grade.Ask(context.Background(), j, judge.Subject{Question: "How much does a ride on the Star Ferry cost?"}, passages)
		must(t, err)
		if !(g[1].Degree > g[0].Degree) || g[2].Degree != 0 || !strings.Contains(g[1].Quote, "5 dollars") || g[1].Level < 2 {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

func TestEquivalent(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		answer string
		refs   []string
		want   bool
	}{
		{"Paris", []string{"Paris"}, true},
		{"The capital of France is Paris.", []string{"Lyon", "Paris"}, true},
		{"The capital of France is Lyon.", []string{"Paris"}, false},
		{"What is the capital of France?", []string{"Paris"}, false},
		{"I don't know whether it is Paris.", []string{"Paris"}, false},
		{":", []string{"Paris"}, false},
		{"In 1889", []string{"1889"}, true},
		{"In 1898", []string{"1889"}, false},
		{"首都是巴黎", []string{"巴黎"}, true},
		{"As stated in the reference", []string{"Paris"}, false},
	} {
		for name, j := range both(t) {
			r, err := question.Compare.Ask(
				context.Background(), j, judge.Subject{
					Question: "What is the capital of France?",
				}, question.CompareInput{Answer: tc.answer, References: tc.refs},
			)
			must(t, err)
			if r.Holds != tc.want {
				t.Errorf("%s: %q for %q: %v at %.2f", name, tc.answer, tc.refs, r.Holds, r.Degree)
			}
		}
	}
}

func TestAssign(t *testing.T) {
	t.Parallel()
	points := []string{"A ride costs 5 dollars.", "Dogs may not board.", "Children travel free."}
	a, err := question.Assign.Ask(
		context.Background(), offline.New(nil), judge.Subject{Question: "What does a ride cost?"}, question.AssignInput{
			Points: points, Answer: "It costs 5 dollars, and children travel free.",
		},
	)
	must(t, err)
	// Of the first point "5" and "dollar" are beyond the question, and both are
	// said; of the second nothing; of the third everything.
	for i, want := range []float64{1, 0, 1} {
		if a[i].Credit != want {
			t.Errorf("%q: %v, want %v", points[i], a[i].Credit, want)
		}
	}
}

func TestPointsAndQuestions(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, j := range both(t) {
		p, err := question.Extract.Ask(
			ctx, j, judge.Subject{Question: "What does a ride on the ferry cost?"}, []judge.Source{
				{Text: "Trams are slow."}, {Text: "A ride on the ferry costs 5 dollars. Whales sing."},
			},
		)
		must(t, err)
		if len(p) == 0 || p[0].Source != 1 || !strings.Contains(p[0].Text, "5 dollars") || !p[0].Vital {
			t.Errorf("%s: points %+v", name, p)
		}
		q, err := question.Reverse.Ask(ctx, j, judge.Subject{}, question.ReverseInput{Answer: "I do not know.", Count: 3})
		must(t, err)
		if len(q) != 1 || !q[0].Noncommittal {
			t.Errorf("%s: questions of an answer that declines: %+v", name, q)
		}
		q, err = question.Reverse.Ask(
			ctx, j, judge.Subject{}, question.ReverseInput{Answer: "A ride costs 5 dollars. Pay at the gate.", Count: 3},
		)
		must(t, err)
		if len(q) == 0 || q[0].Noncommittal {
			t.Errorf("%s: questions %+v", name, q)
		}
	}
}
