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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/quickstart"
	"github.com/assay-eval/assay/internal/require"
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

// A comparison that is stopped in its second run keeps the first, and says how
// to go on; what it says works.
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
		fmt.Fprintf(&gold, `{"id": "q%d", "question": "How many days?", "expected_sources": ["a.md"], "expected_answer_contains": ["24"]}`+"\n", i)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("gold.jsonl", gold.String())
	write("eval-config.yaml", fmt.Sprintf("dataset: gold.jsonl\nmetrics: [answer_keyword_recall]\nconfigs:\n  a: {endpoint: %[1]s/first}\n  b: {endpoint: %[1]s/second}\n  c: {endpoint: %[1]s/third}\n", server.URL))
	code, out, errs := session(dir, asked, "compare")
	if code != cli.ExitInterrupted || out != "" {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	said := regexp.MustCompile(`interrupted in "b", after (\d) of 6 cases`).FindStringSubmatch(errs)
	resume := regexp.MustCompile(`assay (run --resume=\S+) continues b`).FindStringSubmatch(errs)
	then := regexp.MustCompile(`then assay (compare \S+ \S+) compares`).FindStringSubmatch(errs)
	if said == nil || said[1] == "6" || resume == nil || then == nil || strings.Contains(errs, "third") {
		t.Fatalf("it says:\n%s", errs)
	}
	if code, out, errs := session(dir, nil, strings.Fields(resume[1])...); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if code, out, errs := session(dir, nil, strings.Fields(then[1])...); code != cli.ExitOK || !strings.Contains(out, "all 6 cases have the same value in both") {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
}

// TestComparingGuide runs the sessions of the guide and compares them line by
// line, but for the times that it took.
func TestComparingGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(require.Root(), "docs", "comparing.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := quickstart.Write(filepath.Join(dir, "results", "quickstart")); err != nil {
		t.Fatal(err)
	}
	sessions := regexp.MustCompile("(?ms)^```\n\\$ assay (compare (?:[^\n]*\\\\\n)*[^\n]*)\n(.*?)^```$").FindAllStringSubmatch(string(guide), -1)
	if len(sessions) != 2 {
		t.Fatalf("%d sessions, want 2", len(sessions))
	}
	// A latency, the place that it gives, and the widths of their columns.
	timed := regexp.MustCompile(`(?m)^.* (ms|µs|s)  .*$|^ run .*$`)
	for _, s := range sessions {
		code, out, errs := session(dir, nil, strings.Fields(strings.ReplaceAll(s[1], "\\\n", " "))...)
		if code != cli.ExitOK {
			t.Fatalf("%s: exit code %d\n%s", s[1], code, errs)
		}
		if d := cmp.Diff(timed.ReplaceAllString(s[2], ""), timed.ReplaceAllString(out, "")); d != "" {
			t.Errorf("%s (-guide +command):\n%s", s[1], d)
		}
	}
}
