// Package postgrestest runs a real PostgreSQL server for tests.
package postgrestest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/internal/servertest"
	"github.com/assay-eval/assay/store"
)

// A Server is a PostgreSQL server that makes databases for tests.
type Server struct {
	*servertest.Server

	mu   sync.Mutex
	made int
	// schema is set once the template database has one.
	schema bool
}

// Start starts a server that ends with the test. Without PostgreSQL on the machine the
// test is skipped, or fails under ASSAY_REQUIRE=all.
func Start(t testing.TB) *Server {
	t.Helper()
	own, err := servertest.New(requiretest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Server: own}
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
	bin := requiretest.Postgres(t)
	s.once.Do(func() {
		var own *servertest.Server
		own, s.err = servertest.New(bin)
		s.server = &Server{Server: own}
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.server
}

// Close ends the server if there is one.
func (s *Shared) Close() error {
	if s.server == nil || s.err != nil {
		return nil
	}
	return s.server.Close()
}

// Addr returns the server's host and port.
func (s *Server) Addr() string {
	u, err := url.Parse(s.URL("postgres"))
	if err != nil {
		return "" // the server writes it
	}
	return u.Host
}

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
