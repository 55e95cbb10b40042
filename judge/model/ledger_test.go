package model_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/llm"
)

// The ledger keeps a reply under the key of its request. These keys are those of
// requests that users have paid for: when one changes, so must the version of
// its prompt, and the changelog says so.
func TestLedgerKeys(t *testing.T) {
	t.Parallel()
	subjects := []judge.Subject{
		{Question: "When did it open?", Language: judge.English}, {Question: "塔何時開放？", Language: judge.Chinese},
	}
	work := judge.Work{Answer: "It opened in 1889.", References: []string{"1889", "in 1889"}, Passages: sources}
	tasks := []struct {
		name string
		put  func(ctx context.Context, j judge.Judge, s judge.Subject) error
	}{
		{"claims", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Read.Ask(ctx, j, s, "It opened in 1889. It is 330 m tall.")
			return err
		}},
		{"support", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Support.Ask(
				ctx, j, s, question.SupportInput{
					Claims: []judge.Claim{{Text: "It opened in 1889."}, {Text: "It is tall.", Within: []int{1}}}, Sources: sources,
				},
			)
			return err
		}},
		{"relevance", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Grade.Ask(ctx, j, s, sources)
			return err
		}},
		{"equivalence", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Compare.Ask(ctx, j, s, question.CompareInput{Answer: work.Answer, References: work.References})
			return err
		}},
		{"questions", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Reverse.Ask(ctx, j, s, question.ReverseInput{Answer: work.Answer, Count: 3})
			return err
		}},
		{"points", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Extract.Ask(ctx, j, s, sources)
			return err
		}},
		{"importance", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Weigh.Ask(ctx, j, s, []string{"It opened in 1889.", "It is tall."})
			return err
		}},
		{"assign", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Assign.Ask(
				ctx, j, s, question.AssignInput{Points: []string{"It opened in 1889.", "It is tall."}, Answer: work.Answer},
			)
			return err
		}},
		{"mark", func(ctx context.Context, j judge.Judge, s judge.Subject) error {
			_, err := question.Mark.Ask(ctx, j, s, question.MarkInput{Rubric: rubric, Work: work})
			return err
		}},
	}
	var got strings.Builder
	for _, task := range tasks {
		for _, s := range subjects {
			for draw := range 2 {
				p := inTurn("not a reply", "nor is this")
				if err := task.put(t.Context(), newJudge(t, p).At(draw), s); err == nil {
					t.Errorf("%s: want an error", task.name)
				}
				if len(p.requests) != 2 {
					t.Fatalf("%s: %d requests: want one, and one that has it mended", task.name, len(p.requests))
				}
				for i, r := range p.requests {
					key, _, err := llm.Key("provider", r)
					if err != nil {
						t.Fatal(err)
					}
					fmt.Fprintf(&got, "%s %s draw %d turn %d %s\n", task.name, s.Language, draw, i, key)
				}
			}
		}
	}
	file := filepath.Join("testdata", "ledger_keys.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got.String() {
		t.Errorf("replies that were paid for would not be found:\n%s\nwant\n%s", got.String(), want)
	}
}
