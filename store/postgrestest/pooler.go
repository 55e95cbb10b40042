package postgrestest

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/assay-eval/assay/internal/require"
)

// Pooler starts PgBouncer before the server, with a pool mode: session, transaction or
// statement. It returns the address of a database through it. Without PgBouncer on the machine
// the test is skipped, or fails under ASSAY_REQUIRE=all.
func (s *Server) Pooler(t testing.TB, mode string) (database func(name string) string) {
	t.Helper()
	bin := require.Command(t, "pgbouncer")
	// The server's own folder belongs to the user that runs both.
	dir, err := os.MkdirTemp(s.dir, "pooler-")
	if err != nil {
		t.Fatal(err)
	}
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	users, settings := filepath.Join(dir, "users"), filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
* = host=127.0.0.1 port=%d user=postgres password='%s'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
auth_file = %s
pool_mode = %s
default_pool_size = 80
`, s.port, Password, port, users, mode)
	for path, text := range map[string]string{users: "\"postgres\" \"\"\n", settings: text} {
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), own(path)); err != nil {
			t.Fatal(err)
		}
	}
	if err := own(dir); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, settings)
	cmd.Dir = dir
	confine(cmd)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	ready, gone := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(gone)
		// It dies with the thread that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			ready <- err
			return
		}
		var said strings.Builder
		up := false
		for in := bufio.NewScanner(stderr); in.Scan(); {
			if !up && strings.Contains(in.Text(), "process up") {
				up = true
				ready <- nil
			}
			if !up {
				fmt.Fprintln(&said, in.Text())
			}
		}
		err := cmd.Wait()
		if !up {
			ready <- fmt.Errorf("pgbouncer: %w\n%s", err, said.String())
		}
	}()
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		<-gone
	})
	return func(name string) string {
		u := url.URL{Scheme: "postgres", User: url.User("postgres"), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: "/" + name, RawQuery: "sslmode=disable"}
		return u.String()
	}
}
