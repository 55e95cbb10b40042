package target

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/target/reply"
)

// An mcpWeb carries the HTTP requests of a session: it adds the headers, limits the
// replies, and remembers errors, of which the library keeps little more than the status
// text.
type mcpWeb struct {
	m          *MCP
	connecting context.Context

	mu      sync.Mutex
	problem *Error

	// told is closed once the server was told that a call is cancelled.
	told chan struct{}
	once sync.Once
}

// farewell waits until the server was told that a call is cancelled, which the library
// does asynchronously. If the session were closed before, the tool would keep running.
func (w *mcpWeb) farewell(patience time.Duration) {
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-w.told:
	case <-t.C:
	}
}

// mcpGivesUp reports whether a request cancels a call. Such requests are short.
func mcpGivesUp(r *http.Request) bool {
	if r.GetBody == nil || r.ContentLength > 1<<10 {
		return false
	}
	body, err := r.GetBody()
	if err != nil {
		return false
	}
	defer body.Close()
	raw, err := io.ReadAll(body)
	return err == nil && bytes.Contains(raw, []byte(`"notifications/cancelled"`))
}

// client returns the HTTP client for the library.
func (w *mcpWeb) client() *http.Client {
	return &http.Client{Transport: w, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		err := checkRedirect(r, via)
		if err != nil && via[0].Method == http.MethodPost {
			w.note(&Error{Kind: Status, Err: err})
		}
		return err
	}}
}

// take returns and clears the last error; nil if there is none.
func (w *mcpWeb) take() *Error {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.problem
	w.problem = nil
	return e
}

func (w *mcpWeb) note(e *Error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problem = e
}

// mcpAside bounds requests beside the calls: the stream for messages that the server
// sends on its own, whose headers some servers send only with the first event, and the
// end of a session.
const mcpAside = time.Second

// RoundTrip makes a request.
func (w *mcpWeb) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range w.m.cfg.Header {
		// The library sets the headers of the protocol.
		if r.Header.Get(name) == "" || http.CanonicalHeaderKey(name) == "User-Agent" {
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if r.Header.Get("User-Agent") == "" {
		r.Header.Set("User-Agent", "assay/"+w.m.cfg.Version)
	}
	if r.Method != http.MethodPost {
		return w.aside(r)
	}
	if mcpGivesUp(r) {
		defer w.once.Do(func() { close(w.told) })
	}
	resp, err := w.m.http.RoundTrip(r)
	if err != nil {
		if r.Context().Err() == nil {
			w.note(NetworkError(err, r.URL, true))
		}
		return nil, err
	}
	w.inspect(r, resp)
	return resp, nil
}

// aside makes a request whose result no call depends on.
func (w *mcpWeb) aside(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	timer := time.AfterFunc(mcpAside, cancel)
	giveUp := func() bool { return true }
	if w.connecting.Err() == nil {
		// The library does not end this request if connecting is abandoned.
		giveUp = context.AfterFunc(w.connecting, cancel)
	}
	resp, err := w.m.http.RoundTrip(r.WithContext(ctx))
	inTime := timer.Stop()
	giveUp()
	if err == nil && ctx.Err() == nil {
		resp.Body = &mcpBody{Reader: resp.Body, Closer: resp.Body, cancel: cancel}
		return resp, nil
	}
	cancel()
	if err == nil {
		resp.Body.Close()
		err = ctx.Err()
	}
	if r.Method == http.MethodGet && !inTime && r.Context().Err() == nil {
		// A missing stream is better than a failed connection: reply as a server
		// without streams does.
		return &http.Response{StatusCode: http.StatusMethodNotAllowed, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	return nil, err
}

// An mcpBody ends its request when it is closed.
type mcpBody struct {
	io.Reader
	io.Closer
	cancel context.CancelFunc
}

func (b *mcpBody) Close() error {
	defer b.cancel()
	return b.Closer.Close()
}

// inspect records an error in a reply, and limits its length.
func (w *mcpWeb) inspect(r *http.Request, resp *http.Response) {
	kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return // the client follows it or reports why not
	case success && (kind == "text/event-stream" || resp.StatusCode != http.StatusOK):
		return
	case success && kind == "application/json":
		resp.Body = &mcpBounded{ReadCloser: resp.Body, left: mcpMaxMessage, tell: w.note}
		return
	}
	const quoted = 64 << 10 // far more than a message shows
	body, err := io.ReadAll(io.LimitReader(resp.Body, quoted))
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if err != nil && r.Context().Err() != nil {
		return
	}
	if success {
		if len(bytes.TrimSpace(body)) > 0 || kind != "" {
			said := cmp.Or(kind, "a body without a content type") + ", " + strconv.Quote(mcpQuote(body))
			if page := reply.Page(body); page != "" {
				said = page
			}
			w.note(&Error{Kind: Reply, Err: fmt.Errorf("the endpoint answers with %s, not with MCP; use the address of the server's MCP "+
				"endpoint, which often ends in /mcp", said)})
		}
		return
	}
	w.note(w.refusal(r, resp, body))
}

// refusal returns the error for a status other than success.
func (w *mcpWeb) refusal(r *http.Request, resp *http.Response, body []byte) *Error {
	e := StatusError(resp.StatusCode, resp.Header, complaint(body), statusTime(w.m.cfg.Now, resp.Header))
	lost := resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusBadRequest && bytes.Contains(bytes.ToLower(body),
		[]byte("session"))
	switch {
	case lost && r.Header.Get("Mcp-Session-Id") != "":
		return &Error{Kind: Crash, Again: true, Err: fmt.Errorf("the server has ended the session: %w", e.Err)}
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusMethodNotAllowed:
		e.Err = fmt.Errorf("%w; use the address of the server's MCP endpoint, which often ends in /mcp", e.Err)
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		e.Err = fmt.Errorf("%w; set a header with credentials that the server takes", e.Err)
	}
	return e
}

// mcpQuote returns the beginning of a body on one line.
func mcpQuote(body []byte) string {
	return text.Shorten(text.Collapse(text.Visible(strings.ToValidUTF8(string(body[:min(len(body), 8*maxBody)]), "\uFFFD"))), maxBody)
}

// An mcpBounded body returns an error if it is too long.
type mcpBounded struct {
	io.ReadCloser
	left int
	tell func(*Error)
}

func (b *mcpBounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		e := &Error{Kind: Reply, Err: fmt.Errorf("the reply is longer than %d bytes", mcpMaxMessage)}
		b.tell(e)
		return 0, e
	}
	return n, err
}
