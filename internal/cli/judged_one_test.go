package cli_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
)

// Answer correctness is one call a case. Whether the answer declines is asked only where a
// mark of the case, or another metric, needs it, and the estimate before the run says the same.
func TestOneCallACase(t *testing.T) {
	t.Parallel()
	const cases = 4
	for _, tc := range []struct {
		name, metrics string
		answerable    any
		calls         int
	}{
		{"no mark", "answer_correctness", nil, cases},
		{"marked", "answer_correctness", true, 2 * cases},
		{"another metric reads claims", "answer_correctness,coverage", nil, 2 * cases},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var gold, responses []any
			for i := range cases {
				c := map[string]any{"id": fmt.Sprint("c", i), "question": fmt.Sprintf("Which pier does ferry %d leave from?", i),
					"ground_truth": fmt.Sprintf("Ferry %d leaves from pier %d.", i, i)}
				if tc.answerable != nil {
					c["answerable"] = tc.answerable
				}
				gold = append(gold, c)
				responses = append(responses, map[string]any{"id": c["id"], "answer": fmt.Sprintf("From pier %d, every hour, ferry %d.", i, i)})
			}
			writeLines(t, filepath.Join(dir, "gold.jsonl"), gold)
			writeLines(t, filepath.Join(dir, "responses.jsonl"), responses)
			if _, err := judged(t.Context(), t, dir, "simulate: true\nlog: calls.jsonl\n", settings{"metrics": tc.metrics}); err != nil {
				t.Fatal(err)
			}
			if n := len(logOf(t, filepath.Join(dir, "calls.jsonl"))); n != tc.calls {
				t.Errorf("the run made %d calls: want %d", n, tc.calls)
			}

			r := config.Default()
			for k, v := range map[string]string{
				"adapter": "recorded", "dataset": filepath.Join(dir, "gold.jsonl"), "responses": filepath.Join(dir, "responses.jsonl"),
				"metrics": tc.metrics, "judge": "fake:script.yaml", "passes": "1",
			} {
				if err := r.Set(k, v, config.FromFlag, "test"); err != nil {
					t.Fatal(err)
				}
			}
			p, err := wire.Prepare(t.Context(), r, world(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			e, err := p.Estimate(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if e.Together.Calls != tc.calls {
				t.Errorf("the estimate is %d calls: want %d", e.Together.Calls, tc.calls)
			}
		})
	}
}
