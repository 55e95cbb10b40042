package llm_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/run"
)

// A pages ledger keeps calls in memory.
type pages struct {
	mu    sync.Mutex
	calls map[string]assay.Call
}

func (l *pages) Call(_ context.Context, key string) (assay.Call, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.calls[key]
	return c, ok, nil
}

func (l *pages) PutCall(_ context.Context, c assay.Call) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls[c.Key] = c
	return nil
}

// A timetable answers what a case says.
type timetable struct{}

func (timetable) Ask(_ context.Context, c *assay.Case) (assay.Response, error) {
	return assay.Response{Answer: c.Metadata["answer"].(string), Passages: []assay.Passage{{Text: c.Metadata["passage"].(string)}}}, nil
}

func TestRealRun(t *testing.T) {
	base := llmtest.Ollama(t)
	for kind, o := range map[string]llm.Options{"openai": {BaseURL: base + "/v1"}, "ollama": {BaseURL: base}} {
		t.Run(kind, func(t *testing.T) { realRun(t, open(t, kind, o)) })
	}
}

func realRun(t *testing.T, p llm.Provider) {
	const cases = 4
	ledger := &pages{calls: map[string]assay.Call{}}
	client, err := llm.NewClient(llm.ClientConfig{Provider: p, Ledger: ledger, Run: "run", Concurrency: 2, Now: time.Now, Random: rand.Reader, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	j, err := model.New(model.Config{Provider: client, Model: llmtest.Small, MaxTokens: 100})
	if err != nil {
		t.Fatal(err)
	}
	cfg := run.Defaults()
	cfg.Now, cfg.Target, cfg.Judge, cfg.Concurrency, cfg.Breaker = time.Now, timetable{}, j, 2, 0
	cfg.Metrics, err = catalog.All().ParseAll([]string{"faithfulness", "answer_correctness"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		cfg.Cases = append(cfg.Cases, assay.Case{
			ID: fmt.Sprintf("c%02d", i), Question: fmt.Sprintf("When does ferry %d leave?", i),
			Want:     assay.Want{Answers: []string{fmt.Sprintf("It leaves at %d:00.", i)}},
			Metadata: map[string]any{"answer": fmt.Sprintf("Ferry %d leaves at %d:00.", i, i+i%2), "passage": fmt.Sprintf("Ferry %d leaves at %d:00 every day.", i, i)},
		})
	}
	began := time.Now()
	for rec, err := range run.Run(t.Context(), cfg) {
		data, _ := json.Marshal(rec.Scores)
		t.Logf("%v %v %+v %s", err, rec.Case.ID, rec.Judging, data)
	}
	t.Log(time.Since(began))
	for _, c := range ledger.calls {
		t.Log(c.Operation, c.Latency, string(c.Reply))
	}
}
