package target

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/assay-eval/assay/target/reply"
)

const (
	// httpHead is how many bytes of a body are used to detect its type.
	httpHead = 512
	// httpLinger is how long to wait for the end of a stream after its last event.
	httpLinger = 50 * time.Millisecond
	// maxComplaint bounds how much of an error's body is read.
	maxComplaint = 64 << 10
)

// exchange makes one call and decodes the reply. main is true for the question itself,
// which a watcher sees, and false for a setup step.
func (h *HTTP) exchange(ctx context.Context, call *httpCall, values map[string]any, main bool) (any, *Error) {
	secrets := h.secrets
	fail := func(e *Error) (any, *Error) {
		e.Err = scrubbed(e.Err, secrets)
		return nil, e
	}
	// Only a client trace can tell whether a connection was ever made.
	var connected atomic.Bool
	held, drop := context.WithCancel(ctx)
	defer drop()
	traced := httptrace.WithClientTrace(held, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	req, sent, err := h.request(traced, call, values, main)
	if err != nil {
		// The same case would fail again in the same way.
		return fail(&Error{Kind: Failed, Err: err})
	}
	watched := main && ctx.Value(watchKey{}) != nil
	if watched {
		text := Shown(req, sent, secrets)
		show(ctx, func(x *Exchange) { x.Sent = text })
	}
	resp, err := h.client.Do(req)
	if err != nil {
		return fail(h.noReply(ctx, err, req.URL, connected.Load()))
	}
	defer resp.Body.Close()
	body := &httpBody{r: resp.Body, left: maxReply, keep: watched}
	if watched {
		defer func() {
			text := httpReceived(resp, body, secrets)
			show(ctx, func(x *Exchange) {
				x.Received = text
				if to := resp.Request.URL; to.String() != req.URL.String() {
					x.Notes = append(x.Notes, secrets.Scrub("redirected to "+to.Redacted()))
				}
			})
		}()
	}
	v, e := h.body(ctx, resp, body, req)
	if e != nil {
		return fail(e)
	}
	if !body.ended {
		rest(body, drop)
	}
	return v, nil
}

// rest reads what follows a stream's last event, for a short time, so that the
// connection can be reused.
func rest(body io.Reader, drop func()) {
	timer := time.AfterFunc(httpLinger, drop)
	defer timer.Stop()
	io.CopyN(io.Discard, body, httpHead) //nolint:errcheck // the reply has been read
}

// body reads the reply.
func (h *HTTP) body(ctx context.Context, resp *http.Response, body *httpBody, req *http.Request) (any, *Error) {
	if err := unpack(resp, body); err != nil {
		return nil, malformed("%w", err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		raw, _ := io.ReadAll(io.LimitReader(body, maxComplaint)) // the status is enough if there is no body
		if v := reply.Decoded(string(raw)); reply.Blocked(v) != "" {
			return v, nil
		}
		return nil, h.refusal(resp, raw, req)
	}
	if resp.ContentLength > maxReply {
		return nil, tooLong()
	}
	r := bufio.NewReaderSize(body, httpHead)
	head, err := peek(r, resp.Header.Get("Content-Type"))
	switch {
	case body.err != nil:
		return nil, brokenOff(ctx, body.err)
	case len(strings.TrimSpace(strings.TrimPrefix(string(head), "\ufeff"))) == 0 && errors.Is(err, io.EOF):
		return nil, malformed("the reply is empty (status %d %s)", resp.StatusCode, http.StatusText(resp.StatusCode))
	case reply.Page(head) != "", strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), "text/html") && bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")):
		page, _ := io.ReadAll(io.LimitReader(r, maxComplaint)) // the title is in whatever part could be read
		return nil, Errorf(Reply, "the reply is %s, not JSON: is %s the address that answers questions?", reply.PageName(page),
			resp.Request.URL.Redacted())
	}
	kind := reply.KindOf(resp.Header.Get("Content-Type"), head)
	in := io.Reader(r)
	if kind == reply.Value || kind == reply.Plain {
		in = inUTF8(in, resp.Header.Get("Content-Type"))
	}
	v, err := reply.ReadBody(in, kind, h.read)
	var own *reply.FailureError
	switch {
	case errors.As(err, &own):
		return nil, failedItself(own)
	case body.over:
		return nil, tooLong()
	case body.err != nil:
		return nil, brokenOff(ctx, body.err)
	case err != nil:
		return nil, malformed("the reply cannot be read: %w (content type %q)", err, resp.Header.Get("Content-Type"))
	}
	return v, nil
}

// inUTF8 decodes a body whose content type names another encoding, unless it is UTF-8: many
// servers name one that they do not write. A body that breaks off is noticed by who reads it.
func inUTF8(in io.Reader, contentType string) io.Reader {
	_, params, _ := mime.ParseMediaType(contentType)
	encoding, name := charset.Lookup(params["charset"])
	if encoding == nil || name == "utf-8" {
		return in
	}
	raw, _ := io.ReadAll(in)
	if text, err := encoding.NewDecoder().Bytes(raw); err == nil && !utf8.Valid(raw) {
		raw = text
	}
	return bytes.NewReader(raw)
}

// peek looks at the beginning of a body. A stream may be shorter than the window and
// stay open, so for a stream only the bytes that have arrived are used.
func peek(r *bufio.Reader, contentType string) ([]byte, error) {
	if !slices.ContainsFunc([]string{"event-stream", "ndjson", "jsonl", "stream+json"}, func(word string) bool {
		return strings.Contains(strings.ToLower(contentType), word)
	}) {
		return r.Peek(httpHead)
	}
	if _, err := r.Peek(1); err != nil {
		return nil, err
	}
	return r.Peek(r.Buffered())
}

func tooLong() *Error {
	return Errorf(Reply, "the reply is longer than %d MiB: expected the endpoint to return fewer or shorter passages", maxReply>>20)
}

// unpack decompresses a body. net/http would too, but does not distinguish a broken compression
// from a broken connection.
func unpack(resp *http.Response, body *httpBody) error {
	coding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	switch {
	case coding == "" || coding == "identity":
		return nil
	case coding != "gzip" && coding != "x-gzip":
		return fmt.Errorf("the reply is compressed with %q: expected gzip, or no Accept-Encoding header that asks for another format", coding)
	}
	body.r = &unzipped{from: httpBody{r: body.r, left: math.MaxInt64 - 1}}
	resp.ContentLength = -1
	return nil
}

// errUnzip is the error of a body that came whole and cannot be decompressed.
var errUnzip = errors.New("the reply cannot be decompressed with gzip")

// An unzipped decompresses a body. An empty one stays empty.
type unzipped struct {
	from httpBody
	zip  *gzip.Reader
}

func (u *unzipped) Read(p []byte) (n int, err error) {
	if u.zip == nil {
		u.zip, err = gzip.NewReader(&u.from)
	}
	if err == nil {
		n, err = u.zip.Read(p)
	}
	if err != nil && !errors.Is(err, io.EOF) && u.from.err == nil {
		err = fmt.Errorf("%w: %w", errUnzip, err)
	}
	return n, err
}

var errTooLong = errors.New("the reply is too long")

// An httpBody reads a body up to a limit and remembers the first error, whatever its
// readers make of it.
type httpBody struct {
	r    io.Reader
	left int64
	over bool
	// ended is set once the body has been read to its end.
	ended bool
	// err is the error that broke the connection.
	err error
	// keep says whether the beginning is kept in seen, for a watcher.
	keep bool
	seen []byte
	read int64
}

func (b *httpBody) Read(p []byte) (int, error) {
	if b.over {
		return 0, errTooLong
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if int64(n) > b.left {
		n, b.over, err = int(b.left), true, errTooLong
	} else if err != nil && err != io.EOF {
		b.err = err
	}
	b.ended = b.ended || err == io.EOF
	b.left -= int64(n)
	b.read += int64(n)
	if b.keep && len(b.seen) < maxSeen {
		b.seen = append(b.seen, p[:min(n, maxSeen-len(b.seen))]...)
	}
	return n, err
}

// failedItself returns the error for a failure that the target reports in a well-formed
// reply.
func failedItself(e *reply.FailureError) *Error {
	return unread(fmt.Errorf("the target reports: %w", e))
}

// statusTime returns the time that a date in Retry-After is compared with; without a clock,
// the server's own.
func statusTime(now func() time.Time, header http.Header) time.Time {
	if now != nil {
		return now()
	}
	at, _ := http.ParseTime(header.Get("Date")) // zero if there is none
	return at
}
