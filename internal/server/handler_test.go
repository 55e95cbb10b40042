package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// locked makes a writer safe for use by several.
func locked(w io.Writer) io.Writer { return &lockedWriter{w: w} }

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func TestEveryErrorIsAProblem(t *testing.T) {
	b := start(t)
	for _, c := range []struct {
		what, method, path string
		body               any
		headers            []string
		status             int
		says               string
	}{
		{"no such path", "GET", "/nowhere", nil, nil, 404, "/docs"},
		{"a way up", "GET", "/api/v1/runs/%2e%2e", nil, nil, 404, "no such run"},
		{"a way up that is escaped", "GET", "/api/v1/runs/..%2f..%2fetc%2fpasswd", nil, nil, 404, ""},
		{"another method", "PATCH", "/api/v1/runs", nil, nil, 405, "GET, HEAD, POST"},
		{"an id that is none", "GET", "/api/v1/runs/%00", nil, nil, 404, ""},
		{"no JSON", "POST", "/api/v1/runs", "{", nil, 400, ""},
		{"an unknown field", "POST", "/api/v1/runs", `{"datset":"x"}`, nil, 400, "unexpected property"},
		{"no body", "POST", "/api/v1/runs", nil, nil, 400, ""},
		{"another content type", "POST", "/api/v1/runs", "<a/>", []string{"Content-Type", "application/xml"}, 415, ""},
		{"no form", "POST", "/api/v1/datasets", "{}", nil, 415, "multipart/form-data"},
		{"a list that is too long", "GET", "/api/v1/runs?limit=501", nil, nil, 400, "501"},
		{"an unknown parameter", "GET", "/api/v1/runs?limt=5", nil, nil, 400, "unknown query parameter"},
		{"a parameter that is given twice", "GET", "/api/v1/runs?limit=1&limit=2", nil, nil, 400, "limit"},
		{"a parameter that is empty", "GET", "/api/v1/runs?state=", nil, nil, 400, "state"},
		{"no text in the query", "GET", "/api/v1/runs?name=%ff", nil, nil, 400, "UTF-8"},
		{"a name that is not ours", "GET", "/api/v1/runs", nil, []string{"Host", "evil.example"}, 421, "localhost"},
		{"another origin", "POST", "/api/v1/runs", "{}", []string{"Origin", "http://evil.example"}, 403, "origin"},
		{"another site", "POST", "/api/v1/runs", "{}", []string{"Sec-Fetch-Site", "cross-site"}, 403, "origin"},
	} {
		t.Run(c.what, func(t *testing.T) {
			g := b.do(c.method, c.path, c.body, c.headers...).want(t, c.status)
			if !strings.Contains(g.text+g.Header.Get("Allow"), c.says) {
				t.Errorf("%s: want %q in it", g.text, c.says)
			}
			for _, h := range []string{"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options"} {
				if g.Header.Get(h) == "" {
					t.Errorf("no header %s", h)
				}
			}
		})
	}
}

func TestBodiesAreLimited(t *testing.T) {
	b := start(t)
	g := b.do("POST", "/api/v1/runs", `{"name":"`+strings.Repeat("a", maxBody)+`"}`)
	g.want(t, http.StatusRequestEntityTooLarge)
	if !strings.Contains(g.text, "16 MiB") {
		t.Errorf("%s: want the limit", g.text)
	}
}

func TestAPanicTellsNothing(t *testing.T) {
	b := start(t)
	b.server.page("GET /broken", ScopeNone, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("the secret of the house") }))
	g := b.do("GET", "/broken", nil).want(t, http.StatusInternalServerError)
	if strings.Contains(g.text, "secret") {
		t.Errorf("%s: tells what broke", g.text)
	}
	if !strings.Contains(b.log.String(), "the secret of the house") {
		t.Error("the log does not say what broke")
	}
}

// TestStatusIsWrittenOnce: what a client is sent has one status, the first, and net/http has
// nothing to warn of.
func TestStatusIsWrittenOnce(t *testing.T) {
	t.Parallel()
	to := &statuses{ResponseRecorder: httptest.NewRecorder()}
	w := &writer{ResponseWriter: to}
	for _, status := range []int{http.StatusEarlyHints, http.StatusOK, http.StatusServiceUnavailable} {
		w.WriteHeader(status)
	}
	if !slices.Equal(to.written, []int{http.StatusEarlyHints, http.StatusOK}) || w.status != http.StatusOK {
		t.Errorf("%v were written, %d recorded", to.written, w.status)
	}
}

type statuses struct {
	*httptest.ResponseRecorder
	written []int
}

func (s *statuses) WriteHeader(status int) {
	s.written = append(s.written, status)
	s.ResponseRecorder.WriteHeader(status)
}
