package mcptest

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/servertest"
)

// Everything starts the MCP project's server-everything over streamable HTTP on a free
// port and returns its address once it listens. The server ends with the test.
func Everything(t testing.TB, node, script string) string {
	t.Helper()
	port, err := servertest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script, "streamableHttp")
	cmd.Env = append(os.Environ(), "PORT="+port)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	drained := make(chan struct{})
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-drained
		_ = cmd.Wait() // killed
	})
	// The server logs to standard error when it listens.
	lines := bufio.NewReader(said)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			close(drained)
			t.Fatalf("the server ended before it listened: %v", err)
		}
		if strings.Contains(line, "listening on port "+port) {
			break
		}
	}
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, lines) // drains the log
	}()
	return "http://127.0.0.1:" + port + "/mcp"
}
