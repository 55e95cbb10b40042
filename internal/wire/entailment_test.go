package wire_test

import (
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// openEntailment opens the models of settings with an entailment model.
func openEntailment(t *testing.T, model string) *wire.Models {
	t.Helper()
	r := config.Default()
	if err := r.Set("entailment", model, config.FromFlag, "entailment"); err != nil {
		t.Fatal(err)
	}
	m, err := wire.OpenModels(r.Config, wire.World{
		Path: func(p string) string { return p }, Getenv: func(string) string { return "" }, Now: time.Now, Random: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// That a model gives no log probabilities is told of the model, and not of what stands in for
// it in an estimate.
func TestEstimateSaysNothingOfLogProbabilities(t *testing.T) {
	t.Parallel()
	m := openEntailment(t, "fake:")
	j, err := m.Entailment()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context) error {
		_, err := question.Support.Ask(ctx, j, judge.Subject{Language: judge.English}, question.SupportInput{
			Claims: []judge.Claim{{Text: "The door is open."}}, Sources: []judge.Source{{Text: "The door is open."}},
		})
		return err
	}
	if _, _, err := m.DryRun(t.Context(), 1, ask); err != nil {
		t.Fatal(err)
	}
	if w := m.Warnings(); len(w) > 0 {
		t.Errorf("the estimate warns: %q", w)
	}
	if err := m.Connect(openStore(t), "a", 0); err != nil {
		t.Fatal(err)
	}
	if err := ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w := m.Warnings(); len(w) != 1 || !strings.Contains(w[0], "without log probabilities") {
		t.Errorf("warnings %q of a model without log probabilities: want one", w)
	}
}
