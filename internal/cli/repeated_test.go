package cli_test

import (
	"strings"
	"testing"
)

func TestRepeatedQuestionsAreWarnedAbout(t *testing.T) {
	t.Parallel()
	h := harness{t, t.TempDir()}
	h.write("d.jsonl", `{"id": "a", "question": "q", "ground_truth": "x"}`+"\n"+`{"id": "b", "question": "q", "ground_truth": "x"}`+"\n"+
		`{"id": "c", "question": "r", "ground_truth": "x"}`+"\n")
	h.write("r.jsonl", `{"id": "a", "answer": "x"}`+"\n"+`{"id": "b", "answer": "x"}`+"\n"+`{"id": "c", "answer": "x"}`+"\n")
	run := []string{"run", "--adapter", "recorded", "--responses", "r.jsonl", "--metrics", "token_f1", "--dataset"}
	const says = `cases that repeat the question of an earlier one count as independent`
	h.wants(h.assay(0, append(run, "d.jsonl")...), says)
	h.write("g.jsonl", strings.ReplaceAll(h.read("d.jsonl"), `"question"`, `"group": "g", "question"`))
	for _, args := range [][]string{{"g.jsonl"}, {"d.jsonl", "--group-by", "none"}} {
		if out := h.assay(0, append(run, args...)...); strings.Contains(out, "narrow") {
			t.Errorf("%s warns:\n%s", args, out)
		}
	}
}
