package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/requiretest"
)

// TestClients generates clients in two languages from the description that the server
// gives of itself, and lets programs use a server by way of these alone. The package in js
// has one for TypeScript, which its tests use in the same way.
func TestClients(t *testing.T) {
	tools := requiretest.Env(t, "ASSAY_CLIENTS")
	// Long enough for a client to cancel a run of sixty cases.
	remote := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(50 * time.Millisecond)
		fmt.Fprint(w, `{"answer":"The Thames.","passages":[{"id":"thames.md","text":"The Thames flows through London."}]}`)
	}))
	t.Cleanup(remote.Close)
	corpus, datasets := rivers(t)
	var many strings.Builder
	for i := range 60 {
		fmt.Fprintf(&many, `{"id":"s%d","question":"Which river?","expected_sources":["thames.md"]}`+"\n", i)
	}
	if err := os.WriteFile(filepath.Join(datasets, "slow.jsonl"), []byte(many.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{
		"assay.yaml": "configs:\n  slow:\n    adapter: http\n    endpoint: " + remote.URL + "\n    send: {question: '{{question}}'}\n",
	})
	p := launch(t, program(t), dir, "--config", "assay.yaml", "--quiet", "--corpus", corpus, "--datasets", datasets, "--retriever", "sparse",
		"--set", "cache=off", "--metrics", "hit@1,mrr")
	contract := filepath.Join(dir, "openapi.json")
	if err := os.WriteFile(contract, []byte(p.do("GET", "/openapi.json", nil).want(t, 200).text), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := func(name string) string { return filepath.Join(tools, "bin", name) }
	for _, c := range []struct {
		language string
		commands [][]string
	}{
		{"go", [][]string{
			{"mkdir", "client"},
			{bin("oapi-codegen"), "-generate", "types,client", "-package", "client", "-o", "client/client.go", contract},
			{"go", "run", "-mod=readonly", ".", p.url},
		}},
		{"python", [][]string{
			{bin("openapi-python-client"), "generate", "--path", contract, "--meta", "none", "--output-path", "client"},
			{bin("python"), "use.py", p.url},
		}},
	} {
		t.Run(c.language, func(t *testing.T) {
			work := t.TempDir()
			if err := os.CopyFS(work, os.DirFS(filepath.Join("testdata", "clients", c.language))); err != nil {
				t.Fatal(err)
			}
			for _, args := range c.commands {
				cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
				cmd.Dir = work
				cmd.Env = append(os.Environ(), "PATH="+filepath.Join(tools, "bin")+":"+os.Getenv("PATH"))
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out[max(0, len(out)-4000):])
				}
			}
		})
	}
	p.stop()
}
