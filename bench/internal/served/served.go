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
	"strconv"
	"strings"
	"syscall"
	"time"
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

// Memory returns the resident memory of the process, now and at its peak, in bytes, as
// Linux reports it.
func (s *Server) Memory() (now, peak int64, err error) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid), "status"))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(b)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64) // other lines are not numbers
		switch name {
		case "VmRSS":
			now = n << 10
		case "VmHWM":
			peak = n << 10
		}
	}
	if peak == 0 {
		return 0, 0, errors.New("no VmHWM")
	}
	return now, peak, nil
}

// Used returns the processor time of the process so far, as Linux reports it.
func (s *Server) Used() (time.Duration, error) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid), "stat"))
	if err != nil {
		return 0, err
	}
	// The name in parentheses may have spaces; utime and stime are the 12th and 13th after it.
	fields := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// Term ends a server as an operator would.
const Term = syscall.SIGTERM
