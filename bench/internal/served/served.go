//go:build unix

// Package served runs assay serve as a process of its own, for measurements.
package served

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"github.com/assay-eval/assay/bench/internal/proc"
)

// A Server is a server that runs.
type Server struct {
	URL string
	cmd *exec.Cmd
}

var listening = regexp.MustCompile(`listening on (http://\S+)`)

// Start starts the program in a folder, on a free port. What it says later goes to standard
// error.
func Start(program, dir string, args ...string) (*Server, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0", "--quiet"}, args...)...)
	cmd.Dir = dir
	said, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(os.Stderr, said) }()
			return &Server{m[1], cmd}, nil
		}
		fmt.Fprintln(os.Stderr, lines.Text())
	}
	return nil, errors.Join(errors.New("the server did not listen"), cmd.Wait())
}

// Stop sends a signal and waits for the end of the process.
func (s *Server) Stop(sig os.Signal) error {
	if err := s.cmd.Process.Signal(sig); err != nil {
		return err
	}
	return s.cmd.Wait()
}

// Memory returns the resident memory of the process, now and at its peak, in bytes.
func (s *Server) Memory() (now, peak int64, err error) { return proc.Memory(s.cmd.Process.Pid) }

// Used returns the processor time of the process so far.
func (s *Server) Used() (time.Duration, error) { return proc.Used(s.cmd.Process.Pid) }

// Term ends a server as an operator would.
const Term = syscall.SIGTERM
