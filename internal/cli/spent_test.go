package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// What a run cost is what its models were paid for: with the vectors, and with the reply that a budget
// cut off from its record. Report, gate, history and the column of each case agree.
func TestCostIsWhatModelsWerePaid(t *testing.T) {
	t.Parallel()
	var bill atomic.Int64 // in micro-dollars, at 10 dollars for a million tokens
	var generated atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			io.WriteString(w, `{"data":[{"id":"e"},{"id":"g"}]}`)
			return
		}
		var in struct{ Input []string }
		text, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(text, &in) != nil {
			http.Error(w, "no JSON", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/embeddings") {
			data := []map[string]any{}
			for i, text := range in.Input {
				data = append(data, map[string]any{"index": i, "embedding": []int{1, len(text) % 7, len(text) % 11}})
			}
			bill.Add(int64(10 * 100 * len(in.Input)))
			json.NewEncoder(w).Encode(map[string]any{"data": data, "usage": map[string]int{"prompt_tokens": 100 * len(in.Input)}})
			return
		}
		reply := ""
		if n := generated.Add(1); n != 2 && n < 4 { // the second reply cannot be used, nor can those of the last case
			reply = "It is a word [1]."
		}
		bill.Add(10 * 1000)
		fmt.Fprintf(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%q}}],`+
			`"usage":{"prompt_tokens":900,"completion_tokens":100}}`, reply)
	}))
	t.Cleanup(server.Close)
	a := newAgent(t, "providers:\n  loc: {kind: openai, base_url: \""+server.URL+"/v1\", key_env: K}\n")
	a.env["K"] = "k"
	a.write("prices.yaml", "prices:\n- {provider: loc, model: e, input: 10, output: 10}\n- {provider: loc, model: g, input: 10, output: 10}\n")
	a.write("gold.jsonl", `{"id":"one","question":"What is one?","ground_truth":"a word"}`+"\n"+`{"id":"two","question":"What is two?","ground_truth":"a word"}`+"\n"+`{"id":"three","question":"What is three?","ground_truth":"a word"}`)
	if err := os.Mkdir(filepath.Join(a.dir, "docs"), 0o755); err != nil {
		t.Fatal(err)
	}
	a.write("docs/text.txt", "One is a word. Two is a word.")
	at := []string{"--dataset", "gold.jsonl", "--corpus", "docs", "--retriever", "dense", "--embedder", "loc:e", "--generator", "loc:g",
		"--metrics", "exact_match", "--set", "prices=prices.yaml", "--concurrency", "1", "--output", "r", "--set", "retries=0"}
	if code, _, stderr := a.run(append([]string{"run", "--max-cost", "0.065"}, at...)...); code != 3 || !strings.Contains(stderr, "the budget of $0.065") {
		t.Fatalf("exit code %d: want the budget to stop the run\n%s", code, stderr)
	}
	code, out, stderr := a.run("run", "--resume=latest", "--max-cost", "1", "--set", "prices=prices.yaml", "--output", "r")
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, stderr)
	}
	paid := float64(bill.Load()) / 1e6
	var rep struct {
		Cost struct {
			Total float64 `json:"total_usd"`
		}
	}
	if err := json.Unmarshal([]byte(a.read("r.json")), &rep); err != nil || rep.Cost.Total != paid {
		t.Errorf("the report says %v (%v): paid %v", rep.Cost.Total, err, paid)
	}
	for limit, want := range map[string]string{fmt.Sprintf("%.4f", paid-0.0002): "FAIL", fmt.Sprintf("%.4f", paid): "PASS"} {
		if _, out, _ := a.run("gate", "--gate", "cost <= "+limit); !strings.Contains(out, want) {
			t.Errorf("paid %v, cost <= %s: want %s\n%s", paid, limit, want, out)
		}
	}
	if out := a.must("cases", "--format", "csv", "--columns", "status,cost_usd"); out != "status,cost_usd\nok,0.01\nok,0.01\nerror,0.02\n" {
		t.Errorf("the cases:\n%s", out)
	}
	if line := a.read("results.jsonl"); !strings.Contains(line, fmt.Sprintf(`"cost_usd":%v,`, paid)) {
		t.Errorf("paid %v, the history has %s", paid, line)
	}
}
