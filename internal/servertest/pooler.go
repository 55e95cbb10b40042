package servertest

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Pooler starts a PgBouncer before the server, with a pool mode: session, transaction or
// statement. bin is its program. It returns the address of a database through it, and what ends it.
func (s *Server) Pooler(bin, mode string) (database func(name string) string, end func() error, err error) {
	// The server's own folder belongs to the user that runs both.
	dir, err := os.MkdirTemp(s.dir, "pooler-")
	if err != nil {
		return nil, nil, err
	}
	port, err := FreePort()
	if err != nil {
		return nil, nil, err
	}
	users, settings := filepath.Join(dir, "users"), filepath.Join(dir, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
* = host=127.0.0.1 port=%s user=postgres password='%s'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
auth_file = %s
pool_mode = %s
default_pool_size = 80
`, s.port, Password, port, users, mode)
	for path, text := range map[string]string{users: "\"postgres\" \"\"\n", settings: text} {
		if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), own(path)); err != nil {
			return nil, nil, err
		}
	}
	if err := own(dir); err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(bin, settings)
	cmd.Dir = dir
	confine(cmd)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, nil, err
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
		return nil, nil, err
	}
	end = func() error {
		err := cmd.Process.Kill()
		<-gone
		if errors.Is(err, os.ErrProcessDone) {
			return nil
		}
		return err
	}
	return func(name string) string {
		u := url.URL{Scheme: "postgres", User: url.User("postgres"), Host: net.JoinHostPort("127.0.0.1", port), Path: "/" + name, RawQuery: "sslmode=disable"}
		return u.String()
	}, end, nil
}
