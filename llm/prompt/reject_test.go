package prompt_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/prompt"
)

// A book is a ledger in memory.
type book struct {
	mu    sync.Mutex
	calls map[string]assay.Call
}

func (b *book) Call(_ context.Context, key string) (assay.Call, bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, ok := b.calls[key]
	return c, ok, nil
}

func (b *book) PutCall(_ context.Context, c assay.Call) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls[c.Key] = c
	return nil
}

// TestUnusableRepliesAreNotFinal ends an exchange with two unusable replies: the next run
// asks again and has the usable one, and the run after that asks nothing. An unusable
// reply that was repaired is not asked for again.
func TestUnusableRepliesAreNotFinal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		// asked is how many calls the model has had after each of three runs, fails which
		// of them fails.
		asked [3]int
		fails [3]bool
	}{
		"broken twice": {"bad bad good", [3]int{2, 3, 3}, [3]bool{true, false, false}},
		"repaired":     {"bad good", [3]int{2, 2, 2}, [3]bool{}},
		"refused":      {"refusal good", [3]int{1, 2, 2}, [3]bool{true, false, false}},
	} {
		model := &stepping{script: strings.Fields(c.script)}
		ledger := &book{calls: map[string]assay.Call{}}
		for i := range 3 {
			client, err := llm.NewClient(llm.ClientConfig{
				Provider: model, Ledger: ledger, Run: "run", Now: time.Now, Random: rand.NewChaCha8([32]byte{}),
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = prompt.Exchange{
				Provider: client, Request: llm.Request{Model: "m", Messages: []llm.Message{{Role: "user", Text: "q"}}},
				Read: func(r llm.Reply) error {
					if r.Text == "bad" {
						return errors.New("it is bad")
					}
					return nil
				},
			}.Do(t.Context())
			if (err != nil) != c.fails[i] || len(model.asked) != c.asked[i] {
				t.Errorf("%s, run %d: %v after %d calls, want %d", name, i+1, err, len(model.asked), c.asked[i])
			}
		}
	}
}
