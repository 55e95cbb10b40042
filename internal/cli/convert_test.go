package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/require"
)

// A convertedCase is a case in the report of a converted project.
type convertedCase struct {
	ID   string `json:"id"`
	Want struct {
		Checks []assay.Check `json:"checks"`
	} `json:"want"`
	Answer string `json:"answer"`
	Scores map[string]struct {
		State string  `json:"state"`
		Value float64 `json:"value"`
	} `json:"scores"`
}

// passed is the verdict of assay on a case.
func (c convertedCase) passed() bool { return c.Scores["checks_passed"].Value == 1 }

// verdicts are those on the checks of a case, in the order of promptfoo: a set, and then
// its members. A threshold of a test is a set without a verdict of its own there.
func (c convertedCase) verdicts(ctx context.Context) []bool {
	r := &assay.Response{Answer: c.Answer}
	all := c.Want.Checks
	if len(all) == 1 && all[0].Kind == assay.CheckSet && all[0].Threshold != nil {
		all = all[0].Checks
	}
	var out []bool
	for _, one := range all {
		result := checks.Run(ctx, one, checks.Subject{Case: &assay.Case{ID: c.ID}, Response: r})
		out = append(out, result.Passed || checks.Weight(one) == 0)
		for _, of := range result.Of {
			out = append(out, of.Passed)
		}
	}
	return out
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
func reported(t *testing.T, dir, run string) map[string]convertedCase {
	t.Helper()
	code, stdout, stderr := runCLI(t, dir, "report", run, "--format", "json")
	var report struct {
		Cases []convertedCase `json:"cases"`
	}
	if err := json.Unmarshal([]byte(stdout), &report); code != 0 || err != nil {
		t.Fatalf("report %s: exit code %d, %v\n%s", run, code, err, stderr)
	}
	out := map[string]convertedCase{}
	for _, c := range report.Cases {
		out[c.ID] = c
	}
	return out
}

// Promptfoo itself judged the example (scripts/formats/promptfoo-project.sh); assay reaches the
// same verdict on every case and every assertion, for both of its providers.
func TestConvertedPromptfooAgrees(t *testing.T) {
	t.Parallel()
	require.Command(t, "python3")
	project := filepath.Join(require.Root(), "internal", "convert", "testdata", "promptfoo")
	raw, err := os.ReadFile(filepath.Join(project, "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var theirs struct {
		Cases []struct {
			Provider, Output string
			Test             int
			Passed           bool
			Assertions       []struct {
				Type   string
				Passed bool
			}
		}
	}
	if err := json.Unmarshal(raw, &theirs); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if code, _, stderr := runCLI(t, dir, "convert", project, "--output", "out"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	out := filepath.Join(dir, "out")
	if code, stdout, stderr := runCLI(t, out, "run"); code != cli.ExitThreshold {
		t.Fatalf("exit code %d: want %d, since cases fail\n%s%s", code, cli.ExitThreshold, stdout, stderr)
	}
	if code, stdout, stderr := runCLI(t, out, "run", "--config", "eval-config-2.yaml"); code != cli.ExitThreshold {
		t.Fatalf("exit code %d: want %d, since cases fail\n%s%s", code, cli.ExitThreshold, stdout, stderr)
	}
	compared := 0
	ours := map[string]map[string]convertedCase{"program": reported(t, out, "program"), "function": reported(t, out, "function")}
	for _, their := range theirs.Cases {
		name := fmt.Sprintf("%s test-%d", their.Provider, their.Test+1)
		our, ok := ours[their.Provider]["test-"+strconv.Itoa(their.Test+1)]
		switch {
		case !ok:
			t.Errorf("%s: no such case", name)
			continue
		case our.Answer != their.Output:
			t.Errorf("%s: answer %q, of promptfoo %q", name, our.Answer, their.Output)
		case our.passed() != their.Passed:
			t.Errorf("%s: passed %v, by promptfoo %v", name, our.passed(), their.Passed)
		}
		verdicts := our.verdicts(t.Context())
		if len(verdicts) != len(their.Assertions) {
			t.Errorf("%s: %d checks, of promptfoo %d", name, len(verdicts), len(their.Assertions))
			continue
		}
		for i, a := range their.Assertions {
			compared++
			if verdicts[i] != a.Passed {
				t.Errorf("%s: %s (%d): passed %v, by promptfoo %v", name, a.Type, i+1, verdicts[i], a.Passed)
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d assertions compared: want those of the whole example", compared)
	}
}

// DeepEval judges the example here; assay reaches the same verdict on every test and metric.
func TestConvertedDeepEvalAgrees(t *testing.T) {
	t.Parallel()
	python := require.Env(t, "ASSAY_DEEPEVAL_PYTHON")
	project := filepath.Join(require.Root(), "internal", "convert", "testdata", "deepeval")
	script := filepath.Join(require.Root(), "scripts", "formats", "deepeval-project.py")
	cmd := exec.CommandContext(t.Context(), python, "-P", script, project)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs map[string]struct {
		Passed  bool
		Metrics []struct {
			Type   string
			Passed bool
		}
	}
	if err := json.Unmarshal(raw, &theirs); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	dir := t.TempDir()
	if code, _, stderr := runCLI(t, dir, "convert", project, "--output", "out", "--python", python); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	out := filepath.Join(dir, "out")
	if code, stdout, stderr := runCLI(t, out, "run", "--name", "converted"); code != cli.ExitThreshold {
		t.Fatalf("exit code %d: want %d, since cases fail\n%s%s", code, cli.ExitThreshold, stdout, stderr)
	}
	ours := reported(t, out, "converted")
	if len(ours) != len(theirs) || len(ours) < 10 {
		t.Errorf("%d cases, of DeepEval %d", len(ours), len(theirs))
	}
	for id, their := range theirs {
		our, ok := ours[id]
		if !ok {
			t.Errorf("%s: no such case", id)
			continue
		}
		if our.passed() != their.Passed {
			t.Errorf("%s: passed %v, by DeepEval %v", id, our.passed(), their.Passed)
		}
		verdicts := our.verdicts(t.Context())
		if len(verdicts) != len(their.Metrics) {
			t.Errorf("%s: %d checks, of DeepEval %d", id, len(verdicts), len(their.Metrics))
			continue
		}
		for i, m := range their.Metrics {
			if verdicts[i] != m.Passed {
				t.Errorf("%s: %s passed %v, by DeepEval %v", id, m.Type, verdicts[i], m.Passed)
			}
		}
	}
}

// Providers over HTTP become targets that get the prompt, the variables and the headers, and the
// answer is read where the project says that it is.
func TestConvertedHTTP(t *testing.T) {
	t.Parallel()
	var asked sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked.Store(r.URL.Path+" "+r.Header.Get("Authorization"), string(body))
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/chat/completions") {
			fmt.Fprint(w, `{"choices": [{"message": {"content": "The limit is $500, says the model."}}]}`)
			return
		}
		fmt.Fprint(w, `{"data": [{"text": "The limit is $500."}], "answer": "not this"}`)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	config := fmt.Sprintf(`
prompts: ['Answer {{question}} for {{department}}']
providers:
  - id: %[1]s/ask
    label: rag
    config:
      headers: {Authorization: Bearer sk-live}
      body: {query: '{{prompt}}', department: '{{department}}', limit: 3}
      transformResponse: json.data[0].text
  - id: openai:chat:small
    config: {apiBaseUrl: '%[1]s/v1', apiKeyEnvar: MODEL_KEY, temperature: 0}
tests:
  - vars: {question: What is the limit?, department: sales}
    assert: [{type: contains, value: $500}, {type: ends-with-nothing}]
`, server.URL)
	if err := os.WriteFile(filepath.Join(dir, "promptfooconfig.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := runCLI(t, dir, "convert", ".", "--output", "out"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	out := filepath.Join(dir, "out")
	if err := os.WriteFile(filepath.Join(out, ".env"), []byte("AUTHORIZATION=secret\nMODEL_KEY=key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := runCLI(t, out, "run"); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := runCLI(t, out, "run", "--config", "eval-config-2.yaml"); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for name, want := range map[string]string{"rag": "The limit is $500.", "openai:chat:small": "The limit is $500, says the model."} {
		if c := reported(t, out, name)["test-1"]; c.Answer != want || !c.passed() {
			t.Errorf("%s: %+v, want %s", name, c, want)
		}
	}
	for at, want := range map[string]string{
		"/ask Bearer secret": `{"department":"sales","limit":3,"query":"Answer What is the limit? for sales"}`,
		"/v1/chat/completions Bearer key": `{"messages":[{"content":"Answer What is the limit? for sales","role":"user"}],"model":"small","stream":false,` +
			`"temperature":0}`,
	} {
		if got, _ := asked.Load(at); got != want {
			t.Errorf("%s got %v, want %s", at, got, want)
		}
	}
}
