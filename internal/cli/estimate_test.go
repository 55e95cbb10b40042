package cli_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEstimateAsTheDryRun: what the server estimates for a run are the figures of assay run
// --dry-run with the same settings, the canaries of a run that judges more than 200 cases too.
func TestEstimateAsTheDryRun(t *testing.T) {
	h := harness{t, t.TempDir()}
	h.write("script.yaml", "simulate: true\n")
	h.write("prices.yaml", "prices: [{provider: fake, model: script, input: 1000, output: 1000}]\n")
	h.write("docs/piers.md", "Ferry 1 leaves from pier 4, every hour. Ferry 2 leaves from pier 7, at noon.")
	h.write("gold.jsonl", `{"id":"a","question":"Which pier does ferry 1 leave from?","ground_truth":"Pier 4."}`+"\n"+
		`{"id":"b","question":"When does ferry 2 leave?","ground_truth":"At noon."}`+"\n")
	judged := []string{"--corpus", "docs", "--retriever", "sparse", "--judge", "fake:script.yaml", "--passes", "3", "--set",
		"prices=prices.yaml"}
	said := h.assay(0, append([]string{"run", "--dry-run", "--dataset", "gold.jsonl", "--metrics", "faithfulness,answer_relevance", "--repeat", "101",
		"--set", "cache=off"}, judged...)...)
	l := serveLive(t, h.dir, append([]string{"--datasets", "."}, judged...)...)
	v := l.ask("POST", "/api/v1/estimates",
		`{"dataset":"gold.jsonl","config":{"metrics":["faithfulness","answer_relevance"],"repeat":101,"max-cost":0.5}}`, "", 200)
	rows := []any{v["together"]}
	rows = append(rows, v["by_metric"].([]any)...)
	for i, name := range []string{"together", "faithfulness", "answer_relevance"} {
		m := regexp.MustCompile(`(?m)^ *` + name + ` +(\d+) +(\d+) +(\d+) +(\S+)`).FindStringSubmatch(said)
		if m == nil {
			t.Fatalf("no row of %s in %s", name, said)
		}
		row := rows[i].(map[string]any)
		for k, key := range []string{"calls", "input_tokens", "output_tokens"} {
			if want, _ := strconv.ParseFloat(m[k+1], 64); row[key] != want || want == 0 {
				t.Errorf("%s of %s: %v, and the dry run has %v", key, name, row[key], want)
			}
		}
	}
	if most := regexp.MustCompile(`would make it (\d+) calls`).FindStringSubmatch(said); most == nil || fmt.Sprint(v["most_calls"]) != most[1] {
		t.Errorf("%v calls at most: %s", v["most_calls"], said)
	}
	dollars := func(of any) float64 {
		sum, _ := of.(map[string]any)
		cost, _ := sum["cost_usd"].(float64)
		return cost
	}
	together, canaries := dollars(v["together"]), dollars(v["canaries"])
	if want := regexp.MustCompile(`(?m)^ *together .*\$(\S+)`).FindStringSubmatch(said); want == nil || fmt.Sprintf("%.2f", together) != want[1] {
		t.Errorf("a cost of %v: %s", together, said)
	}
	after := regexp.MustCompile(`asked its canaries: 20 calls more, .*, cost \$(\S+);`).FindStringSubmatch(said)
	if after == nil || canaries == 0 || fmt.Sprintf("%.2f", canaries) != after[1] || v["canaries"].(map[string]any)["calls"] != 20.0 {
		t.Errorf("canaries %v: %s", v["canaries"], said)
	}
	if all := dollars(v); math.Abs(all-together-canaries) > 1e-9 {
		t.Errorf("a cost of %v, want %v and %v", all, together, canaries)
	}
	if v["over_max_cost"] != true || v["priced"] != true || v["max_cost_usd"] != 0.5 {
		t.Errorf("the limit: %v", v)
	}
	if v["judging"] != "model" || v["draws"] != 101.0 || !strings.HasPrefix(fmt.Sprint(v["judge"]), "fake:") {
		t.Errorf("the estimate: %v", v)
	}
	few := l.ask("POST", "/api/v1/estimates", `{"dataset":"gold.jsonl","config":{"metrics":["faithfulness"],"repeat":100}}`, "", 200)
	if few["canaries"] != nil || few["together"] == nil {
		t.Errorf("canaries of a run of 200 judged cases: %v", few)
	}
}
