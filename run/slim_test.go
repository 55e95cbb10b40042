package run_test

import (
	"context"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/run"
)

// TestKeepTexts: metrics see every text, the record keeps those of the first
// passages, and the target's own response is left alone.
func TestKeepTexts(t *testing.T) {
	held := assay.Response{Answer: "a", Passages: []assay.Passage{{Document: "d1", Text: "one"}, {Document: "d2", Text: "two"},
		{Document: "d3", Text: "three"}}}
	var set metric.Set
	texts := set.Define(metric.Def{
		Name: "texts", Title: "Texts", Group: metric.Passage, Doc: "Counts texts.", Formula: "n", Edges: "None.", Source: "This test.",
		Range: [2]float64{0, 9}, Version: 1,
		New: func(metric.Params) metric.Func {
			return func(_ context.Context, in metric.Input) (assay.Score, error) {
				n := 0.0
				for _, p := range in.Response.Passages {
					if p.Text != "" {
						n++
					}
				}
				return assay.Value(n), nil
			}
		},
	})
	m, err := metric.NewCatalog(texts).Parse("texts")
	if err != nil {
		t.Fatal(err)
	}
	for keep, want := range map[int]int{0: 3, 1: 1, 2: 2, 5: 3} {
		cfg := run.Defaults()
		cfg.Cases = assay.CasesOf(assay.Case{ID: "c", Question: "?"})
		cfg.Target = &fake{ask: func(context.Context, *assay.Case, int) (assay.Response, error) { return held, nil }}
		cfg.Metrics, cfg.KeepTexts, cfg.Now = []metric.Metric{m}, keep, func() time.Time { return start }
		for rec, err := range run.Run(context.Background(), cfg) {
			if err != nil {
				t.Fatal(err)
			}
			kept := 0
			for _, p := range rec.Response.Passages {
				if p.Text != "" {
					kept++
				}
			}
			if kept != want || len(rec.Response.Passages) != 3 {
				t.Errorf("keep %d: %d texts of %d passages are kept, want %d of 3", keep, kept, len(rec.Response.Passages), want)
			}
			if v := rec.Scores["texts"].Value; v != 3 {
				t.Errorf("keep %d: the metric saw %v texts, want 3", keep, v)
			}
		}
	}
	if held.Passages[2].Text != "three" {
		t.Error("the target's response was changed")
	}
}
