package server

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/assay-eval/assay/internal/requiretest"
)

// program builds the real program, once, without what slows tests down.
func program(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "assay")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "./cmd/assay")
	build.Dir = requiretest.Root()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return bin
}

// A process is a server that is a process of its own.
type process struct {
	*bench
	cmd *exec.Cmd
	// said is what it wrote to standard error; it is whole when drained is done.
	said    strings.Builder
	drained sync.WaitGroup
	gone    bool
}

var listens = regexp.MustCompile(`listening on (http://\S+)`)

// launch starts the program as assay serve in a folder, on a free port.
func launch(t *testing.T, bin, dir string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(bin, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)}
	p.cmd.Dir = dir
	p.cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + os.TempDir(), "PATH=" + os.Getenv("PATH")}
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !p.gone {
			_ = p.cmd.Process.Kill()
			p.drained.Wait()
			_ = p.cmd.Wait()
		}
	})
	lines := bufio.NewReader(stderr)
	url := ""
	for url == "" {
		line, err := lines.ReadString('\n')
		p.said.WriteString(line)
		if m := listens.FindStringSubmatch(line); m != nil {
			url = m[1]
		}
		if err != nil {
			t.Fatalf("assay serve does not listen: %v\n%s", err, p.said.String())
		}
	}
	p.drained.Go(func() { _, _ = io.Copy(&p.said, lines) })
	p.bench = &bench{t: t, url: url}
	return p
}

// signal asks the server to stop.
func (p *process) signal() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
}

// wait waits for the end of the server, and wants it to be a good one.
func (p *process) wait() {
	p.t.Helper()
	p.drained.Wait()
	p.gone = true
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("after SIGTERM: %v\n%s", err, p.said.String())
	}
}

// stop asks the server to stop, and waits for its end.
func (p *process) stop() {
	p.t.Helper()
	p.signal()
	p.wait()
}
