package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kballard/go-shellquote"

	"github.com/assay-eval/assay/internal/cli"
)

// session runs a command in a folder.
func session(dir string, interrupted <-chan struct{}, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Now: time.Now, Version: "test", Interrupted: interrupted,
		Getenv: func(name string) string {
			if name == "HOME" {
				return dir
			}
			return ""
		},
	}, args)
	return code, out.String(), errs.String()
}

// A comparison that is interrupted in its second run stores the first and prints how to
// continue. That command works.
func TestCompareInterrupted(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	var once sync.Once
	var first sync.WaitGroup
	first.Add(1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/second" {
			once.Do(func() { close(asked); first.Done() })
			first.Wait()
		}
		fmt.Fprintf(w, `{"answer": "24 days, says %s", "contexts": []}`, r.URL.Path)
	}))
	defer server.Close()
	dir := t.TempDir()
	var gold strings.Builder
	for i := range 6 {
		fmt.Fprintf(&gold, `{"id": "q%d", "question": "How many days?", "expected_sources": ["a.md"], "expected_answer_contains": ["24"]}`+"\n",
			i)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("gold.jsonl", gold.String())
	write("eval-config.yaml",
		fmt.Sprintf("dataset: gold.jsonl\nmetrics: [answer_keyword_recall]\nconfigs:\n  a: {endpoint: %[1]s/first}\n  b: {endpoint: "+
			"%[1]s/second}\n  c: {endpoint: %[1]s/third}\n", server.URL))
	code, out, errs := session(dir, asked, "compare", "--store", "kept here/runs.db")
	if code != cli.ExitInterrupted || out != "" {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	said := regexp.MustCompile(`interrupted in "b", after (\d) of 6 cases`).FindStringSubmatch(errs)
	resume := regexp.MustCompile(`assay (run --resume=\S+ --store='kept here/runs.db') resumes b`).FindStringSubmatch(errs)
	then := regexp.MustCompile(`then assay (compare \S+ \S+ --store='kept here/runs.db') compares`).FindStringSubmatch(errs)
	if said == nil || said[1] == "6" || resume == nil || then == nil || strings.Contains(errs, "third") {
		t.Fatalf("it says:\n%s", errs)
	}
	words := func(line string) []string {
		w, err := shellquote.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if code, out, errs := session(dir, nil, words(resume[1])...); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if code, out, errs := session(dir, nil, words(then[1])...); code != cli.ExitOK ||
		!strings.Contains(out, "all 6 cases have the same value in both") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
}

// A comparison that cannot be completed fails before the first case, because runs may
// cost money.
func TestCompareChecksWhatComesOfItFirst(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, `{"answer": "24 days", "contexts": []}`)
	}))
	defer server.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gold.jsonl": `{"id": "q", "question": "How many days?", "expected_sources": ["a.md"], "expected_answer_contains": ["24"]}` + "\n",
		"eval-config.yaml": fmt.Sprintf("dataset: gold.jsonl\nmetrics: [answer_keyword_recall]\nconfigs:\n  a: {endpoint: %[1]s/first}\n  b: "+
			"{endpoint: %[1]s/second}\n", server.URL),
		"file": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--primary", "nonsense"}, `primary: unknown metric "nonsense"`},
		{[]string{"--primary", "hit@3"}, `primary: "a" does not have the metric "hit@3": expected one of ["answer_keyword_recall"]`},
		{[]string{"--output", "results/"}, `output "results/": expected a base name`},
		{[]string{"--output", ".md"}, `output ".md": expected a base name`},
		{[]string{"--output", "file/eval"}, `output: lstat `},
		{[]string{"--configs", "a,c.yaml"}, `config "c.yaml": no such file`},
		{[]string{"--configs", "a,,b"}, "expected comma-separated names"},
	} {
		code, out, errs := session(dir, nil, append([]string{"compare"}, test.args...)...)
		if code != cli.ExitFatal || out != "" || !strings.Contains(errs, test.want) {
			t.Errorf("%q: exit code %d, want %q:\n%s%s", test.args, code, test.want, out, errs)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d questions were asked", n)
	}
	// Commas, repeats and following words are the same, and so is what is remembered.
	for _, args := range [][]string{{"--configs", "a,", "b"}, {"--configs", "a", "b,"}, {"--configs=a", "--configs=b"}} {
		code, _, errs := session(dir, nil, append([]string{"compare", "--quiet"}, args...)...)
		page, err := os.ReadFile(filepath.Join(dir, "results", "comparison.md"))
		if code != cli.ExitOK || err != nil || !strings.Contains(string(page), "--configs=a,b") {
			t.Errorf("%q: exit code %d, %v\n%s%s", args, code, err, errs, page)
		}
	}
	if n := asked.Load(); n != 6 {
		t.Errorf("%d questions, want 3 × 2", n)
	}
	// A run beside itself is an error alone, and no comparison.
	code, out, errs := session(dir, nil, "compare", "b", "latest")
	if code != cli.ExitFatal || out != "" || !strings.Contains(errs, "are the same run") {
		t.Errorf("one run twice: exit code %d\n%s%s", code, out, errs)
	}
	// Stored runs are not run again; the level is that of the comparison.
	code, _, errs = session(dir, nil, "compare", "a", "b", "--limit", "3", "--dataset", "x")
	if code != cli.ExitFatal || !strings.Contains(errs, "--limit, --dataset: no effect on stored runs") {
		t.Errorf("idle flags: exit code %d\n%s", code, errs)
	}
	code, out, errs = session(dir, nil, "compare", "a", "b", "--level", "0.9")
	if code != cli.ExitOK || !strings.Contains(out, "can be shown at 90 %") || strings.Contains(out, "95 %") {
		t.Errorf("--level 0.9: exit code %d\n%s%s", code, out, errs)
	}
}
