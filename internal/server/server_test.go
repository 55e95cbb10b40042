package server

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/servertest"
	"github.com/assay-eval/assay/internal/wire"
	"github.com/assay-eval/assay/store"
)

// epoch is when tests take place.
var epoch = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// A bench is a server under test, reached over HTTP.
type bench struct {
	t      *testing.T
	server *Server
	store  *store.Store
	url    string
	web    *httptest.Server
	// token is sent with every request that says nothing else.
	token string
	log   *bytes.Buffer
}

// start starts a server on a store of its own; change may change its
// configuration.
func start(t *testing.T, change ...func(*Config)) *bench {
	t.Helper()
	return startOn(t, opened(t, newPlace(t)), change...)
}

// newPlace is where a new store is to be: a file, or a database of PostgreSQL.
func newPlace(t *testing.T) string {
	t.Helper()
	if strings.HasPrefix(t.Name(), onPostgres) {
		return postgres.Server(t).Database(t)
	}
	return filepath.Join(t.TempDir(), "assay.db")
}

// startOn starts a server on a store.
func startOn(t *testing.T, s *store.Store, change ...func(*Config)) *bench {
	t.Helper()
	b := &bench{t: t, store: s, log: &bytes.Buffer{}}
	dir := t.TempDir()
	cfg := Config{
		Store: s, Settings: config.Default(), Log: slog.New(slog.NewJSONHandler(locked(b.log), nil)), Heartbeat: time.Hour,
		Patience: time.Hour,
		World: wire.World{
			Path: func(p string) string {
				if p == "" || filepath.IsAbs(p) {
					return p
				}
				return filepath.Join(dir, p)
			},
			Getenv: func(string) string { return "" }, Now: time.Now, Random: &lockedRandom{from: rand.NewChaCha8([32]byte{1})}, Version: "test",
		},
	}
	for _, f := range change {
		f(&cfg)
	}
	var err error
	if b.server, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	// Tests end the server and start another one in its place, so nobody else may get its port.
	h := httptest.NewUnstartedServer(b.server.Handler())
	port, err := servertest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	if h.Listener, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err != nil {
		t.Fatal(err)
	}
	h.Start()
	b.url, b.web = h.URL, h
	t.Cleanup(func() {
		b.server.Stop()
		b.server.Wait()
		h.Close()
	})
	return b
}

// folder writes files into a folder of its own.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A got is a reply with its body read.
type got struct {
	*http.Response
	text string
}

// do sends a request: body is nil, a text, or a value that is sent as JSON.
func (b *bench) do(method, path string, body any, headers ...string) got {
	b.t.Helper()
	var in io.Reader
	switch v := body.(type) {
	case nil:
	case string:
		in = strings.NewReader(v)
	case io.Reader:
		in = v
	default:
		text, err := json.Marshal(v)
		if err != nil {
			b.t.Fatal(err)
		}
		in = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, in)
	if err != nil {
		b.t.Fatal(err)
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return got{res, string(text)}
}

// want checks the status of a reply, and that one of an error is a problem.
func (g got) want(t *testing.T, status int) got {
	t.Helper()
	if g.StatusCode != status {
		t.Fatalf("status %d, want %d: %s", g.StatusCode, status, g.text)
	}
	if status >= 400 {
		if ct := g.Header.Get("Content-Type"); ct != "application/problem+json" {
			t.Errorf("content type %q, want that of a problem", ct)
		}
		var p struct {
			Type, Title, Detail string
			Status              int
		}
		if err := json.Unmarshal([]byte(g.text), &p); err != nil || p.Status != status || p.Type != "about:blank" ||
			p.Title != http.StatusText(status) || p.Detail == "" {
			t.Errorf("problem %s (%v): want type, status, title and detail", g.text, err)
		}
	}
	return g
}

// read reads a reply's JSON.
func read[T any](t *testing.T, g got) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(g.text), &v); err != nil {
		t.Fatalf("%s: %v", g.text, err)
	}
	return v
}
