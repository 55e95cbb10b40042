package model_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// TestStandInAnswersThePrompts puts every question of a judge, in both languages, the
// way that a model is asked: the replies pass all that replies are held against,
// at the first try.
func TestStandInAnswersThePrompts(t *testing.T) {
	t.Parallel()
	calls := 0
	fake, err := llm.NewFake(llm.FakeScript{Simulate: true, Answer: model.StandIn{}.Answer, Observe: func(llm.FakeCall) { calls++ }})
	if err != nil {
		t.Fatal(err)
	}
	client, err := llm.NewClient(llm.ClientConfig{Provider: fake, Now: func() time.Time { return time.Unix(0, 0) }, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	j, err := model.New(model.Config{Provider: client, Request: llm.Request{Model: "m"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []judge.Language{judge.English, judge.Chinese} {
		meter := &judge.Meter{}
		ctx := judge.WithMeter(t.Context(), meter)
		s := judge.Subject{Question: "What do dogs pay?", Language: language}
		calls = 0
		check := func(what string, want, got any, err error) {
			t.Helper()
			if d := cmp.Diff(want, got); err != nil || d != "" {
				t.Errorf("%s, %s: %v (-want +got):\n%s", what, language, err, d)
			}
		}

		read, err := question.Read.Ask(ctx, j, s, "Hello! Dogs pay half.")
		check("read", judge.Reading{Kind: judge.Answered, Claims: []judge.Claim{{Text: "Dogs pay half.", Sentence: 2}},
			Asides: []string{"Hello!"}, Votes: judge.Votes{Sure: true}}, read, err)

		found, err := question.Support.Ask(
			ctx, j, s, question.SupportInput{
				Claims:  []judge.Claim{{Text: "Dogs pay half."}, {Text: "Whales sing."}},
				Sources: []judge.Source{{Name: "passage 1", Text: "On board dogs pay half the fare."}},
			},
		)
		verdicts := []judge.Verdict{}
		for _, f := range found {
			verdicts = append(verdicts, f.Verdict)
		}
		check("support", []judge.Verdict{judge.Supported, judge.NotFound}, verdicts, err)

		grades, err := question.Grade.Ask(ctx, j, s, []judge.Source{{Text: "Dogs pay half."}, {Text: "Whales sing."}})
		levels := []int{}
		for _, g := range grades {
			levels = append(levels, g.Level)
		}
		check("relevance", []int{3, 0}, levels, err)

		same, err := question.Compare.Ask(
			ctx, j, s, question.CompareInput{Answer: "Dogs pay half.", References: []string{"Half is what dogs pay."}},
		)
		check("equivalent", true, same.Holds, err)

		questions, err := question.Reverse.Ask(ctx, j, s, question.ReverseInput{Answer: "Dogs pay half.", Count: 2})
		check("questions", []judge.Reversed{{Question: "What about dog pay half?"}, {Question: "What is known of dog pay half?"}}, questions, err)

		points, err := question.Extract.Ask(ctx, j, s, []judge.Source{{Text: "Dogs pay half."}})
		check("points", []judge.Point{{Text: "Dogs pay half."}}, points, err)

		weights, err := question.Weigh.Ask(ctx, j, s, []string{"Dogs pay half.", "Whales sing."})
		check("importance", []bool{true, false}, []bool{weights[0].Vital, weights[1].Vital}, err)

		credits := []float64{}
		assigned, err := question.Assign.Ask(
			ctx, j, s, question.AssignInput{Points: []string{"Dogs pay half.", "Whales sing."}, Answer: "Dogs pay half."},
		)
		for _, a := range assigned {
			credits = append(credits, a.Credit)
		}
		check("assign", []float64{1, 0}, credits, err)

		rubric := judge.Rubric{Name: "r", Dimensions: []judge.Dimension{{Name: "d", Weight: 1, Anchors: []string{"bad", "good"}}}}
		marks, err := question.Mark.Ask(
			ctx, j, s, question.MarkInput{
				Rubric: rubric,
				Work:   judge.Work{Answer: "Dogs pay half.", References: []string{"Dogs pay half."}, Passages: []judge.Source{{Text: "Dogs pay."}}},
			},
		)
		got := []float64{}
		for _, m := range marks {
			got = append(got, m.Level)
		}
		check("mark", []float64{1}, got, err)

		choice, err := question.Prefer.Ask(ctx, j, s, question.PreferInput{First: "Whales sing.", Second: "Dogs pay half.",
			References: []string{"Dogs pay half the fare."}})
		check("preference", -1, choice.First, err)

		spent, warnings := meter.Total()
		check("spending", assay.Spending{Calls: 10, Usage: spent.Usage}, spent, nil)
		if calls != 10 || warnings != nil {
			t.Errorf("%s: %d calls for 10 questions, with warnings %q", language, calls, warnings)
		}
	}
}
