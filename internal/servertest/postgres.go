// Package servertest runs a real PostgreSQL server, with its own folder and port, which can be
// stopped, killed and restarted, and finds ports for the servers of other tests.
package servertest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Password is the password of the server's only user. It contains characters that must
// be escaped in URLs.
const Password = "planted/Pass@word%1"

// A Server is a PostgreSQL server.
type Server struct {
	bin, dir string
	port     string
	// settings are those of the server, as "NAME=VALUE".
	settings []string

	mu      sync.Mutex
	process *process
}

// Programs returns the folder of PostgreSQL's programs: Debian's folder of the newest version,
// else the one on PATH.
func Programs() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		// all versions have two digits
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1]), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Dir(path), nil
}

// New starts a server with the programs in the folder bin; Close ends it. Settings are those
// of postgresql.conf, as "NAME=VALUE"; without them the server is small and does not wait for
// the disk.
func New(bin string, settings ...string) (_ *Server, err error) {
	dir, err := os.MkdirTemp("", "assay-postgres-")
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, dir: dir, settings: append([]string{"fsync=off", "shared_buffers=32MB", "max_connections=200",
		"log_checkpoints=off"}, settings...)}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if err := own(dir); err != nil {
		return nil, err
	}
	pass := filepath.Join(dir, "password")
	if err := errors.Join(os.WriteFile(pass, []byte(Password+"\n"), 0o600), own(pass)); err != nil {
		return nil, err
	}
	// The collation does not order by bytes, as in most databases.
	initdb := s.command("initdb", "--no-sync", "--no-instructions", "--username=postgres", "--auth=scram-sha-256", "--pwfile="+pass,
		"--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--pgdata="+s.data())
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if s.port, err = FreePort(); err != nil {
		return nil, err
	}
	return s, s.Restart()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	confine(cmd)
	return cmd
}

// A process is one run of the server.
type process struct {
	cmd *exec.Cmd
	// gone is closed once it has ended.
	gone chan struct{}
}

// Restart starts a stopped or killed server on the same port; a running server is left
// alone.
func (s *Server) Restart() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process != nil {
		return nil
	}
	for range 1000 {
		said, err := s.start()
		// Child processes of a killed server take a moment to notice.
		if err == nil || !strings.Contains(said, "is still in use") {
			return err
		}
	}
	return errors.New("postgres: what a killed server left behind does not end")
}

// start starts the server and waits until it accepts connections.
func (s *Server) start() (said string, err error) {
	cmd := s.command("postgres", "-D", s.data(), "-p", s.port, "-c", "listen_addresses=127.0.0.1", "-c",
		"unix_socket_directories=")
	for _, setting := range s.settings {
		cmd.Args = append(cmd.Args, "-c", setting)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", err
	}
	p := &process{cmd: cmd, gone: make(chan struct{})}
	ready := make(chan error, 1)
	go func() {
		defer close(p.gone)
		// The server dies with the thread that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			ready <- err
			return
		}
		var lines strings.Builder
		for in := bufio.NewScanner(stderr); in.Scan(); {
			if strings.HasSuffix(in.Text(), "database system is ready to accept connections") {
				ready <- nil
				_, _ = io.Copy(io.Discard, stderr)
				break
			}
			fmt.Fprintln(&lines, in.Text())
		}
		err := cmd.Wait()
		said = lines.String()
		select {
		case ready <- fmt.Errorf("postgres: %w\n%s", err, said):
		default:
		}
	}()
	if err := <-ready; err != nil {
		<-p.gone
		return said, err
	}
	s.process = p
	return "", nil
}

// Stop stops the server as an administrator does: connections are closed and open
// transactions rolled back.
func (s *Server) Stop() error { return s.end(os.Interrupt) }

// Kill kills the server.
func (s *Server) Kill() error { return s.end(os.Kill) }

func (s *Server) end(signal os.Signal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return nil
	}
	if err := s.process.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.process.gone
	s.process = nil
	return nil
}

// Close stops the server and removes its folder.
func (s *Server) Close() error { return errors.Join(s.Stop(), os.RemoveAll(s.dir)) }

// URL returns the address of a database.
func (s *Server) URL(database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword("postgres", Password), Host: net.JoinHostPort("127.0.0.1", s.port), Path: "/" +
		database, RawQuery: "sslmode=disable"}
	return u.String()
}

// PID returns the id of the server's process, which is the parent of those of its connections;
// 0 if it does not run.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return 0
	}
	return s.process.cmd.Process.Pid
}
