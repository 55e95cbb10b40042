//go:build unix

package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay/bench/internal/speed"
	"github.com/assay-eval/assay/bench/internal/standin"
)

// judged measures a run of the five judged metrics. The model is a server in this process
// that replies as the stand-in does, after a latency, so that the processor time is that
// of the program alone.
func judged(dir, assay, metrics string, cases, passes int, latency time.Duration, sheet *speed.Sheet) error {
	if err := generateJudged(dir, cases); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	var calls, bytes atomic.Int64
	m := &standin.Model{Latency: latency, Asked: func(_ string, size int) {
		calls.Add(1)
		bytes.Add(int64(size))
	}}
	server := &http.Server{Handler: m, ReadHeaderTimeout: time.Minute}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	settings := fmt.Sprintf("providers:\n  local:\n    kind: openai\n    base_url: http://%s/v1\n", listener.Addr())
	if err := os.WriteFile(filepath.Join(dir, "eval-config.yaml"), []byte(settings), 0o600); err != nil {
		return err
	}
	fmt.Printf("%d cases, %d passes, latency %v, %d cores\n", cases, passes, latency, runtime.NumCPU())
	args := []string{"run", "--adapter", "recorded", "--dataset", "cases.jsonl", "--responses", "responses.jsonl", "--metrics", metrics, "--judge", "local:stand-in",
		"--passes", strconv.Itoa(passes), "--store", "judged.db", "--output", "judged-report"}
	cost, err := one(dir, "judged", assay, args)
	if err != nil {
		return err
	}
	sheet.Add(speed.Row{Work: fmt.Sprintf("judged run, %d cases, %d metrics, %d passes", cases, strings.Count(metrics, ",")+1, passes),
		Command: fmt.Sprintf("bash bench/run/run.sh -form judged -cases %d", cases), Ours: cost, Rounds: 1, Goal: speed.Goal{CPU: 6},
		Note: fmt.Sprintf("The judge replies at once. answer_relevance embeds with MiniLM on the same processor; `-metrics` chooses other metrics than %s.", metrics)})
	kept, err := os.Stat(filepath.Join(dir, "judged.db"))
	if err != nil {
		return err
	}
	n := float64(cases)
	fmt.Printf("%-20s  a case: %.2f calls, %.2f kB of messages, %.2f kB in the store\n", "", float64(calls.Load())/n,
		float64(bytes.Load())/1e3/n, float64(kept.Size())/1e3/n)
	return nil
}

// generateJudged writes answers of MT-RAG with their passages and references as cases and
// recorded responses, again from the first where there are not enough.
func generateJudged(dir string, cases int) error {
	data, err := os.ReadFile(filepath.Join(cmp.Or(os.Getenv("ASSAY_SHARED"), "../shared"), "data", "answers", "mtrag.jsonl"))
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var files []*bufio.Writer
	for _, name := range []string{"cases.jsonl", "responses.jsonl"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		files = append(files, bufio.NewWriter(f))
	}
	for i := range cases {
		var row struct {
			Question, Answer, Reference string
			Contexts                    []string
		}
		if err := json.Unmarshal([]byte(lines[i%len(lines)]), &row); err != nil {
			return err
		}
		id := fmt.Sprintf("q%d", i)
		if err := json.NewEncoder(files[0]).Encode(map[string]any{"id": id, "question": row.Question, "ground_truth": row.Reference}); err != nil {
			return err
		}
		if err := json.NewEncoder(files[1]).Encode(map[string]any{"id": id, "answer": row.Answer, "contexts": row.Contexts}); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := f.Flush(); err != nil {
			return err
		}
	}
	return nil
}
