package cli_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/store"
)

// combinedHash stands for the one hash of all prompts that reports had before each prompt
// had a version of its own.
const combinedHash = "sha256:628af005a26fef6b78e25bab7457d90cb1cfbe167758c5e87d865492a855cef7"

// A run judged before a prompt was added can still be compared and gated: a
// judge's prompts affect only the metrics that use them. One whose prompts are not known one by
// one is not resumed.
func TestRunJudgedBeforeAPromptWasAdded(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	h.write("gold.json", `{"test_cases": [{"id": "a", "question": "When did the pier open?", "ground_truth": "In 1957."},
		{"id": "b", "question": "What does a ticket cost?", "ground_truth": "Four dollars."}]}`)
	h.write("answers.jsonl", `{"id": "a", "answer": "It opened in 1957.", "contexts": [{"text": "The pier opened in 1957."}]}
{"id": "b", "answer": "It costs four dollars, you idiot.", "contexts": [{"text": "A ticket costs four dollars."}]}
`)
	run := func(code int, args ...string) string {
		t.Helper()
		return h.assay(code, append([]string{"run", "--store", "runs.db"}, args...)...)
	}
	judged := []string{"--dataset", "gold.json", "--adapter", "recorded", "--responses", "answers.jsonl", "--judge", "fake:"}
	run(0, append(judged, "--metrics", "faithfulness", "--output", "before")...)

	var report map[string]any
	if err := json.Unmarshal([]byte(h.read("before.json")), &report); err != nil {
		t.Fatal(err)
	}
	header, _ := report["run"].(map[string]any)
	judge, _ := header["judge"].(map[string]any)
	if prompts, _ := judge["prompts"].(map[string]any); len(prompts) != 2 || prompts["claims"] == nil || prompts["support"] == nil {
		t.Fatalf("judge %v: want the prompts that faithfulness rests on", judge)
	}
	h.assay(0, "baseline", "save", "before.json", "--output", "baseline.json", "--reason", "before", "--store", "runs.db")
	said := run(0, append(judged, "--metrics", "faithfulness,toxicity", "--output", "after", "--baseline", "baseline.json",
		"--gate", "faithfulness vs baseline >= 0")...)
	h.wants(said, `gate +PASS`, `^ toxicity ↓? *0\.333`)
	said = h.assay(0, "compare", "before.json", "after.json")
	if !strings.Contains(said, "faithfulness") || strings.Contains(said, "not compared") {
		t.Errorf("compared:\n%s", said)
	}

	// An interrupted run of a build whose prompts had one hash together.
	run(0, append(judged, "--metrics", "faithfulness", "--output", "whole")...)
	s, err := store.Open(t.Context(), filepath.Join(h.dir, "runs.db"))
	if err != nil {
		t.Fatal(err)
	}
	old, err := s.Run(t.Context(), "latest")
	if err != nil {
		t.Fatal(err)
	}
	old.State, old.Finished = "interrupted", time.Time{}
	old.Judge = &assay.JudgeInfo{
		Provider: old.Judge.Provider, Model: old.Judge.Model, PromptHash: combinedHash,
		Passes: old.Judge.Passes, Parameters: old.Judge.Parameters,
	}
	for i := range old.Metrics {
		old.Metrics[i].Prompts = nil
	}
	if err := s.UpdateRun(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h.wants(run(3, "--resume="+old.ID), `the judge changed since it started: start a new run`)
}

// A metric that uses a task without an estimate is refused with a reason when estimates
// replace a model.
func TestNoEstimateOfToxicity(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	h.write("gold.json", `{"test_cases": [{"id": "a", "question": "When did the pier open?", "ground_truth": "In 1957."}]}`)
	h.write("answers.jsonl", `{"id": "a", "answer": "It opened in 1957."}`+"\n")
	h.wants(h.assay(3, "run", "--dataset", "gold.json", "--adapter", "recorded", "--responses", "answers.jsonl",
		"--judge", "offline", "--metrics", "toxicity"), `needs a model as judge, no formula estimates it: --judge PROVIDER:MODEL`)
}
