//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestKilledRunKeepsAnswers kills a judged run with SIGKILL again and again while its
// target answers differently each time. The judge is asked about one answer to each case
// and no other, so no reply is paid for an answer that was lost; the target is asked again
// at most for the questions in flight.
func TestKilledRunKeepsAnswers(t *testing.T) {
	t.Parallel()
	const cases, concurrency, kills = 60, 8, 6
	dir := t.TempDir()
	bin := selfAs(t, dir)
	var gold strings.Builder
	for i := range cases {
		fmt.Fprintf(&gold, `{"id":"c%d","question":"What colour is stone %d?","ground_truth":"Stone %d is green."}`+"\n", i, i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "gold.jsonl"), []byte(gold.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	writeScript(t, dir, "killed", "simulate: true\nlatency: 20ms\n")
	var asked atomic.Int64
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Question string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			return // the client was killed
		}
		fmt.Fprintf(w, `{"answer": "%s It is green, I said for the %dth time.", "contexts": []}`, q.Question, asked.Add(1))
	}))
	t.Cleanup(target.Close)

	log := filepath.Join(dir, "killed.log")
	rng := rand.New(rand.NewPCG(20, 26))
	landed, begun := 0, false
	for ended := false; !ended; {
		cmd := exec.Command(bin, "run", "--adapter=http", "--endpoint="+target.URL, "--dataset=gold.jsonl", "--metrics=answer_correctness",
			"--judge=fake:killed/judge.yaml", "--passes=1", fmt.Sprintf("--concurrency=%d", concurrency), "--set=judge-concurrency=2",
			"--store=killed.db", "--output=killed")
		if begun {
			cmd.Args = append(cmd.Args, "--resume")
		}
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
		before := 0
		if begun {
			before = len(logOf(t, log))
		}
		// Some calls later, and some time after that.
		ended = killAfter(t, cmd, log, before+4, landed < kills, time.Duration(rng.Int64N(int64(40*time.Millisecond))))
		begun = true
		if !ended {
			landed++
		}
	}
	if landed < kills {
		t.Errorf("%d kills landed in the run, want %d", landed, kills)
	}
	contents, operations := map[string]bool{}, map[string]int{}
	for _, c := range logOf(t, log) {
		if !contents[c.Content] {
			operations[c.Operation]++
		}
		contents[c.Content] = true
	}
	n := len(comparable(t, filepath.Join(dir, "killed.json"))["cases"].([]any))
	t.Logf("%d kills; %d cases, %d questions to the target, %v different questions to the judge", landed, n, asked.Load(), operations)
	if n != cases || asked.Load() > cases+kills*concurrency {
		t.Errorf("%d cases and %d questions to the target: want %d, and at most %d more", n, asked.Load(), cases, kills*concurrency)
	}
	for operation, n := range operations {
		if n != cases {
			t.Errorf("%d different questions of %s, want one for each of %d cases", n, operation, cases)
		}
	}
}
