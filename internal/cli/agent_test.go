package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
)

// The tests of this file run what the requirements of the evaluation agent show:
// its configuration file and its command line as they are written there, against
// a system behind HTTP.

// agentConfig is the configuration file of the requirements, but for the address.
const agentConfig = `# Adapter settings
adapter: http
endpoint: "%s/query"

# HTTP authentication
http:
  headers:
    Authorization: "Bearer ${RAG_API_TOKEN}"
  timeout: 30
  slow_threshold: 5

# Execution settings
concurrency: 5
retry:
  max_attempts: 3
  backoff: exponential  # or "fixed"

# Metric weights (normalized percentages)
weights:
  faithfulness: 40
  answer_relevance: 20
  context_precision: 20
  context_recall: 20

# Thresholds for CI
thresholds:
  composite: 0.8
  faithfulness: 0.85
  answer_relevance: 0.7

# Comparison settings
comparison:
  semantic_similarity_threshold: 0.85
  embedding_model: "all-MiniLM-L6-v2"

# Output settings
output:
  directory: "results"
  formats: ["markdown", "json"]
`

const agentToken = "tok-4711-planted-secret"

// agentCases are cases in the form of the requirements.
const agentCases = `{
  "metadata": {"name": "Customer Support QA", "created": "2026-11-15", "version": "1.0"},
  "test_cases": [
    {"id": "tc_001", "question": "What is the refund policy?", "ground_truth": "Full refund within 30 days of purchase.",
	"expected_contexts": ["policy.md"], "critical": true, "tags": ["billing", "policy"]},
    {"id": "tc_002", "question": "How do I reset my password?", "ground_truth": "Click 'Forgot Password' on the login page.",
	"critical": false},
    {"question": "When is the shop open?", "ground_truth": "The shop is open from nine to five.", "tags": ["billing"]}
  ]
}`

// desk is the system under test. It answers correctly, or incorrectly like the
// requirements' failed case.
type desk struct {
	*httptest.Server
	asked atomic.Int64
	wrong atomic.Bool
	down  atomic.Bool
	// echo puts the credentials into every reply.
	echo atomic.Bool
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{}
	d.Server = httptest.NewServer(http.HandlerFunc(d.serve))
	t.Cleanup(d.Close)
	return d
}

func (d *desk) serve(w http.ResponseWriter, r *http.Request) {
	d.asked.Add(1)
	var in struct {
		Question string `json:"question"`
	}
	switch {
	case r.Header.Get("Authorization") != "Bearer "+agentToken:
		http.Error(w, `{"detail": "who are you, `+r.Header.Get("Authorization")+`?"}`, http.StatusUnauthorized)
		return
	case d.down.Load():
		http.Error(w, "no more "+r.Header.Get("Authorization"), http.StatusBadRequest)
		return
	case r.URL.Path != "/query" || json.NewDecoder(r.Body).Decode(&in) != nil:
		http.Error(w, "expected a question at /query", http.StatusBadRequest)
		return
	}
	answer, source, text := "", "", ""
	switch {
	case strings.Contains(in.Question, "refund") && d.wrong.Load():
		answer, source, text = "You can get a refund within 14 days by contacting support.", "returns.md",
			"The shop was founded by two sisters in 1957."
	case strings.Contains(in.Question, "refund"):
		answer, source, text = "The refund policy is a refund policy of full refund within 30 days of purchase.", "policy.md",
			"The refund policy is a full refund within 30 days of purchase."
	case strings.Contains(in.Question, "password"):
		answer, source, text = "To reset your password, click 'Forgot Password' on the login page.", "login.md",
			"To reset your password, click 'Forgot Password' on the login page."
	default:
		answer, source, text = "The shop is open from nine to five.", "hours.md", "The shop is open from nine to five."
	}
	if d.echo.Load() {
		answer += " (" + r.Header.Get("Authorization") + ")"
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"answer": answer, "contexts": []any{map[string]any{"text": text, "source": source}}})
}

// agent runs the command line in a folder with the configuration and the cases.
type agent struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newAgent(t *testing.T, config string) *agent {
	t.Helper()
	a := &agent{t: t, dir: t.TempDir(), env: map[string]string{"RAG_API_TOKEN": agentToken,
		"ASSAY_JUDGE": "offline", "ASSAY_GATE_ALLOW_ESTIMATES": "true"}}
	a.write("tests.json", agentCases)
	if config != "" {
		a.write("eval-config.yaml", config)
	}
	return a
}

func (a *agent) write(name, text string) {
	a.t.Helper()
	if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o644); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) read(name string) string {
	a.t.Helper()
	data, err := os.ReadFile(filepath.Join(a.dir, name))
	if err != nil {
		a.t.Fatal(err)
	}
	return string(data)
}

func (a *agent) run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: a.dir, Now: time.Now, Width: 100, Version: "test",
		Getenv: func(name string) string { return a.env[name] },
	}, args)
	return code, out.String(), errs.String()
}

// holds reports an error if a text lacks one of the parts.
func holds(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

// The configuration file as it is written, with the offline judge: the four metrics are
// estimates, which the policy allows, and the run passes.
func TestAgentConfig(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a := newAgent(t, fmt.Sprintf(agentConfig, d.URL))
	code, stdout, stderr := a.run("run", "--dataset", "tests.json")
	if code != 0 {
		t.Fatalf("exit code %d: %s\n%s", code, stderr, stdout)
	}
	if n := d.asked.Load(); n != 3 {
		t.Errorf("the system was asked %d times: want once a case", n)
	}
	md := a.read("results/eval_report.md")
	holds(t, "the report", md, "Adapter", "http", d.URL+"/query", "composite", "PASS", "0.8", "0.85", "0.7", "p95", "Critical", "billing",
		"policy", "semantic_similarity(threshold=0.85)")
	if _, err := os.Stat(filepath.Join(a.dir, "results/eval_report.html")); err == nil {
		t.Error("a page was written: the formats are Markdown and JSON")
	}
	var rep struct {
		Run struct {
			Target  struct{ Adapter, Endpoint string }
			Metrics []struct {
				Name      string
				Weight    float64
				Threshold *float64
			}
			Config map[string]string
		}
		Gate struct{ Verdict string }
	}
	if err := json.Unmarshal([]byte(a.read("results/eval_report.json")), &rep); err != nil {
		t.Fatal(err)
	}
	if rep.Gate.Verdict != "pass" || rep.Run.Target.Endpoint != d.URL+"/query" || rep.Run.Metrics[0].Name != "composite" ||
		*rep.Run.Metrics[0].Threshold != 0.8 {
		t.Errorf("report %+v", rep)
	}
	if got := rep.Run.Config["http.headers.Authorization"]; got != "Bearer ${RAG_API_TOKEN}" {
		t.Errorf("the header is kept as %q: want it as it was written", got)
	}
	var line struct {
		Composite *float64 `json:"composite_score"`
		Count     int      `json:"test_count"`
		Failures  *int     `json:"failures"`
		Timestamp string   `json:"timestamp"`
	}
	if err := json.Unmarshal([]byte(a.read("results/results.jsonl")), &line); err != nil || line.Composite == nil || *line.Composite < 0.8 ||
		line.Count != 3 || line.Failures == nil || line.Timestamp == "" {
		t.Errorf("history %+v, %v", line, err)
	}
}

// Every flag of the requirements at once.
func TestAgentFlags(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a := newAgent(t, "")
	a.write("c.yaml", "concurrency: 1\n")
	code, stdout, stderr := a.run("run", "--adapter", "http", "--endpoint", d.URL+"/query", "--dataset", "tests.json", "--output",
		"results/report.md",
		"--config", "c.yaml", "--concurrency", "5", "--timeout", "30", "--slow-threshold", "5", "--fail-under", "0.8",
		"--fail-under-faithfulness", "0.9",
		"--header", "Authorization: Bearer "+agentToken, "--verbose")
	if code != 0 {
		t.Fatalf("exit code %d: %s\n%s", code, stderr, stdout)
	}
	holds(t, "standard error", stderr, "3/3 ok", "tc_001 ")
	holds(t, "the report", a.read("results/report.md"), "composite", "faithfulness", "0.9", "PASS")
	for _, what := range []string{stdout, stderr, a.read("results/report.md"), a.read("results/report.json"), a.read("results/report.html")} {
		if strings.Contains(what, agentToken) {
			t.Error("the token of --header is shown")
		}
	}
}

func TestAgentExitCodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		set    func(*desk)
		args   []string
		code   int
		stderr string
	}{
		{"a threshold is missed", nil, []string{"--fail-under-token-f1", "0.99", "--ids", "tc_002"}, 1, "threshold token_f1 >= 0.99: fail"},
		{"a critical case breaks a rule", func(d *desk) { d.wrong.Store(true) }, []string{"--gate", "token_f1.min >= 0.5"}, 2,
			"critical cases failed: first tc_001"},
		{"a critical case beats a threshold", func(d *desk) { d.wrong.Store(true) },
			[]string{"--fail-under", "0.99", "--gate", "token_f1.min >= 0.5"}, 2, "none of the expected evidence"},
		{"the critical case misses its document", func(d *desk) { d.wrong.Store(true) }, []string{"--gate", "token_f1 >= 0.9"}, 2,
			"none of the expected evidence"},
		{"the system fails every case", func(d *desk) { d.down.Store(true) }, []string{"--fail-under", "0.1"}, 3,
			`the target failed all 3 cases; "tc_001": status 400`},
		{"a metric that does not exist", nil, []string{"--fail-under-faithfullness", "0.9"}, 3, `did you mean "faithfulness"?`},
		{"a threshold that is no number", nil, []string{"--fail-under", "high"}, 3, "expected a number"},
		{"a threshold that nothing can reach", nil, []string{"--fail-under", "1.5"}, 3, "from 0 to 1"},
	} {
		d := newDesk(t)
		if test.set != nil {
			test.set(d)
		}
		a := newAgent(t, "")
		args := append([]string{"run", "--adapter", "http", "--endpoint", d.URL + "/query", "--dataset", "tests.json", "--set", "retries=0",
			"--header", "Authorization: Bearer " + agentToken}, test.args...)
		code, stdout, stderr := a.run(args...)
		if code != test.code || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%s: exit code %d, want %d; standard error lacks %q:\n%s\n%s", test.name, code, test.code, test.stderr, stderr, stdout)
		}
		if test.code == 1 || test.code == 2 {
			holds(t, test.name+": the report", a.read("results/eval_report.md"), "FAIL")
		}
	}
}

// The failed case is shown with everything that is known about it.
func TestAgentTrace(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.wrong.Store(true)
	a := newAgent(t, fmt.Sprintf(agentConfig, d.URL))
	if code, _, stderr := a.run("run", "--dataset", "tests.json"); code != 2 {
		t.Fatalf("exit code %d, want 2: %s", code, stderr)
	}
	holds(t, "the report", a.read("results/eval_report.md"), "FAILED, critical: tc\\_001", "What is the refund policy?",
		"The shop was founded by two sisters in 1957.", "returns.md",
		"You can get a refund within 14 days by contacting support.", "Full refund within 30 days of purchase.", "faithfulness",
		"Unsupported claims")
}

// A system that is down ends the run after five cases with exit code 3.
func TestAgentUnreachable(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.Close()
	a := newAgent(t, fmt.Sprintf(agentConfig, d.URL))
	code, _, stderr := a.run("run", "--dataset", "tests.json", "--set", "retries=0")
	if code != 3 || !strings.Contains(stderr, "target unreachable") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// The dry run asks one case, and shows what was sent and how it was read.
func TestAgentDryRun(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a := newAgent(t, fmt.Sprintf(agentConfig, d.URL))
	for _, command := range []string{"run --dry-run", "doctor"} {
		before := d.asked.Load()
		code, stdout, stderr := a.run(append(strings.Fields(command), "--dataset", "tests.json")...)
		if code != 0 || d.asked.Load() != before+1 {
			t.Errorf("%s: exit code %d after %d questions: %s", command, code, d.asked.Load()-before, stderr)
		}
		holds(t, command, stdout, "probe with case tc_001", "POST "+d.URL+"/query", `"question": "What is the refund policy?"`, "200 OK",
			"answer", "contexts", "1 passage of policy.md")
		if strings.Contains(stdout+stderr, agentToken) {
			t.Errorf("%s shows the token", command)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "results")); err == nil {
		t.Error("something was written")
	}
	a.env["RAG_API_TOKEN"] = "wrong-token"
	code, stdout, _ := a.run("doctor", "--dataset", "tests.json")
	if code != 3 {
		t.Errorf("doctor: exit code %d with a wrong token", code)
	}
	holds(t, "doctor", stdout, "FAIL  target", "401")
	delete(a.env, "RAG_API_TOKEN")
	code, _, stderr := a.run("run", "--dataset", "tests.json")
	if code != 3 || !strings.Contains(stderr, "eval-config.yaml:8") || !strings.Contains(stderr, "RAG_API_TOKEN") {
		t.Errorf("an unset variable: exit code %d: %s", code, stderr)
	}
}

// However the token is given, and wherever the system repeats it, nothing stored or
// shown contains it.
func TestAgentSecrets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		given func(*agent) []string
	}{
		{"flag", func(*agent) []string { return []string{"--header", "Authorization: Bearer " + agentToken} }},
		{"variable", func(a *agent) []string {
			a.write("eval-config.yaml", "http:\n  headers:\n    Authorization: Bearer ${RAG_API_TOKEN}\n")
			return nil
		}},
		{"file", func(a *agent) []string {
			a.write("eval-config.yaml", "http: {headers: {Authorization: Bearer "+agentToken+"}}\n")
			return nil
		}},
		{"dotenv", func(a *agent) []string {
			a.write(".env", "RAG_AUTH_HEADER=Bearer "+agentToken+"\n")
			return nil
		}},
		{"environment", func(a *agent) []string {
			a.env["RAG_AUTH_HEADER"] = "Authorization: Bearer " + agentToken
			return nil
		}},
	} {
		d := newDesk(t)
		d.echo.Store(true)
		a := newAgent(t, "")
		args := append([]string{"--adapter", "http", "--endpoint", d.URL + "/query", "--dataset", "tests.json", "--set", "retries=0"},
			test.given(a)...)
		for _, command := range [][]string{{"run"}, {"run", "--dry-run"}, {"doctor"}, {"doctor", "config", "--all"}} {
			code, stdout, stderr := a.run(append(command, args...)...)
			if code != 0 {
				t.Errorf("%s: %v: exit code %d: %s", test.name, command, code, stderr)
			}
			if strings.Contains(stdout+stderr, agentToken) {
				t.Errorf("%s: %v shows the token:\n%s%s", test.name, command, stdout, stderr)
			}
		}
		d.down.Store(true)
		if _, stdout, stderr := a.run(append([]string{"run", "--output", "results/down"}, args...)...); strings.Contains(stdout+stderr,
			agentToken) {
			t.Errorf("%s: a failing run shows the token:\n%s%s", test.name, stdout, stderr)
		}
		files, err := filepath.Glob(filepath.Join(a.dir, "results", "*"))
		if err != nil || len(files) < 8 {
			t.Fatalf("%s: files %q, %v", test.name, files, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte(agentToken)) {
				t.Errorf("%s: %s holds the token", test.name, filepath.Base(f))
			}
		}
		if !strings.Contains(a.read("results/eval_report.json"), "[secret]") {
			t.Errorf("%s: the system's echo of the token went nowhere", test.name)
		}
	}
}

// Headers of the command line override those of the file, which override those of the
// environment, by name.
func TestAgentHeaders(t *testing.T) {
	t.Parallel()
	var got http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		fmt.Fprint(w, `{"answer": "yes", "contexts": [{"source": "policy.md", "text": "Refunds."}]}`)
	}))
	defer s.Close()
	a := newAgent(t, "http:\n  headers:\n    authorization: from-the-file\n    X-File: file\n    X-Both: file\n")
	a.env["RAG_AUTH_HEADER"] = "from-the-environment"
	if code, _, stderr := a.run("run", "--adapter", "http", "--endpoint", s.URL, "--dataset", "tests.json", "--limit", "1", "--header",
		"x-both: flag"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	for name, want := range map[string]string{"Authorization": "from-the-file", "X-File": "file", "X-Both": "flag"} {
		if got.Get(name) != want || len(got.Values(name)) != 1 {
			t.Errorf("header %s: %q, want %q", name, got.Values(name), want)
		}
	}
}

// A resumed run takes its credentials from the current settings, because the store has
// none. Its threshold may change.
func TestAgentResume(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a := newAgent(t, "")
	args := []string{"--adapter", "http", "--endpoint", d.URL + "/query", "--dataset", "tests.json", "--set", "retries=0"}
	// One record is kept; then the budget of time is over.
	stop := make(chan struct{})
	var asked atomic.Int64
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			close(stop)
		}
		d.serve(w, r)
	}))
	defer front.Close()
	args[3] = front.URL + "/query"
	var out, errs bytes.Buffer
	code := cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: a.dir, Now: time.Now, Width: 100, Version: "test",
		Getenv: func(name string) string { return a.env[name] }, Interrupted: stop,
	}, append(append([]string{"run"}, args...), "--header", "Authorization: Bearer "+agentToken))
	if code != 130 {
		t.Fatalf("exit code %d, want 130: %s", code, errs.String())
	}
	if code, _, stderr := a.run("run", "--resume", "--header", "Authorization: Bearer "+agentToken, "--fail-under-token-f1",
		"0.5"); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if n := asked.Load(); n != 3 {
		t.Errorf("the system was asked %d times: want once a case", n)
	}
	holds(t, "the report", a.read("results/eval_report.md"), "≥ 0.5", "PASS", "0 errors")
}

// A system that retrieves but does not answer is scored on retrieval only.
func TestAgentRetrievalOnly(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"results": [{"text": "a", "source": "policy.md"}, {"text": "b", "source": "other.md"}]}`)
	}))
	defer s.Close()
	a := newAgent(t, "")
	code, stdout, stderr := a.run("run", "--adapter", "http", "--endpoint", s.URL, "--dataset", "tests.json", "--fail-under-recall@10", "1",
		"--fail-under-mrr@10", "1")
	if code != 0 {
		t.Fatalf("exit code %d: %s\n%s", code, stderr, stdout)
	}
	var rep struct {
		Summary map[string]struct {
			Mean          *float64
			N             int
			NotApplicable int `json:"not_applicable"`
		}
	}
	if err := json.Unmarshal([]byte(a.read("results/eval_report.json")), &rep); err != nil {
		t.Fatal(err)
	}
	if r := rep.Summary["recall@10"]; r.Mean == nil || *r.Mean != 1 || r.N != 1 {
		t.Errorf("recall %+v: want 1 of one case", r)
	}
	if f := rep.Summary["token_f1"]; f.Mean != nil || f.NotApplicable != 3 {
		t.Errorf("token_f1 %+v: want that it applies to no case", f)
	}
}
