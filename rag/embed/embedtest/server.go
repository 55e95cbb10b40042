package embedtest

import (
	"bufio"
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/require"
)

// Served is the model of [Server], as its /info names it.
const Served = "sentence-transformers/all-MiniLM-L6-v2"

// Server starts a server of all-MiniLM-L6-v2 by ONNX Runtime, which speaks the protocols of
// text-embeddings-inference, OpenAI, Cohere and Jina, and returns its address. It ends with
// the test. The interpreter and the model are those of scripts/minilm/server.sh.
func Server(t testing.TB) string {
	t.Helper()
	python, model := require.Env(t, "ASSAY_ONNX_PYTHON"), require.Env(t, "ASSAY_ONNX_MINILM")
	var log bytes.Buffer
	c := exec.Command(python, filepath.Join(require.Root(), "scripts", "minilm", "server.py"), model)
	c.Env = []string{"PYTHONDONTWRITEBYTECODE=1"}
	c.Stderr = &log
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	// The server ends when this does, also if the test is killed.
	alive, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = alive.Close()
		_, _ = io.Copy(io.Discard, out)
		if err := c.Wait(); err != nil {
			t.Errorf("the embedding server: %v\n%s", err, log.String())
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the embedding server does not start: %v\n%s", err, log.String())
	}
	return strings.TrimSpace(address)
}
