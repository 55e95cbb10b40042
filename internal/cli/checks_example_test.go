package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
)

// originals are what other tools say of the inputs of examples/checks.
type originals struct {
	Tool, Version string
	// Scores are by check and case; nil is a refusal to judge.
	Scores map[string]map[string]*float64
}

// A checkedCase is a case in the report of a run.
type checkedCase struct {
	ID     string `json:"id"`
	Answer string `json:"answer"`
	Scores map[string]struct {
		State string  `json:"state"`
		Value float64 `json:"value"`
	} `json:"scores"`
}

// runCLI runs a command in a folder and returns its exit code and what it printed.
func runCLI(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Getenv: os.Getenv, Now: time.Now, Width: 100,
		Interrupted: make(chan struct{}), Version: "test",
	}
	code = cli.Main(t.Context(), env, args)
	return code, out.String(), errs.String()
}

// reported returns the cases of a stored run by id.
func reported(t *testing.T, dir, run string) map[string]checkedCase {
	t.Helper()
	code, stdout, stderr := runCLI(t, dir, "report", run, "--format", "json")
	var report struct {
		Cases []checkedCase `json:"cases"`
	}
	if err := json.Unmarshal([]byte(stdout), &report); code != 0 || err != nil {
		t.Fatalf("report %s: exit code %d, %v\n%s", run, code, err, stderr)
	}
	out := map[string]checkedCase{}
	for _, c := range report.Cases {
		out[c.ID] = c
	}
	return out
}

// checksExample runs the checks of the example on a copy of it.
func checksExample(t *testing.T) map[string]checkedCase {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"eval-config.yaml", "cases.jsonl", "answers.jsonl"} {
		data, err := os.ReadFile(filepath.Join(requiretest.Root(), "examples", "checks", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, stderr := runCLI(t, dir, "run", "--name", "checks"); code != cli.ExitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	return reported(t, dir, "checks")
}

// agree compares the checks with the originals, and returns how many checks there were.
func agree(t *testing.T, ours map[string]checkedCase, theirs originals) int {
	t.Helper()
	for check, scores := range theirs.Scores {
		if len(scores) != len(ours) {
			t.Errorf("%s: %s judged %d of %d cases", check, theirs.Tool, len(scores), len(ours))
		}
		seen := map[float64]bool{}
		for id, their := range scores {
			our, ok := ours[id].Scores["check."+check]
			switch {
			case !ok || our.State != "scored":
				t.Errorf("%s: %s: %q, and %s judged it", check, id, our.State, theirs.Tool)
			case their == nil:
				if ours[id].Answer != "" {
					t.Errorf("%s: %s: %s refused an answer that is not empty", check, id, theirs.Tool)
				}
			case math.Abs(our.Value-*their) > 1e-9:
				t.Errorf("%s: %s: %v, by %s %v", check, id, our.Value, theirs.Tool, *their)
			default:
				seen[*their] = true
			}
		}
		if len(seen) < 2 {
			t.Errorf("%s: all cases have the same score: want inputs that tell it from another check", check)
		}
	}
	return len(theirs.Scores)
}

// The originals ran on the inputs that are there (originals/record.sh), and each check has the
// scores of its original.
func TestChecksOfOthersAgree(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(requiretest.Root(), "examples", "checks", "originals")
	raw, err := os.ReadFile(filepath.Join(folder, "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Files map[string]string
		Tools []originals
	}
	if err := json.Unmarshal(raw, &recorded); err != nil {
		t.Fatal(err)
	}
	for name, want := range recorded.Files {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); "sha256:"+hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s is not what the originals ran on: want originals/record.sh to record them anew", name)
		}
	}
	ours := checksExample(t)
	n := 0
	for _, theirs := range recorded.Tools {
		n += agree(t, ours, theirs)
	}
	if n < 20 {
		t.Errorf("%d checks compared: want twenty or more", n)
	}
}

// DeepEval judges the inputs here.
func TestChecksOfDeepEvalAgree(t *testing.T) {
	t.Parallel()
	python := requiretest.Env(t, "ASSAY_DEEPEVAL_PYTHON")
	folder := filepath.Join(requiretest.Root(), "examples", "checks", "originals")
	cmd := exec.CommandContext(t.Context(), python, filepath.Join(folder, "deepeval_metrics.py"))
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "PYTHONDONTWRITEBYTECODE=1")
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs originals
	if err := json.Unmarshal(raw, &theirs); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if n := agree(t, checksExample(t), theirs); n != 7 {
		t.Errorf("%d checks compared: want 7", n)
	}
}
