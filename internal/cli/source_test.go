package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/require"
)

// example writes the JSON that follows a heading of a shared source as a dataset.
func example(t *testing.T, source, heading string) (dir string) {
	t.Helper()
	text, err := os.ReadFile(require.Shared(t, "sources/"+source))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), heading)
	_, after, _ = strings.Cut(after, "```json\n")
	body, _, found := strings.Cut(after, "```")
	if !found {
		t.Fatalf("%s: no JSON after %q", source, heading)
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "set.json"), []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestSourceBenchmark scores the retrieval of the framework's example by passages.
func TestSourceBenchmark(t *testing.T) {
	t.Parallel()
	dir := example(t, "002_651da98959f25aaf.txt", "### Example")
	const responses = `{"question": "What is the ICD-10 code for type 2 diabetes?", "contexts": ["Asthma is J45 in the same list.", "ICD-10 code for type 2 DIABETES mellitus is E11."]}
{"question": "When should metformin be avoided?", "contexts": ["Metformin should not be used in pregnancy unless  clearly necessary."]}
`
	if err := os.WriteFile(filepath.Join(dir, "r.jsonl"), []byte(responses), 0o644); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := command(t, dir, nil, "run", "--adapter", "recorded", "--dataset", "set.json", "--responses", "r.jsonl",
		"--metrics", "passage_mrr,passage_hit@5,passage_recall@5")
	// The first match is at rank 2 and at rank 1; one of two passages of the second is found.
	for _, want := range []string{"passage_mrr 0.750", "passage_hit@5 1.000", "passage_recall@5 0.750"} {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), want) {
			t.Errorf("exit %d, want %s:\n%s%s", code, want, stdout, stderr)
		}
	}
}

// TestSourceCriticalCase exits with 2 if the critical case of the requirements fails.
func TestSourceCriticalCase(t *testing.T) {
	t.Parallel()
	const other = `{"id": "tc_002", "answer": "Click 'Forgot Password' on the login page.", "contexts": []}` + "\n"
	for _, c := range []struct {
		response string
		code     int
	}{
		{`{"id": "tc_001", "answer": "Full refund within 30 days of purchase.", "contexts": [{"document": "policy.md", "text": "p"}]}`, 0},
		{`{"id": "tc_001", "answer": "Within 14 days.", "contexts": [{"document": "returns.md", "text": "r"}]}`, 2},
	} {
		dir := example(t, "003_d00c16e062c92002.txt", "### Schema")
		if err := os.WriteFile(filepath.Join(dir, "r.jsonl"), []byte(c.response+"\n"+other), 0o644); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := command(t, dir, nil, "run", "--adapter", "recorded", "--dataset", "set.json", "--responses", "r.jsonl",
			"--metrics", "hit@5,token_f1")
		if code != c.code {
			t.Errorf("exit %d, want %d:\n%s%s", code, c.code, stdout, stderr)
		}
	}
}
