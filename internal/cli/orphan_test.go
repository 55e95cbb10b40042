//go:build linux

package cli_test

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/cli"
	"github.com/assay-eval/assay/internal/requiretest"
)

// TestNoOrphans ends a run in the middle of a question that is never answered, by
// Ctrl-C twice and by SIGKILL: no process that it started is left.
func TestNoOrphans(t *testing.T) {
	t.Parallel()
	requiretest.Command(t, "sh")
	python := requiretest.Command(t, "python3")
	bin := buildProgram(t)
	// Each holds the pipe open for as long as it lives, and reads nothing.
	deaf := []string{"--command", "sh -c 'exec 9>alive; exec sleep 600'"}
	for adapter, flags := range map[string][]string{
		"exec": deaf, "mcp": deaf,
		"langchain": {"--chain-path", "rag.py:chain", "--python", python},
	} {
		for _, signal := range []os.Signal{os.Interrupt, os.Kill} {
			t.Run(adapter+" "+signal.String(), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				for name, text := range map[string]string{
					"cases.json": agentCases,
					"rag.py":     "import time\nalive = open('alive', 'w')\n\ndef chain(question):\n    time.sleep(600)\n",
				} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				pipe := filepath.Join(dir, "alive")
				if err := syscall.Mkfifo(pipe, 0o600); err != nil {
					t.Fatal(err)
				}
				opened, closed := make(chan struct{}), make(chan struct{})
				go func() {
					f, err := os.Open(pipe) // waits for who writes
					close(opened)
					if err == nil {
						_, _ = io.Copy(io.Discard, f) // ends with the last writer
						f.Close()
					}
					close(closed)
				}()
				cmd := exec.Command(bin, append([]string{"run", "--adapter", adapter, "--dataset", "cases.json", "--metrics", "exact_match",
					"--timeout", "10m", "--verbose"}, flags...)...)
				cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
				stderr, err := cmd.StderrPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				defer func() { _ = cmd.Process.Kill() }() // it should have ended
				within := func(c <-chan struct{}, what string) {
					t.Helper()
					select {
					case <-c:
					case <-time.After(time.Minute):
						t.Fatalf("after a minute %s", what)
					}
				}
				within(opened, "nothing was started")
				if err := cmd.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
				for lines := bufio.NewScanner(stderr); lines.Scan(); {
					if strings.Contains(lines.Text(), "Ctrl-C again ends at once") {
						if err := cmd.Process.Signal(signal); err != nil {
							t.Fatal(err)
						}
					}
				}
				var exit *exec.ExitError
				if err := cmd.Wait(); !errors.As(err, &exit) || signal == os.Interrupt && exit.ExitCode() != cli.ExitInterrupted {
					t.Errorf("the run ended with %v", err)
				}
				within(closed, "a process is left")
			})
		}
	}
}
