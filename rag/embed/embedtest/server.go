package embedtest

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// Served is the model of [Server], as its /info names it.
const Served = "sentence-transformers/all-MiniLM-L6-v2"

// Server starts a server of all-MiniLM-L6-v2 by ONNX Runtime, which speaks the protocols of
// text-embeddings-inference, OpenAI, Cohere and Jina, and returns its address. It ends with
// the test. The interpreter and the model are those of scripts/minilm/server.sh.
func Server(t testing.TB) string {
	t.Helper()
	python, model := requiretest.Env(t, "ASSAY_ONNX_PYTHON"), requiretest.Env(t, "ASSAY_ONNX_MINILM")
	c := exec.Command(python, filepath.Join(requiretest.Root(), "scripts", "minilm", "server.py"), model)
	c.Env = []string{"PYTHONDONTWRITEBYTECODE=1"}
	return requiretest.Serve(t, "the embedding server", c)
}
