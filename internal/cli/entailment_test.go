package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/judge/entail"
)

// TestRealEntailment has a real cross-encoder rule on claims, over HTTP, as a program on lines
// and as an object in Python, and compares the scores of the runs with those that Python
// computes of the same sentences and passages. The model is weak: the test is of what is
// around it.
func TestRealEntailment(t *testing.T) {
	t.Parallel()
	python := requiretest.Env(t, "ASSAY_ONNX_PYTHON")
	model, head := requiretest.Env(t, "ASSAY_ONNX_MINILM"), requiretest.Env(t, "ASSAY_ENTAIL_HEAD")
	script := filepath.Join(requiretest.Root(), "scripts", "entail", "head", "crossencoder.py")
	command := func(mode string) *exec.Cmd {
		c := exec.Command(python, script, mode)
		c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "ASSAY_ONNX_MINILM="+model, "ASSAY_ENTAIL_HEAD="+head)
		return c
	}
	passages := []string{
		"The ferry to the island leaves at nine. It takes forty minutes. Dogs travel free of charge.",
		"The library opens at ten on Saturdays and is closed on Sundays. Members borrow six books at once.",
		"The museum shows the history of the harbour, from the first pier of 1870 to the port of today.",
	}
	answers := map[string][]string{
		"a": {"The ferry to the island leaves at nine.", "The ferry is painted green."},
		"b": {"The library is open on Sundays."},
		"c": {"The first pier was built in 1870.", "Members borrow six books at once.", "The museum is free."},
	}

	// What Python says of each sentence with each passage.
	var pairs [][2]string
	for _, sentences := range answers {
		for _, s := range sentences {
			for _, p := range passages {
				pairs = append(pairs, [2]string{p, s})
			}
		}
	}
	asked, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	score := command("score")
	score.Stdin = bytes.NewReader(asked)
	said, err := score.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var probabilities []float64
	if err := json.Unmarshal(said, &probabilities); err != nil || len(probabilities) != len(pairs) {
		t.Fatalf("%d probabilities, %v", len(probabilities), err)
	}
	best := map[string]float64{}
	for i, p := range pairs {
		best[p[1]] = max(best[p[1]], probabilities[i])
	}
	low, high := 1.0, 0.0
	for _, p := range probabilities {
		low, high = min(low, p), max(high, p)
	}
	if low < 0 || high > 1 || high-low < 0.1 {
		t.Errorf("probabilities from %v to %v: want a model that tells pairs apart", low, high)
	}

	a := newAgent(t, "adapter: recorded\nresponses: answers.jsonl\ndataset: gold.json\nmetrics: faithfulness\n")
	delete(a.env, "ASSAY_JUDGE")
	var gold []map[string]any
	var recorded bytes.Buffer
	for id, sentences := range answers {
		answer := ""
		for _, s := range sentences {
			answer += s + " "
		}
		gold = append(gold, map[string]any{"id": id, "question": "What is there to know of " + id + "?", "ground_truth": "Much."})
		if err := json.NewEncoder(&recorded).Encode(map[string]any{"id": id, "answer": answer, "contexts": passages}); err != nil {
			t.Fatal(err)
		}
	}
	cases, err := json.Marshal(map[string]any{"test_cases": gold})
	if err != nil {
		t.Fatal(err)
	}
	a.write("gold.json", string(cases))
	a.write("answers.jsonl", recorded.String())

	address := requiretest.Serve(t, "the server of the cross-encoder", command("serve"))
	env := fmt.Sprintf("env ASSAY_ONNX_MINILM='%s' ASSAY_ENTAIL_HEAD='%s' '%s' '%s' lines", model, head, python, script)
	for name, args := range map[string][]string{
		"tei":     {"--entailment", "tei:minilm-with-a-head", "--set", "entailment-url=" + address},
		"command": {"--set", "entailment-command=" + env},
		"python":  {"--entailment", "python:" + script + ":load()", "--python", python},
	} {
		a.must(append([]string{"run", "--store", name + ".db", "--output", name}, args...)...)
		var report struct {
			Run struct {
				Judge struct {
					Provider string
					Tasks    map[string]struct{ Provider string }
				}
			}
			Cases []struct {
				ID     string
				Scores map[string]struct {
					Value    *float64
					Evidence []struct{ Text string }
				}
			}
		}
		if err := json.Unmarshal([]byte(a.read(name+".json")), &report); err != nil {
			t.Fatal(err)
		}
		if j := report.Run.Judge; j.Provider != "sentences" || j.Tasks["support"].Provider != name || len(report.Cases) != len(answers) {
			t.Errorf("%s: %+v, %d cases", name, j, len(report.Cases))
		}
		for _, c := range report.Cases {
			want := 0.0
			got := c.Scores["faithfulness"]
			for _, s := range answers[c.ID] {
				if best[s] >= entail.DefaultThreshold {
					want += 1 / float64(len(answers[c.ID]))
				}
				score := fmt.Sprintf("entailment %.4f,", best[s])
				if !slices.ContainsFunc(got.Evidence, func(e struct{ Text string }) bool {
					return strings.HasPrefix(e.Text, s) && strings.Contains(e.Text, score)
				}) {
					t.Errorf("%s, case %s: %+v: want %q with %s", name, c.ID, got.Evidence, s, score)
				}
			}
			if got.Value == nil || math.Abs(*got.Value-want) > 1e-9 {
				t.Errorf("%s, case %s: %v: want %v", name, c.ID, got.Value, want)
			}
		}
		// Replayed, it needs neither the server nor the program.
		a.must(append([]string{"run", "--store", name + ".db", "--output", name + "-again", "--replay"}, args...)...)
	}
}
