// Package postgrestest runs a real PostgreSQL server for tests, with its own folder and
// port, which can be stopped, killed and restarted.
package postgrestest

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/assay-eval/assay/internal/require"
	"github.com/assay-eval/assay/store"
)

// Password is the password of the server's only user. It contains characters that must
// be escaped in URLs.
const Password = "planted/Pass@word%1"

// A Server is a PostgreSQL server.
type Server struct {
	bin, dir string
	port     int
	// settings are those of the server, as "NAME=VALUE".
	settings []string

	mu      sync.Mutex
	process *process
	made    int
	// schema is set once the template database has one.
	schema bool
}

// Start starts a server that ends with the test. Without PostgreSQL on the machine the
// test is skipped, or fails under ASSAY_REQUIRE=all.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := New(require.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Shared is a server for all tests of a package: the first test that needs it starts
// it, and TestMain closes it.
type Shared struct {
	once   sync.Once
	server *Server
	err    error
}

// Server returns the server.
func (s *Shared) Server(t testing.TB) *Server {
	t.Helper()
	bin := require.Postgres(t)
	s.once.Do(func() { s.server, s.err = New(bin) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.server
}

// Close ends the server if there is one.
func (s *Shared) Close() error {
	if s.server == nil {
		return nil
	}
	return s.server.Close()
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
	if s.port, err = freePort(); err != nil {
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

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
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
	cmd := s.command("postgres", "-D", s.data(), "-p", fmt.Sprint(s.port), "-c", "listen_addresses=127.0.0.1", "-c",
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
	u := url.URL{Scheme: "postgres", User: url.UserPassword("postgres", Password), Host: fmt.Sprintf("127.0.0.1:%d", s.port), Path: "/" +
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

// Addr returns the server's host and port.
func (s *Server) Addr() string { return fmt.Sprintf("127.0.0.1:%d", s.port) }

// Empty creates an empty database that is removed with the test, and returns its
// address.
func (s *Server) Empty(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.create(t, "template0")
}

// Database creates a database with the schema of a store and no data, which is removed
// with the test, and returns its address.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.schema {
		s.Exec(t, "postgres", `CREATE DATABASE assay_template TEMPLATE template0`)
		st, err := store.Open(t.Context(), s.URL("assay_template"))
		if err == nil {
			err = st.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		s.schema = true
	}
	return s.create(t, "assay_template")
}

func (s *Server) create(t testing.TB, template string) string {
	t.Helper()
	s.made++
	name := fmt.Sprintf("test_%d", s.made)
	s.Exec(t, "postgres", fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s`, name, template))
	t.Cleanup(func() { s.Exec(t, "postgres", fmt.Sprintf(`DROP DATABASE %s WITH (FORCE)`, name)) })
	return s.URL(name)
}

// Exec runs statements on a database, bypassing its users.
func (s *Server) Exec(t testing.TB, database string, statements ...string) {
	t.Helper()
	Exec(t, s.URL(database), statements...)
}

// Exec runs statements on the database at an address.
func Exec(t testing.TB, address string, statements ...string) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, q := range statements {
		// The test's context is done when cleanups run.
		if _, err := db.ExecContext(context.Background(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

// the package of the driver registers it under this name
var _ = stdlib.GetDefaultDriver
