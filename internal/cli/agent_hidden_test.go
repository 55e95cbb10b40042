package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// A key that is too short to be removed from arbitrary text is still hidden where its
// position marks it as secret: in a URL, in a setting and in a request.
func TestAgentShortSecrets(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"answer": "yes", "contexts": [{"source": "policy.md", "text": "Refunds."}]}`)
	}))
	defer s.Close()
	a := newAgent(t, `send: {q: "{{question}}", password: "hush-5"}`)
	endpoint := strings.Replace(s.URL, "http://", "http://ann:hush-1@", 1) + "/?api_key=hush-2"
	code, stdout, stderr := a.run("run", "--adapter", "http", "--endpoint", endpoint, "--dataset", "tests.json", "--value", "token=hush-3",
		"--header", "X-Key: hush-4", "--formats", "markdown,json,html,csv")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	shown := stdout + stderr
	files, err := filepath.Glob(filepath.Join(a.dir, "results", "*"))
	if err != nil || len(files) < 5 {
		t.Fatalf("files %q, %v", files, err)
	}
	for _, f := range files {
		shown += a.read(filepath.Join("results", filepath.Base(f)))
	}
	for _, secret := range []string{"hush-1", "hush-2", "hush-3", "hush-4", "hush-5", "xxxxx"} {
		if at := strings.Index(shown, secret); at >= 0 {
			t.Errorf("%s is shown: %.200q", secret, shown[max(at-80, 0):])
		}
	}
	holds(t, "standard output", stdout, "http://ann:[secret]@127.0.0.1", "/?api_key=[secret]")
}

// Disabled verification of certificates is reported wherever a run is described.
func TestAgentInsecure(t *testing.T) {
	t.Parallel()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"answer": "yes", "contexts": [{"source": "policy.md", "text": "Refunds."}]}`)
	}))
	defer s.Close()
	a := newAgent(t, "")
	code, stdout, stderr := a.run("run", "--adapter", "http", "--endpoint", s.URL, "--dataset", "tests.json", "--set", "http.tls.insecure")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	const said = "the certificate of the target is not checked"
	holds(t, "standard output", stdout, said)
	for _, ending := range []string{"md", "json", "html"} {
		holds(t, ending, a.read("results/eval_report."+ending), said)
	}
}

// A judge whose replies are unusable ends the run. A hint says how to go on, and
// following it asks again.
func TestAgentUnusableJudge(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	a := newAgent(t, "")
	a.write("judge.yaml", "simulate: true\nfaults: {rate: 1, seed: 7, kinds: [truncated]}\n")
	args := []string{"run", "--adapter", "http", "--endpoint", d.URL + "/query", "--dataset", "tests.json", "--header",
		"Authorization: Bearer " + agentToken, "--metrics", "faithfulness", "--judge", "fake:judge.yaml"}
	code, _, stderr := a.run(args...)
	if code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	holds(t, "standard error", stderr, "no ruling on the first 3 cases", "resumes it")
	a.write("judge.yaml", "simulate: true\n")
	if code, _, stderr := a.run("run", "--resume"); code != 0 {
		t.Errorf("with --resume: exit code %d: %s", code, stderr)
	}
}

// A message names the preset once.
func TestAgentPresetMessage(t *testing.T) {
	t.Parallel()
	a := newAgent(t, "")
	code, _, stderr := a.run("run", "--adapter", "http", "--preset", "chroma", "--dataset", "tests.json")
	if code != 3 || !strings.HasPrefix(stderr, "assay: preset chroma: missing --value collection=") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
