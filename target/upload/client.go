package upload

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
)

// maxReply bounds a reply in bytes: the list of a large library has a hundred
// bytes or so a document.
const maxReply = 64 << 20

// maxQuoted bounds how much of the body of an error is read.
const maxQuoted = 16 << 10

// idle is how many connections are kept for the next document: more than are
// sent at once.
const idle = 64

// A client makes calls over HTTP. Credentials go to the host of base only.
type client struct {
	base   *url.URL
	header http.Header
	// auth is the Authorization header, apart so that it cannot be printed.
	auth    secret.Secret
	http    *http.Client
	secrets secret.Set
	now     func() time.Time
}

// newClient checks the address. The transport of c, when c is not nil, is used
// as it is.
func newClient(endpoint string, header http.Header, c *http.Client, secrets secret.Set, now func() time.Time) (*client, error) {
	u, err := parseAddress(endpoint)
	if err != nil {
		return nil, err
	}
	own := http.Client{}
	if c != nil {
		own = *c
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.MaxIdleConnsPerHost = idle
		own.Transport = t
	}
	// A redirect of a POST is followed as a GET, which would store nothing.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{base: u, header: header.Clone(), http: &own, secrets: secrets, now: now}, nil
}

// parseAddress reads an address of HTTP. The error does not quote it: a password
// may be in it.
func parseAddress(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("endpoint: want an address such as https://host/path")
	case u.User != nil:
		return nil, errors.New("endpoint: holds a user or a password, which would be shown: want them given apart")
	}
	u.Fragment = ""
	return u, nil
}

// A statusError is the error for a response that is not a success.
type statusError struct {
	why    *target.Error
	status int
}

func (e *statusError) Error() string { return e.why.Error() }

// Unwrap returns the error of the target.
func (e *statusError) Unwrap() error { return e.why }

// A received is a response that is a success.
type received struct {
	header http.Header
	value  any
}

// call makes one call. body is encoded as JSON, nil sends none. A reply without
// a body has the value nil.
func (c *client) call(ctx context.Context, method, address string, header http.Header, body any) (received, error) {
	req, err := c.request(ctx, method, address, header, body)
	if err != nil {
		return received{}, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return received{}, c.failed(ctx, err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 400:
		// What cannot be read of the reason is not worth another error.
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxQuoted))
		return received{}, &statusError{target.StatusError(resp.StatusCode, resp.Header, c.secrets.Scrub(string(text)), c.now()), resp.StatusCode}
	case resp.StatusCode >= 300:
		to := c.secrets.Scrub(resp.Header.Get("Location"))
		return received{}, &statusError{target.Errorf(target.Status, "status %d: redirects to %q: want the address that answers itself", resp.StatusCode, to), resp.StatusCode}
	}
	v, err := c.read(ctx, resp)
	return received{resp.Header, v}, err
}

func (c *client) request(ctx context.Context, method, address string, header http.Header, body any) (*http.Request, error) {
	var in io.Reader
	if body != nil {
		var buf bytes.Buffer
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(body); err != nil {
			return nil, err
		}
		in = &buf
	}
	req, err := http.NewRequestWithContext(ctx, method, address, in)
	if err != nil {
		return nil, fmt.Errorf("%s", c.secrets.Scrub(err.Error()))
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "assay")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.URL.Host == c.base.Host && req.URL.Scheme == c.base.Scheme {
		for k, v := range c.header {
			req.Header[http.CanonicalHeaderKey(k)] = slices.Clone(v)
		}
		if !c.auth.Empty() {
			req.Header.Set("Authorization", c.auth.Value())
		}
		if h := c.header.Get("Host"); h != "" {
			req.Host = h
		}
	}
	for k, v := range header {
		req.Header[k] = v
	}
	return req, nil
}

// read decodes the body of a success: JSON, or any text when the type says that
// it is no JSON and it is not.
func (c *client) read(ctx context.Context, resp *http.Response) (any, error) {
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, c.failed(ctx, err)
	case len(data) > maxReply:
		return nil, target.Errorf(target.Reply, "reply of more than %d MiB", maxReply>>20)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, nil
	}
	v, err := reply.ReadBody(bytes.NewReader(data), reply.Value, reply.Mapping{})
	if err != nil {
		start := strings.Join(strings.Fields(c.secrets.Scrub(string(data[:min(len(data), 200)]))), " ")
		return nil, target.Errorf(target.Reply, "reply is no JSON: %.80q", strings.ToValidUTF8(start, "\uFFFD"))
	}
	return v, nil
}

// failed tells why there was no response.
func (c *client) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	kind := target.Crash
	var (
		op   *net.OpError
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
		late net.Error
	)
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	switch {
	case errors.As(err, &cert):
		return &FatalError{Err: fmt.Errorf("%s: %s", c.base.Host, c.secrets.Scrub(err.Error()))}
	case errors.As(err, &op) && op.Op == "dial", errors.As(err, &dns):
		kind = target.Refused
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &late) && late.Timeout():
		return target.Errorf(target.Timeout, "no response in time")
	}
	return target.Errorf(kind, "%s", c.secrets.Scrub(err.Error()))
}

// do makes a call that a user gave.
func (c *client) do(ctx context.Context, call Call) (any, error) {
	u, err := c.base.Parse(call.Address)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", call.Address, err)
	}
	got, err := c.call(ctx, call.Method, u.String(), nil, nil)
	return got.value, err
}

func (c *client) close() error {
	c.http.CloseIdleConnections()
	return nil
}
