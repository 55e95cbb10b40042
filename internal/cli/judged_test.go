package cli_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/store"
)

// judgedMetrics are the five that share one extraction and one entailment pass.
const judgedMetrics = "faithfulness,answer_relevance,context_precision,context_recall,answer_correctness"

// writeRecorded writes a dataset of n cases and the responses of a system to
// them, each with ten passages, as gold.jsonl and responses.jsonl. The answers
// are right, wrong in a number, padded with what nobody said, or decline.
func writeRecorded(t *testing.T, dir string, n int) {
	t.Helper()
	places := []string{"Lantau", "Lamma", "Cheung Chau", "Peng Chau", "Po Toi", "Tung Ping", "Kat O", "Tap Mun", "Waglan", "Grass"}
	type passage struct {
		Text   string `json:"text"`
		Source string `json:"source"`
	}
	var gold, responses []any
	for i := range n {
		place := fmt.Sprintf("%s %c", places[i%len(places)], 'A'+i/len(places))
		pier, minutes, fare := i%7+1, 20+i, 15+2*i
		reference := fmt.Sprintf("The ferry to %s leaves from pier %d. The crossing takes %d minutes. A single ticket costs %d dollars.", place,
			pier, minutes, fare)
		answer := []string{
			reference + " Have a good trip!",
			fmt.Sprintf("Hello! The ferry to %s leaves from pier %d. The crossing takes %d minutes.", place, pier, minutes+5),
			fmt.Sprintf("The ferry to %s leaves from pier %d. Whales often follow the wooden boats [2].", place, pier),
			fmt.Sprintf("The crossing takes %d minutes and a single ticket costs %d dollars.", minutes, fare),
			fmt.Sprintf("I do not know how to get to %s.", place),
		}[i%5]
		passages := []passage{
			{fmt.Sprintf("Boats. The ferry to %s leaves from pier %d every hour.", place, pier), "piers.md"},
			{fmt.Sprintf("To %s the crossing takes %d minutes in calm weather.", place, minutes), "times.md"},
		}
		for k := range 7 {
			other := places[(i+k+1)%len(places)]
			passages = append(passages, passage{fmt.Sprintf("The village of %s has %d houses and a temple of the sea goddess.", other, 40+k),
				"villages.md"})
		}
		passages = append(passages, passage{fmt.Sprintf("Fares to %s: a single ticket costs %d dollars, a child pays half.", place, fare),
			"fares.md"})
		id := fmt.Sprintf("c%03d", i)
		gold = append(gold, map[string]any{"id": id,
			"question": fmt.Sprintf("From which pier does the ferry to %s leave, how long does it take and what does it cost?",
				place), "ground_truth": reference})
		responses = append(responses, map[string]any{"id": id, "answer": answer, "contexts": passages})
	}
	writeLines(t, filepath.Join(dir, "gold.jsonl"), gold)
	writeLines(t, filepath.Join(dir, "responses.jsonl"), responses)
}

func writeLines(t *testing.T, path string, values []any) {
	t.Helper()
	var out []byte
	for _, v := range values {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	if err := os.WriteFile(path, out, 0o644); err != nil {
		t.Fatal(err)
	}
}

// settings are those of a run by name; what is not there has its default.
type settings map[string]string

// world is one that tests live in.
func world(dir string) wire.World {
	return wire.World{
		Path: func(p string) string {
			if p == "" || filepath.IsAbs(p) {
				return p
			}
			return filepath.Join(dir, p)
		},
		Getenv: func(string) string { return "" }, Now: time.Now, Random: rand.Reader,
	}
}

// judged runs the recorded responses of dir with a fake judge of the script.
func judged(ctx context.Context, t *testing.T, dir, script string, more settings) (*report.Report, error) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "script.yaml"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	r := config.Default()
	set := settings{
		"adapter": "recorded", "dataset": filepath.Join(dir, "gold.jsonl"), "responses": filepath.Join(dir, "responses.jsonl"),
		"metrics": judgedMetrics, "judge": "fake:script.yaml", "passes": "1", "store": filepath.Join(dir, "assay.db"), "concurrency": "4",
	}
	for k, v := range more {
		set[k] = v
	}
	for k, v := range set {
		if err := r.Set(k, v, config.FromFlag, "test"); err != nil {
			t.Fatalf("%s: %v", k, err)
		}
	}
	j, err := wire.Prepare(ctx, r, world(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	s, err := store.Open(ctx, r.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rep, err := j.Run(ctx, s)
	if rep != nil {
		err = errors.Join(err, rep.Load()) // the store is closed before the test reads the report
	}
	return rep, err
}

// logOf reads the fake's log.
func logOf(t *testing.T, path string) []llm.FakeCall {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var calls []llm.FakeCall
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c llm.FakeCall
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("log line %q: %v", lines.Text(), err)
		}
		calls = append(calls, c)
	}
	return calls
}

// replied counts the calls of a log that were paid for.
func replied(calls []llm.FakeCall) int {
	n := 0
	for _, c := range calls {
		if c.Replied() {
			n++
		}
	}
	return n
}

// spent adds up what the records say was spent on judging them.
// held returns the records of a report.
func held(r *report.Report) (out []assay.Record) {
	for rec, err := range r.Records() {
		if err != nil {
			panic(err)
		}
		out = append(out, rec)
	}
	return out
}

func spent(records []assay.Record) assay.Spending {
	var s assay.Spending
	for _, r := range records {
		if r.Judging != nil {
			s.Add(*r.Judging)
		}
	}
	return s
}
