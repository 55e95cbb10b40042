package upload

import (
	"bytes"
	"context"
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
	"github.com/assay-eval/assay/target/template"
)

// maxReply bounds a reply in bytes: the list of a large library takes about a hundred
// bytes per document.
const maxReply = 64 << 20

// maxQuoted bounds how much of an error's body is read.
const maxQuoted = 16 << 10

// idle is how many idle connections are kept: more than are used at once.
const idle = 64

// A client makes HTTP calls. It sends credentials only to the host of base.
type client struct {
	base   *url.URL
	header http.Header
	// auth is the Authorization header, kept separately so that it cannot be printed.
	auth    secret.Secret
	http    *http.Client
	secrets secret.Set
	now     func() time.Time
}

// newClient checks the address. If c is not nil its transport is used.
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
	// A redirected POST would be followed as a GET, which stores nothing.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{base: u, header: header.Clone(), http: &own, secrets: secrets, now: now}, nil
}

// parseAddress parses an HTTP address. The error does not quote it, since it may
// contain a password.
func parseAddress(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("endpoint: expected an address such as https://host/path")
	case u.User != nil:
		return nil, errors.New("endpoint: contains a user or a password, which would be shown; give them separately")
	}
	u.Fragment = ""
	return u, nil
}

// A received is a successful response.
type received struct {
	header http.Header
	value  any
}

// call makes one call. body is encoded as JSON; nil sends none. A reply without a body
// has the value nil.
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
		// a partial message is good enough
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxQuoted))
		return received{}, target.StatusError(resp.StatusCode, resp.Header, c.secrets.Scrub(string(text)), c.now())
	case resp.StatusCode >= 300:
		to := c.secrets.Scrub(resp.Header.Get("Location"))
		e := target.Errorf(target.Status, "status %d: redirects to %q; use the address that answers itself", resp.StatusCode, to)
		e.Status = resp.StatusCode
		return received{}, e
	}
	v, err := c.read(ctx, resp)
	return received{resp.Header, v}, err
}

func (c *client) request(ctx context.Context, method, address string, header http.Header, body any) (*http.Request, error) {
	var in io.Reader
	if body != nil {
		data, err := template.Marshal(body)
		if err != nil {
			return nil, err
		}
		in = bytes.NewReader(data)
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

// read decodes the body of a successful response: JSON, or any text if the content type
// is not JSON.
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
		return nil, target.Errorf(target.Reply, "reply is not JSON: %.80q", strings.ToValidUTF8(start, "\uFFFD"))
	}
	return v, nil
}

// failed describes why there was no response.
func (c *client) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ctx.Err()
	}
	var late net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late) && late.Timeout() {
		return target.Errorf(target.Timeout, "no response in time")
	}
	e := target.NetworkError(err, c.base, true)
	if e.Kind == target.Refused && !e.Again { // as for a certificate that is not trusted
		return &FatalError{e}
	}
	return e
}

// Do makes a call that a user configured.
func (c *client) Do(ctx context.Context, call Call) (any, error) {
	u, err := c.base.Parse(call.Address)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", call.Address, err)
	}
	got, err := c.call(ctx, call.Method, u.String(), nil, nil)
	return got.value, judge(err)
}

// Close closes idle connections.
func (c *client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}
