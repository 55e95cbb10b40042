//go:build results

package pairwise_test

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/judge/pairwise"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/llm/llmtest"
)

var ask = flag.Bool("record", false, "ask the small model again, and keep its rulings")

// smallFile has the rulings of a small model on a sample of the pairs.
const smallFile = "testdata/smollm2.jsonl"

// smallSample is every how manieth pair the small model is asked about.
const smallSample = 7

// A ragPair is a pair of answers that two people compared: RAGChecker's meta-evaluation. Labels
// are from −2, the first answer is much better, to 2.
type ragPair struct {
	ID, Dataset, Question, Reference string
	Answer1, Answer2                 string
	Model1, Model2                   string
	Labels                           map[string][]int
}

func ragPairs(t *testing.T) (out []ragPair) {
	f, err := os.Open(require.Shared(t, "data/answers/ragchecker_pairs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var p ragPair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// duel makes of a pair what is judged.
func (p ragPair) duel() pairwise.Duel {
	c := assay.Case{ID: p.ID, Question: p.Question, Want: assay.Want{Answers: []string{p.Reference}}}
	return pairwise.Duel{Old: assay.Record{Case: c, Response: &assay.Response{Answer: p.Answer1}},
		New: assay.Record{Case: c, Response: &assay.Response{Answer: p.Answer2}}}
}

// TestRecordSmall asks the small model about a sample, and keeps its rulings.
func TestRecordSmall(t *testing.T) {
	if !*ask {
		t.Skip("-record asks a small model for an hour or so, and keeps what it rules")
	}
	base := llmtest.Ollama(t)
	provider, err := llm.Open("ollama", llm.Options{Name: "ollama", BaseURL: base, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	client, err := llm.NewClient(llm.ClientConfig{Provider: provider, Timeout: 10 * time.Minute, Retries: 1, Concurrency: 1,
		Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	j, err := model.New(model.Config{Provider: client, Model: llmtest.Small, MaxTokens: 200})
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	for i, p := range ragPairs(t) {
		if i%smallSample != 0 {
			continue
		}
		got, err := pairwise.Judge(t.Context(), j, pairwise.Options{}, 1, func(int) (pairwise.Duel, error) { return p.duel(), nil })
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(got[0])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&kept, "%s\n", line)
		t.Logf("%s", line)
		if err := os.WriteFile(smallFile, []byte(kept.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
