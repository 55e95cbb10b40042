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
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/target/upload/nextcloudtest"
)

// writeDocuments writes a BEIR dataset of n documents, of which the first two
// are relevant.
func writeDocuments(t *testing.T, dir string, n int) {
	t.Helper()
	var docs bytes.Buffer
	for i := range n {
		line, err := json.Marshal(map[string]string{"_id": fmt.Sprintf("D%d", i+1), "title": fmt.Sprintf("Title %d", i+1),
			"text": strings.Repeat(fmt.Sprintf("text of %d. ", i+1), 20)})
		if err != nil {
			t.Fatal(err)
		}
		docs.Write(append(line, '\n'))
	}
	for name, data := range map[string]string{
		"corpus.jsonl": docs.String(), "queries.jsonl": `{"_id": "q1", "text": "first?"}` + "\n" + `{"_id": "q2", "text": "second?"}` + "\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\tD1\t1\nq1\tD3\t0\nq2\tD2\t1\n",
	} {
		path := filepath.Join(dir, "data", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// command runs the program in this process.
func command(t *testing.T, dir string, variables map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	code = cli.Main(context.Background(), &cli.Env{
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &said, Dir: dir, Now: time.Now, Version: "test",
		Getenv: func(name string) string { return variables[name] }, Interrupted: make(chan struct{}),
	}, args)
	for _, s := range []string{out.String(), said.String()} {
		if strings.Contains(s, nextcloudtest.Password) {
			t.Errorf("the password is shown: %s", s)
		}
	}
	return code, out.String(), said.String()
}

func TestCorpusUpload(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	dir := t.TempDir()
	writeDocuments(t, dir, 12)
	password := map[string]string{"NEXTCLOUD_PASSWORD": nextcloudtest.Password}
	run := func(want int, more ...string) string {
		t.Helper()
		args := append([]string{"corpus", "upload", "--to", "nextcloud", "--endpoint", s.URL, "--user", nextcloudtest.User, "--dataset", "data"},
			more...)
		code, stdout, stderr := command(t, dir, password, args...)
		if code != want {
			t.Errorf("exit code %d, want %d:\n%s%s", code, want, stdout, stderr)
		}
		return stdout + stderr
	}
	has := func(out string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("no %q in:\n%s", w, out)
			}
		}
	}
	has(run(0, "--dry-run"), "  documents      12\n", "  new            12  would be sent\n", "/apps/notes/api/v1/notes\n",
		"Authorization: [secret]\n", `"title": "D1 Title 1"`)
	if len(s.Notes()) != 0 {
		t.Fatal("a dry run made notes")
	}
	has(run(0, "--relevant-only", "--queries", "q1"), "  documents       1\n", "  added           1\n")
	has(run(0, "--relevant-only"), "  documents       2\n", "  known           1  ", "  added           1\n")
	has(run(0, "--ids", "D5,D4"), "  added           2\n")
	has(run(0, "--limit", "6"), "  known           4  ", "  added           2\n")
	if out := run(0, "--quiet"); out != "" {
		t.Errorf("not quiet: %s", out)
	}
	has(run(0, "--journal", "other.jsonl"), "  found          12  ")
	if got := len(s.Notes()); got != 12 {
		t.Errorf("%d notes", got)
	}
	s.Change(s.Notes()[0].ID, func(n *nextcloudtest.Note) { n.Content = "changed there" })
	has(run(0, "--journal", "third.jsonl"), "  different       1  ", `left alone: "D1": "D1 Title 1" (`, "hint: --force replaces")
	has(run(0, "--journal", "third.jsonl", "--force"), "  replaced        1\n")
	// One refused document is no reason to leave out the others.
	s.Delete(s.Notes()[0].ID)
	s.Delete(s.Notes()[0].ID)
	n := 0
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		if r.Method != http.MethodPost {
			return nil
		}
		if n++; n == 1 {
			return &nextcloudtest.Fault{Status: 413, Body: "too large for " + nextcloudtest.Password}
		}
		return nil
	})
	has(run(3), "  added           1\n", "  refused         1\n", `status 413 Request Entity Too Large: too large for [secret]`,
		"assay: 1 of 12 documents were not uploaded\n", "hint: the same command retries only these")
	s.Fail(nil)
	has(run(0), "  known          11  ", "  added           1\n")
	password["NEXTCLOUD_PASSWORD"] = "another-password"
	has(run(3), "status 401 Unauthorized", `hint: use an app password of "alice" in NEXTCLOUD_PASSWORD`)
}

func TestCorpusUploadWaits(t *testing.T) {
	t.Parallel()
	s := nextcloudtest.New(t, time.Now)
	dir := t.TempDir()
	writeDocuments(t, dir, 3)
	var calls []string
	s.Fail(func(r *http.Request) *nextcloudtest.Fault {
		switch r.URL.Path {
		case "/index", "/status":
			calls = append(calls, r.Method+" "+r.URL.Path)
			return &nextcloudtest.Fault{Status: 200, Body: `{"indexed": 3}`}
		}
		return nil
	})
	args := []string{"corpus", "upload", "--to", "nextcloud", "--endpoint", s.URL, "--user", nextcloudtest.User, "--dataset", "data",
		"--trigger", "POST /index", "--wait-for"}
	password := map[string]string{"SECRET": nextcloudtest.Password}
	args = append(args, "/status indexed>={{documents}}", "--password-env", "SECRET")
	code, _, stderr := command(t, dir, password, args...)
	if got := strings.Join(calls, ", "); code != 0 || got != "POST /index, GET /status" ||
		!strings.Contains(stderr, "assay: ready: indexed 3\n") {
		t.Errorf("exit code %d after %s:\n%s", code, got, stderr)
	}
	// The MCP server that indexes the notes is not the system that they are sent to.
	indexer := mcp.NewServer(&mcp.Implementation{Name: "indexer", Version: "1"}, nil)
	mcp.AddTool(indexer, &mcp.Tool{Name: "nc_get_vector_sync_status"},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, map[string]int, error) {
			return nil, map[string]int{"indexed_count": 3}, nil
		})
	other := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return indexer }, nil))
	t.Cleanup(other.Close)
	args[len(args)-3] = other.URL + " tool:nc_get_vector_sync_status indexed_count>={{documents}}"
	if code, _, stderr := command(t, dir, password, args...); code != 0 || !strings.Contains(stderr, "assay: ready: indexed_count 3\n") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
	args[len(args)-3] = "/status indexed>3"
	code, _, stderr = command(t, dir, password, append(args, "--wait-timeout", "1ms")...)
	if code != 3 || !strings.Contains(stderr, "assay: wait: GET /status indexed>3 is not true after 1ms: indexed 3\n") ||
		!strings.Contains(stderr, "hint: all documents are uploaded; the same command continues to wait") {
		t.Errorf("exit code %d:\n%s", code, stderr)
	}
}
