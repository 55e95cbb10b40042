package main

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/bench/internal/speed"
)

func TestTable(t *testing.T) {
	t.Parallel()
	page := table([]*speed.Sheet{{
		Made: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC), Processor: "P", Cores: 2, Go: "go1", Load: 3.21,
		Rows: []speed.Row{
			{Work: "a", Peer: "p 1", Command: "bench/a/run.sh", Ours: speed.Cost{CPU: 1, Wall: 2}, Theirs: speed.Cost{CPU: 8, Wall: 3}, Goal: speed.Goal{Ratio: 5}},
			{Work: "b", Peer: "p 1", Command: "bench/a/run.sh", Ours: speed.Cost{CPU: 2, Wall: 2, Memory: 310}, Theirs: speed.Cost{CPU: 8, Wall: 2},
				Goal: speed.Goal{Ratio: 5, Memory: 300}, Note: "Said of b."},
			{Work: "c", Command: "bench/c/run.sh", Ours: speed.Cost{CPU: 0.02, Wall: 0.012}, Goal: speed.Goal{CPU: 0.01}},
			{Work: "d", Command: "bench/c/run.sh", Ours: speed.Cost{CPU: 0.02, Wall: 0.0001}},
		},
		Judged: "Of cases.",
		Sent: []speed.Sent{
			{Program: "assay", Cases: 7, Calls: 4.126, Input: 8001.4, Output: 99.6, Goal: 7000, Note: "Said of us."},
			{Program: "assay, once", Cases: 7, Calls: 3, Input: 7000, Output: 99, Goal: 7000, Note: "Said of us."},
			{Program: "p 1", Cases: 7, Calls: 19, Input: 30000, Output: 2000, Note: "Said of p."},
		},
	}})
	for _, want := range []string{
		"| a | p 1 | 1 s | 8 s | 8 | 2 s | 3 s | 1.5 | ≥ 5 | yes |\n",
		"| b (1) | p 1 | 2 s | 8 s | 4 | 2 s | 2 s | 1 | ≥ 5, ≤ 300 MB | **no**: 25 % slower than the goal, 10 MB over the goal (310 MB) |\n",
		"| c | – | 20 ms | – | – | 12 ms | – | – | ≤ 10 ms | **no**: 2 times the goal |\n",
		"| d | – | 20 ms | – | – | 100 µs | – | – | – | – |\n",
		"\n1. Said of b.\n", "A goal bounds the input. Of cases.\n",
		"| assay (1) | 7 | 4.13 | 8001 | 100 | ≤ 7000 | **no**: 1.1 times the goal |\n", "| assay, once (1) | 7 | 3.00 | 7000 | 99 | ≤ 7000 | yes |\n",
		"| p 1 (2) | 7 | 19.00 | 30000 | 2000 | – | – |\n", "\n1. Said of us.\n2. Said of p.\n", "Measured on P, 2 cores, go1, on 2026-11-24. The load average was 3.2 to 3.2:", "- `bench/a/run.sh`\n- `bench/c/run.sh`\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
