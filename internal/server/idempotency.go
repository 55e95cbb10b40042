package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/store"
)

const (
	idempotencyHeader = "Idempotency-Key"
	// kindReply is the kind of stored replies to repeated requests.
	kindReply = "reply"
	// replyAge is how long a reply is repeated.
	replyAge = 24 * time.Hour
)

// replies stores the replies to requests with an Idempotency-Key.
type replies struct {
	store *store.Store
	now   func() time.Time
	mu    sync.Mutex
	// swept is when old replies were last removed.
	swept time.Time
}

// A reply is a stored reply.
type reply struct {
	// Request is the hash of the body that it answers.
	Request string      `json:"request"`
	Status  int         `json:"status"`
	Header  http.Header `json:"header"`
	Body    []byte      `json:"body"`
}

// kept lists the headers that are stored with a reply.
var kept = []string{"Content-Type", "Location", "Retry-After"}

// serve answers a request, or repeats the reply stored for its key.
func (c *replies) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	key := r.Header.Get(idempotencyHeader)
	if r.Method != http.MethodPost || r.Header.Values(idempotencyHeader) == nil {
		next.ServeHTTP(w, r)
		return
	}
	if key == "" || len(key) > 255 || strings.ContainsFunc(key, func(c rune) bool { return c < '!' || c > '~' }) {
		writeProblem(w, http.StatusBadRequest, idempotencyHeader+": expected 1 to 255 visible ASCII characters")
		return
	}
	// A key is scoped to the caller and the URI.
	id := hashed(who(r.Context()) + "\n" + r.URL.RequestURI() + "\n" + key)
	// All servers on the store do the work once.
	release, err := c.store.Claim(r.Context(), kindReply+"-"+id)
	switch {
	case errors.Is(err, store.ErrLocked):
		w.Header().Set("Retry-After", "1")
		writeProblem(w, http.StatusConflict, "a request with this "+idempotencyHeader+" is being answered")
		return
	case err != nil:
		writeProblem(w, http.StatusServiceUnavailable, "the store cannot be reached")
		return
	}
	// The claim ends with the connection or the process at the latest.
	defer func() { _ = release() }()
	switch old, err := c.read(r.Context(), id); {
	case err == nil:
		c.again(w, r, old)
		return
	case !errors.Is(err, store.ErrNotFound):
		writeProblem(w, http.StatusServiceUnavailable, "the replies of earlier requests cannot be read")
		return
	}
	body := &hashing{ReadCloser: r.Body, sum: sha256.New()}
	r.Body = body
	tee := &teeWriter{ResponseWriter: w, from: body}
	next.ServeHTTP(tee, r)
	tee.drain()
	// A stream that its client left is not whole.
	if tee.unread != nil || tee.status >= http.StatusInternalServerError || tee.stream() && r.Context().Err() != nil {
		return
	}
	c.keep(
		context.WithoutCancel(r.Context()), id,
		reply{Request: hex.EncodeToString(body.sum.Sum(nil)), Status: tee.code(), Header: pick(w.Header()), Body: tee.body.Bytes()},
	)
}

// once does something once for each key of a caller, and returns what it returned then. The
// key is that of a form, which a browser may send again while it is being answered.
func (s *Server) once(ctx context.Context, key string, do func(context.Context) (string, error)) (string, error) {
	if key == "" || len(key) > 255 {
		return "", wrong("body", "the form has no key: open it again", nil)
	}
	id := hashed(who(ctx) + "\nform\n" + key)
	release, err := s.claim(ctx, kindReply+"-"+id, "the form is being answered")
	if err != nil {
		return "", err
	}
	defer release()
	switch old, err := s.replies.read(ctx, id); {
	case err == nil:
		return string(old.Body), nil
	case !errors.Is(err, store.ErrNotFound):
		return "", err
	}
	result, err := do(ctx)
	if err == nil {
		s.replies.keep(ctx, id, reply{Status: http.StatusOK, Body: []byte(result)})
	}
	return result, err
}

func pick(h http.Header) http.Header {
	out := http.Header{}
	for _, name := range kept {
		if v := h.Values(name); v != nil {
			out[name] = v
		}
	}
	return out
}

// again repeats a reply, if the request is the same.
func (c *replies) again(w http.ResponseWriter, r *http.Request, old reply) {
	sum := sha256.New()
	if _, err := io.Copy(sum, r.Body); err != nil {
		writeProblem(w, http.StatusBadRequest, "the body could not be read")
		return
	}
	if hex.EncodeToString(sum.Sum(nil)) != old.Request {
		writeProblem(w, http.StatusUnprocessableEntity, "this "+idempotencyHeader+" was used with another body")
		return
	}
	for name, v := range old.Header {
		w.Header()[name] = v
	}
	w.Header().Set("Idempotency-Replayed", "true")
	w.WriteHeader(old.Status)
	// Ignore clients that are gone.
	_, _ = w.Write(old.Body)
}

// read finds a reply that is not too old.
func (c *replies) read(ctx context.Context, id string) (reply, error) {
	it, err := c.store.Item(ctx, kindReply, id)
	if err != nil {
		return reply{}, err
	}
	if c.now().Sub(it.Updated) > replyAge {
		return reply{}, store.ErrNotFound
	}
	var old reply
	return old, json.Unmarshal(it.Body, &old)
}

// keep stores a reply. If this fails, the client only loses the repetition.
func (c *replies) keep(ctx context.Context, id string, r reply) {
	body, err := json.Marshal(r)
	if err != nil {
		return
	}
	now := c.now().UTC()
	_ = c.store.PutItem(ctx, store.Item{Kind: kindReply, ID: id, Created: now, Updated: now, Body: body})
	c.sweep(ctx, now)
}

// sweep removes expired replies, once an hour.
func (c *replies) sweep(ctx context.Context, now time.Time) {
	c.mu.Lock()
	due := now.Sub(c.swept) > time.Hour
	if due {
		c.swept = now
	}
	c.mu.Unlock()
	if !due {
		return
	}
	items, _, err := c.store.Items(ctx, kindReply, store.ItemQuery{})
	if err != nil {
		return
	}
	for _, it := range items {
		if now.Sub(it.Updated) > replyAge {
			_ = c.store.DeleteItem(ctx, kindReply, it.ID)
		}
	}
}

// hashing is a reader that hashes the data it reads.
type hashing struct {
	io.ReadCloser
	sum hash.Hash
}

// Read reads and hashes.
func (h *hashing) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	h.sum.Write(p[:n])
	return n, err
}

// Close leaves the body open: what the handler did not read is still hashed, and
// the server closes it.
func (h *hashing) Close() error { return nil }

// A teeWriter also stores what is written.
type teeWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	// from is the body of the request, unread the error of reading it to its end.
	from    io.Reader
	drained bool
	unread  error
}

// Unwrap returns the underlying writer.
func (t *teeWriter) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// drain reads what the handler left of the request, so that the hash covers it too. It
// must precede the reply: net/http closes the body when the first part of a reply is
// sent.
func (t *teeWriter) drain() {
	if !t.drained {
		t.drained = true
		_, t.unread = io.Copy(io.Discard, t.from)
	}
}

// WriteHeader records the status.
func (t *teeWriter) WriteHeader(status int) {
	if t.status == 0 {
		t.drain()
		t.status = status
	}
	t.ResponseWriter.WriteHeader(status)
}

// Write also stores the data.
func (t *teeWriter) Write(p []byte) (int, error) {
	t.drain()
	t.body.Write(p)
	return t.ResponseWriter.Write(p)
}

func (t *teeWriter) code() int { return cmp.Or(t.status, http.StatusOK) }

// stream reports whether the reply is a stream of events.
func (t *teeWriter) stream() bool {
	return strings.HasPrefix(t.Header().Get("Content-Type"), "text/event-stream")
}
