package server

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// Handler answers requests. Each passes, in this order: metrics, panic recovery,
// security headers, checks of host and path, routing, the origin check, the token,
// the body limits, and the store of idempotent replies.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := s.cfg.World.Now()
		out := &writer{
			ResponseWriter: w, control: http.NewResponseController(w), wait: s.cfg.WriteWait, unread: r.Body != nil && r.Body != http.NoBody,
			rest: s.cfg.BodyGrace,
		}
		// Clear the deadline of the connection's previous reply.
		_ = out.control.SetWriteDeadline(time.Time{})
		pattern := ""
		s.meters.inFlight.Inc()
		defer func() {
			s.meters.inFlight.Dec()
			took := s.cfg.World.Now().Sub(began)
			method := knownMethod(r.Method)
			s.meters.request(route(pattern), method, out.code(), took)
			out.limitDrain()
			// Neither the query nor headers are logged: they may hold secrets.
			s.log.InfoContext(
				r.Context(), "request", "method", method, "route", route(pattern), "status", out.code(), "bytes", out.written, "took",
				took.Round(time.Microsecond).String(),
			)
		}()
		defer func() {
			if broke := recover(); broke != nil {
				if err, ok := broke.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(broke)
				}
				s.meters.failures.Inc()
				s.log.ErrorContext(r.Context(), "panic", "route", route(pattern), "panic", broke, "stack", string(debug.Stack()))
				if out.status == 0 {
					writeProblem(out, http.StatusInternalServerError, "internal error; see the server's log")
				}
			}
		}()
		pattern = s.serve(out, r)
	})
}

// maxSearch bounds a search in bytes: a database takes no pattern of any length.
const maxSearch = 10_000

// serve answers a request and returns the pattern of its route, "" without one.
func (s *Server) serve(w *writer, r *http.Request) string {
	secure(w.Header())
	if !s.namesUs(r.Host) {
		writeProblem(w, http.StatusMisdirectedRequest, "unknown host name: use localhost, or start the server with --host NAME")
		return ""
	}
	if !wellFormed(r.URL.EscapedPath(), r.URL.Path) {
		s.noPath(w, r, "no such path")
		return ""
	}
	if !utf8.ValidString(r.URL.RawQuery) || !plain(r) {
		writeProblem(w, http.StatusBadRequest, "invalid query: expected UTF-8 without control characters")
		return ""
	}
	if n := len(r.URL.Query().Get("q")); n > maxSearch {
		writeProblem(w, http.StatusBadRequest, fmt.Sprintf("query parameter \"q\": it has %d bytes and must have at most %d", n, maxSearch))
		return ""
	}
	h, pattern := s.mux.Handler(r)
	if pattern == "" {
		s.unrouted(w, r, h)
		return ""
	}
	screen := s.screens[pattern]
	if wrong := s.wrongQuery(pattern, r.URL.Query(), screen); wrong != "" {
		writeProblem(w, http.StatusBadRequest, wrong)
		return pattern
	}
	if err := s.cross.Check(r); err != nil {
		writeProblem(w, http.StatusForbidden, "cross-origin requests are not allowed")
		return pattern
	}
	r, err := s.signed(r, s.scopes[pattern])
	if err != nil {
		if screen {
			s.denied(w, r, err)
		} else {
			s.refuse(w, r, err)
		}
		return pattern
	}
	limit, places := int64(maxBody), s.large
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.replies.serve(w, r, s.mux) })
	switch {
	case screen:
		limit, answer = maxForm, s.mux.ServeHTTP
	case s.uploads[pattern]:
		limit, places = maxUpload, nil
		if ct := r.Header.Get("Content-Type"); !strings.HasPrefix(strings.ToLower(ct), "multipart/form-data") {
			writeProblem(w, http.StatusUnsupportedMediaType, "expected a form: Content-Type multipart/form-data")
			return pattern
		}
	}
	if release := s.turn(r, pattern); release != nil {
		// The reply is complete in memory when its first byte is written, and a client may
		// read it slowly.
		w.ready = sync.OnceFunc(release)
		defer w.ready()
	}
	r = limited(w, r, limit, places, s.cfg.BodyGrace)
	defer bodyOf(r.Context()).release()
	defer func() {
		if r.MultipartForm != nil {
			// net/http cleans up only its own copy of the request.
			_ = r.MultipartForm.RemoveAll()
		}
	}()
	packed(w, r, answer)
	return pattern
}

// maxForm bounds the body of a form, in bytes.
const maxForm = 64 << 10

// secure sets the security headers of every reply.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// wellFormed reports whether a path is clean: no "..", no empty parts, valid text.
// The mux would redirect others.
func wellFormed(escaped, plain string) bool {
	clean := path.Clean(escaped)
	return (escaped == clean || escaped == clean+"/") && utf8.ValidString(plain) && !strings.ContainsFunc(
		plain, func(c rune) bool { return c < ' ' || c == 0x7f },
	)
}

// plain reports whether the query holds only text that a database accepts.
func plain(r *http.Request) bool {
	for name, values := range r.URL.Query() {
		for _, text := range append(values, name) {
			if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				return false
			}
		}
	}
	return true
}

// turn limits concurrent reads, which bounds memory. It waits for a slot and
// returns the function that frees it. Streams take no slot, nor do probes, the
// documentation and the contract, which read nothing of the store's records.
func (s *Server) turn(r *http.Request, pattern string) (release func()) {
	if r.Method != http.MethodGet || strings.HasSuffix(pattern, "/events") || s.scopes[pattern] == ScopeNone {
		return nil
	}
	select {
	case s.reads <- struct{}{}:
		return func() { <-s.reads }
	case <-r.Context().Done():
		return nil // the client is gone
	}
}

// wrongQuery says what is wrong with a parameter that the library would take: one that is repeated, of which it takes the
// first value; one that is empty although an empty value is invalid, which it ignores; and a number that is NaN, which
// passes every bound, or infinite. Pages take repeated and empty parameters.
func (s *Server) wrongQuery(pattern string, query url.Values, screen bool) string {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		v, filled := query[name], slices.Contains(s.filled[pattern], name)
		if !screen && (len(v) > 1 || v[0] == "" && filled) {
			return fmt.Sprintf("query parameter %q: give exactly one value, or leave it out", name)
		}
		if n, err := strconv.ParseFloat(v[0], 64); filled && err == nil && (math.IsNaN(n) || math.IsInf(n, 0)) {
			return fmt.Sprintf("query parameter %q: expected a number", name)
		}
	}
	return ""
}

// unrouted answers requests without a route or with the wrong method.
func (s *Server) unrouted(w http.ResponseWriter, r *http.Request, h http.Handler) {
	said, instead := httptest.NewRecorder(), insteadOf(r.Method, r.URL.Path)
	h.ServeHTTP(said, r)
	if said.Code == http.StatusMethodNotAllowed {
		allow := s.allowed(r, strings.Split(said.Header().Get("Allow"), ", "))
		w.Header().Set("Allow", allow)
		writeProblem(w, http.StatusMethodNotAllowed, cmp.Or(instead, "method not allowed: expected one of "+allow))
		return
	}
	s.noPath(w, r, cmp.Or(instead, "no such path: see /docs"))
}

// noPath says that a path is unknown: on a page to people, in a problem to programs.
func (s *Server) noPath(w http.ResponseWriter, r *http.Request, detail string) {
	if s.screen != nil && r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/api/") &&
		strings.Contains(r.Header.Get("Accept"), "text/html") {
		s.screen.Refuse(w, r, huma.Error404NotFound(detail))
		return
	}
	writeProblem(w, http.StatusNotFound, detail)
}

// allowed lists the methods of a path. A literal route takes precedence over
// routes with ids: "next" is not the id of a label.
func (s *Server) allowed(r *http.Request, methods []string) string {
	literal := slices.DeleteFunc(slices.Clone(methods), func(method string) bool {
		_, pattern := s.mux.Handler(&http.Request{Method: method, Host: r.Host, URL: r.URL})
		return route(pattern) != r.URL.Path
	})
	if len(literal) > 0 {
		methods = literal
	}
	return strings.Join(methods, ", ")
}

// route returns the label of a request in metrics and logs: the pattern without
// the method, which bounds the number of labels.
func route(pattern string) string {
	_, p, ok := strings.Cut(pattern, " ")
	if !ok {
		p = pattern
	}
	return cmp.Or(p, "none")
}

// knownMethod bounds the values of the method label.
func knownMethod(m string) string {
	if slices.Contains([]string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}, m) {
		return m
	}
	return "OTHER"
}

// A writer counts the bytes written and drops a client that stops reading.
type writer struct {
	http.ResponseWriter
	control *http.ResponseController
	wait    time.Duration
	status  int
	written int64
	// unread is set until the request's body is read to its end; rest bounds the
	// time for that once there is a reply.
	unread bool
	rest   time.Duration
	// ready is called before the first byte of the reply; may be nil.
	ready func()
}

// Unwrap returns the underlying writer.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader records the status. The library replies again when it cannot write a reply,
// which is when the client is gone: that is ignored, and would be a warning in the log.
func (w *writer) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	if status >= http.StatusOK {
		w.status = status
		w.limitDrain()
	}
	w.ResponseWriter.WriteHeader(status)
}

// whole records that the body will not be read further.
func (w *writer) whole() {
	if w != nil {
		w.unread = false
	}
}

// waitNot records that the time for the body is used up.
func (w *writer) waitNot() {
	if w != nil {
		w.rest = 0
	}
}

// limitDrain bounds the time for the unread rest of the body. Before net/http sends a
// reply it reads some of that rest, so that the client sees the reply and not a broken
// connection.
func (w *writer) limitDrain() {
	if w.unread {
		// Deadlines use the kernel's clock. Test servers may lack them.
		_ = w.control.SetReadDeadline(time.Now().Add(w.rest)) //nolint:forbidigo // deadlines use the kernel's clock
	}
}

// piece is the number of bytes that a client must accept within the wait. This
// allows a slow download of a 50 MB report, and drops a client that reads
// nothing.
const piece = 64 << 10

// Write writes the data in pieces and counts the bytes.
func (w *writer) Write(p []byte) (written int, err error) {
	if w.status == 0 {
		w.status = http.StatusOK
		w.limitDrain()
	}
	if w.ready != nil {
		w.ready()
	}
	for first := true; err == nil && (first || written < len(p)); first = false {
		// Deadlines use the kernel's clock. Test servers may lack them.
		_ = w.control.SetWriteDeadline(time.Now().Add(w.wait)) //nolint:forbidigo // deadlines use the kernel's clock
		n := 0
		n, err = w.ResponseWriter.Write(p[written:min(len(p), written+piece)])
		written += n
	}
	w.written += int64(written)
	return written, err
}

// Flush sends the buffered data.
func (w *writer) Flush() {
	_ = w.control.SetWriteDeadline(time.Now().Add(w.wait)) //nolint:forbidigo // deadlines use the kernel's clock
	_ = w.control.Flush()
}

func (w *writer) code() int { return cmp.Or(w.status, http.StatusOK) }
