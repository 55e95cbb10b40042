package cli_test

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/cli"
)

// page reads the page that a command named, waiting while it is being prepared.
func (l *live) page() string {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, l.url, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode == http.StatusAccepted {
		return l.page()
	}
	if err != nil || res.StatusCode != http.StatusOK {
		l.t.Fatalf("%s: status %d, %v: %s", l.url, res.StatusCode, err, text)
	}
	return string(text)
}

// TestView opens the runs of the database and of report files. The pages take labels, and
// start nothing.
func TestView(t *testing.T) {
	h := newHarness(t)
	h.assay(0, "run", "--dataset", "gold.jsonl", "--name", "first")
	l := startLive(t, h.dir, "view", "--no-browser")
	if text := l.page(); !strings.Contains(text, ">first</a>") {
		t.Errorf("no run in the list: %s", text)
	}
	l.url = strings.TrimSuffix(l.url, "/")
	l.ask("POST", "/api/v1/runs", `{"dataset":"gold.jsonl"}`, "", 403)
	l.end()

	l = startLive(t, h.dir, "view", "first", "--no-browser")
	u, err := url.Parse(l.url)
	if err != nil || !strings.HasPrefix(u.Path, "/runs/") || !strings.Contains(l.page(), "<h1 dir=\"auto\">first</h1>") {
		t.Errorf("%s is not the page of the run", l.url)
	}
	l.end()

	before, err := filepath.Glob(filepath.Join(os.TempDir(), "assay-view-*"))
	if err != nil {
		t.Fatal(err)
	}
	h.assay(1, "run", "--dataset", "gold.jsonl", "--name", "gated", "--gate", "errors >= 100%", "--threshold", "hit@1=0", "--quiet")
	h.assay(0, "report", "gated", "--format", "json", "--output", "gated.json")
	for _, of := range []string{"gated", "gated.json"} {
		l = startLive(t, h.dir, "view", of, "--no-browser")
		if text := l.page(); !strings.Contains(text, ">FAIL<") || strings.Contains(text, ">PASS</strong> the threshold") {
			t.Errorf("%s: not the verdict of the run: %s", of, text)
		}
		l.end()
	}
	h.assay(0, "report", "first", "--format", "json", "--output", "report.json")
	l = startLive(t, h.dir, "view", "report.json", "--no-browser", "--store", "nowhere.db")
	if !strings.Contains(l.page(), "<h1 dir=\"auto\">first</h1>") {
		t.Errorf("%s is not the page of the report", l.url)
	}
	l.end()
	after, err := filepath.Glob(filepath.Join(os.TempDir(), "assay-view-*"))
	if err != nil || len(after) > len(before) {
		t.Errorf("%v: a database of a report was left behind, %v", after, err)
	}

	said := h.assay(cli.ExitFatal, "view", "--store", "nowhere.db")
	h.wants(said, `nowhere.db`, `hint: --store names another one`)
	said = h.assay(cli.ExitFatal, "view", "--addr", "0.0.0.0:0")
	h.wants(said, `expected an address of this machine alone`, `assay serve`)
	said = h.assay(cli.ExitFatal, "view", "first", "report.json")
	h.wants(said, `either report files or runs`)
}
