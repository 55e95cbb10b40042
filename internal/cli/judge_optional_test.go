package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
)

// TestEvaluationSkipsAnUnreachableJudge is the story of source document 002: its example
// dataset, its two retrievers, and a judge that is not there. The run and the comparison
// finish, say what they skipped, and end by the rest of the results.
func TestEvaluationSkipsAnUnreachableJudge(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(requiretest.Shared(t, "sources"), "002_*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	source, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)### Example\n\n```json\n(.*?)```").FindSubmatch(source)
	if example == nil {
		t.Fatal("the document has no example dataset")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"benchmark.json": string(example[1]),
		"docs/icd.md":    "ICD-10 code for type 2 diabetes mellitus is E11. This code is used for non-insulin-dependent diabetes mellitus.\n",
		"docs/metformin.md": "Metformin is contraindicated in patients with severe renal impairment (GFR < 30 mL/min).\n\n" +
			"Metformin should not be used in pregnancy unless clearly necessary.\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	judge := "http://" + closed.Addr().String()
	closed.Close()
	common := []string{"--dataset", "benchmark.json", "--corpus", "docs", "--judge", "ollama:llama3.1:8b", "--judge-url", judge, "--judge-optional",
		"--set", "cache=off", "--metrics", "passage_mrr,faithfulness", "--formats", "markdown,json"}
	for _, test := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"compare", "--configs", "sparse,hybrid"}, cli.ExitOK, []string{"passage_mrr", "is not judged: its judge was unreachable"}},
		{[]string{"run"}, cli.ExitOK, []string{"passage_mrr", "not judged: "}},
		{[]string{"run", "--gate", "passage_mrr >= 0.5"}, cli.ExitOK, []string{"PASS"}},
		{[]string{"run", "--gate", "passage_mrr <= 0.5"}, cli.ExitThreshold, []string{"FAIL"}},
		{[]string{"run", "--gate", "faithfulness >= 0.5"}, cli.ExitThreshold, []string{"none of 2 cases could be scored"}},
	} {
		code, out, errs := session(dir, nil, append(test.args, common...)...)
		if code != test.code {
			t.Errorf("%q: exit code %d, want %d:\n%s%s", test.args, code, test.code, out, errs)
		}
		for _, want := range test.want {
			if !strings.Contains(out+errs, want) {
				t.Errorf("%q: no %q in:\n%s%s", test.args, want, out, errs)
			}
		}
	}
	// What was skipped is in the files, and the stored run can be reported again.
	for _, name := range []string{"results/comparison.md", "results/eval_report.md"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), "judged: ") {
			t.Errorf("%s does not say what was skipped: %v\n%s", name, err, text)
		}
	}
	// Every case is asked. What is left is the judge's.
	if code, out, errs := session(dir, nil, "runs"); code != cli.ExitOK || strings.Count(out, "unjudged  2/2") != 6 {
		t.Errorf("exit code %d:\n%s%s", code, out, errs)
	}
	if code, out, errs := session(dir, nil, "cases", "latest", "--where", "passage_mrr>=0"); code != cli.ExitOK || !strings.Contains(errs, "2 of 2 cases selected") {
		t.Errorf("exit code %d:\n%s%s", code, out, errs)
	}
	if code, out, errs := session(dir, nil, "report", "latest"); code != cli.ExitOK || !strings.Contains(out, "passage_mrr") {
		t.Errorf("exit code %d:\n%s%s", code, out, errs)
	}
}
