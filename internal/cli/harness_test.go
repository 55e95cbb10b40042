package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
)

// A harness is a copy of examples/harness.
type harness struct {
	t   *testing.T
	dir string
}

func newHarness(t *testing.T) harness {
	t.Helper()
	h := harness{t, t.TempDir()}
	from := filepath.Join(requiretest.Root(), "examples", "harness")
	for _, pattern := range []string{"*.*", "docs/*"} {
		files, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, f := range files {
			name, err := filepath.Rel(from, f)
			if err != nil {
				t.Fatal(err)
			}
			h.write(name, h.mustRead(f))
		}
	}
	return h
}

func (h harness) mustRead(path string) string {
	h.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

func (h harness) read(name string) string { return h.mustRead(filepath.Join(h.dir, name)) }

func (h harness) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// assay runs a command, which must end with the code, and returns its output.
func (h harness) assay(code int, args ...string) string {
	h.t.Helper()
	var out bytes.Buffer
	env := &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: h.dir, Now: time.Now, Width: 120, Version: "test",
		Getenv: func(name string) string {
			if name == "XDG_CACHE_HOME" {
				return filepath.Join(h.dir, "cache")
			}
			return ""
		},
		Interrupted: make(chan struct{}),
	}
	if got := cli.Main(h.t.Context(), env, args); got != code {
		h.t.Errorf("assay %s: exit code %d, want %d:\n%s", strings.Join(args, " "), got, code, out.String())
	}
	return out.String()
}

func (h harness) wants(text string, patterns ...string) {
	h.t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile("(?m)" + p).MatchString(text) {
			h.t.Errorf("want %s in\n%s", p, text)
		}
	}
}

// TestHarness runs the example harness as CI does: what passes, what fails and why, and
// that only an explicit command writes the baseline.
func TestHarness(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	committed := h.read("baseline.json")

	// As it stands it passes; the questions leave room to get worse and better.
	h.wants(h.assay(0, "run", "-v"),
		`^ hit@1 +0\.900 `, `^ hit@3 +1\.000 `, `^ hit@5 +1\.000 `, `^ mrr +0\.950 `, `^ precision@5 +0\.240 `, `^ ndcg@5 +0\.959 `,
		`^ keyword_recall@5 +0\.900 `,
		`gate +PASS · all 3 rules are met`, `^ hit@3 vs baseline >= 0 +PASS +1\.000 +1\.000 +±0\.000`, `^ hit@1 +tracked `,
		`^ keyword_recall@5 +tracked `)

	// An MRR that is 0.025 lower is within its 0.03.
	h.wants(h.assay(0, "run", "-v", "--chunk-size", "60"), `^ mrr vs baseline >= -0\.03 +PASS +0\.950 +0\.925 +−0\.025`)
	// One that is 0.05 lower is not.
	h.wants(h.assay(1, "run", "-v", "--retriever", "dense"), `^ hit@3 vs baseline >= 0 +PASS`, `gate mrr vs baseline >= -0\.03: fail`)
	// A hit lost is one too many, whether by another retriever or a document that is gone.
	h.wants(h.assay(1, "run", "--retriever", "sparse"), `FAIL · hit@3 vs baseline >= 0: 1\.000 → 0\.950 \(−0\.050, .*n 20\); lost most: q18`)
	glossary := filepath.Join(h.dir, "docs", "glossary.txt")
	if err := os.Rename(glossary, glossary+".away"); err != nil {
		t.Fatal(err)
	}
	h.assay(1, "run", "--unreadable", "skip", "--quiet")
	h.wants(h.assay(1, "gate"), `FAIL · hit@3 vs baseline >= 0`, `the corpus differs from the baseline's`)
	if err := os.Rename(glossary+".away", glossary); err != nil {
		t.Fatal(err)
	}

	// A gold set that grew is refused until there is a new baseline.
	gold := h.read("gold.jsonl")
	h.write("gold.jsonl", gold+`{"id": "q21", "question": "What is a stockout?", "expected_sources": ["glossary.txt"]}`+"\n")
	h.wants(h.assay(1, "run"), `does not apply to this run: the dataset differs`,
		`baseline refused: the gold set has 21 cases, the baseline was saved on 20`)
	if got := h.read("baseline.json"); got != committed {
		t.Error("a run has changed the baseline")
	}
	h.wants(h.assay(0, "baseline", "save", "--print"), `^eval delta:$`, `^  hit@3: +1\.000 -> 1\.000 \(\+0\.000\)$`,
		`^  mrr: +0\.950 -> 0\.952 \(\+0\.002\)$`)
	h.assay(0, "run", "--quiet")

	// Without the file nothing passes.
	if err := os.Remove(filepath.Join(h.dir, "baseline.json")); err != nil {
		t.Fatal(err)
	}
	h.wants(h.assay(3, "run"), `baseline baseline.json: no such file or directory`)
	// The smoke test of the guide.
	h.assay(0, "run", "--baseline=", "--gate", "hit@5 >= 0.5", "--quiet")
}

// The committed baseline matches the committed harness: a newly saved one differs only
// in its time and version.
func TestHarnessBaselineIsCurrent(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	committed := h.read("baseline.json")
	h.assay(0, "run", "--quiet")
	h.assay(0, "baseline", "save", "--reason", "the first baseline of this harness")
	varies := regexp.MustCompile(`(?m)^  "(run|created|assay)": .*$`)
	if is, want := varies.ReplaceAllString(h.read("baseline.json"), ""), varies.ReplaceAllString(committed, ""); is != want {
		t.Errorf("saved now:\n%s\ncommitted:\n%s", is, want)
	}
}
