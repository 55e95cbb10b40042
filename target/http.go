package target

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/reply"
)

// HTTPConfig describes how a JSON endpoint is called.
type HTTPConfig struct {
	// Endpoint is the http or https address. Its path and query may hold placeholders,
	// whose values are escaped. User and password in it become basic authentication.
	Endpoint string
	// Method is POST when empty.
	Method string
	// Header is sent with every request and overrides the defaults of Accept,
	// Content-Type and User-Agent. Values may hold placeholders; line ends in their
	// values become spaces. In a setup step, a header whose placeholders have no value
	// yet is omitted.
	Header http.Header
	// Secrets are removed from everything that is shown or stored. Values of Header
	// that are credentials, and a password in Endpoint, are added to them.
	Secrets secret.Set
	// Send is the body as a decoded JSON value with placeholders (package
	// template); nil sends {"question": "{{question}}"}, and nothing with GET.
	Send any
	// Read maps the parts of the reply to paths; empty detects a known shape.
	Read reply.Mapping
	// Values are values of further placeholders. A case provides question, id, top_k,
	// metadata and tags, and embedding if Embedder is set and the template uses it.
	Values   map[string]any
	TopK     int
	Embedder assay.Embedder
	Setup    []Step
	TLS      TLS
	// Proxy is the address of a proxy; "" uses the environment (HTTPS_PROXY, NO_PROXY),
	// "none" uses no proxy.
	Proxy string
	// Now is the clock that a date in Retry-After is compared with; nil uses the
	// server's own Date header.
	Now func() time.Time
}

// TLS describes how a server's certificate is checked and which client certificate is
// sent. CA, Cert and Key are PEM files. The authorities in CA are trusted in addition
// to the system's.
type TLS struct {
	CA, Cert, Key string
	ServerName    string
	// Insecure skips the check of certificates; every run warns about it.
	Insecure bool
}

// maxReply bounds an unpacked reply in bytes: several times a thousand passages of one page each.
const maxReply = 16 << 20

// HTTP is a target that answers over HTTP with JSON, events or text.
//
// It follows at most five redirects, to the same scheme, host and port, or from http to
// https on the default ports of one host. A POST is redirected only by 307, 308 and
// 303; other statuses would drop the question. Any other redirect is an error that
// names the location. A redirect error, like any status other than success, has the
// kind [Status]. A failed connection or an untrusted certificate is [Refused], a broken
// connection [Crash]; a reply that cannot be parsed, is empty or too long is [Reply]; a
// failure that the reply reports is [Failed].
type HTTP struct {
	call   httpCall
	header []httpHeader
	// usualBody is set if no setting says what the body is.
	usualBody bool
	read      reply.Mapping
	values    map[string]any
	topK      int
	embedder  assay.Embedder
	embeds    bool
	now       func() time.Time

	steps []httpStep
	// turn admits one case at a time to the setup; saved are the values after it.
	turn    chan struct{}
	saved   map[string]any
	secrets secret.Set

	client    *http.Client
	transport *http.Transport
}

// NewHTTP checks the configuration and calls nothing. The error names the wrong part
// and holds no secrets.
func NewHTTP(c HTTPConfig) (*HTTP, error) {
	secrets := append(secret.Set(nil), c.Secrets...)
	h, err := newHTTP(c, &secrets)
	if err != nil {
		return nil, errors.New(secrets.Scrub(err.Error()))
	}
	return h, nil
}

func newHTTP(c HTTPConfig, secrets *secret.Set) (*HTTP, error) {
	h := &HTTP{
		read: c.Read, values: c.Values, topK: c.TopK, embedder: c.Embedder,
		now: c.Now, turn: make(chan struct{}, 1), usualBody: c.Send == nil,
	}
	var err error
	if h.call, err = newHTTPCall(c.Method, c.Endpoint, c.Send, map[string]any{"question": "{{question}}"}); err != nil {
		return nil, err
	}
	if h.header, err = newHTTPHeader(c.Header, h.call.address.user); err != nil {
		return nil, err
	}
	*secrets = append(*secrets, httpSecrets(h.header, h.call.address.user)...)
	saved, err := h.newSteps(c.Setup)
	if err != nil {
		return nil, err
	}
	if err := h.checkNames(c, saved); err != nil {
		return nil, err
	}
	if h.transport, err = NewTransport(c.TLS, c.Proxy, secrets); err != nil {
		return nil, err
	}
	h.client = &http.Client{Transport: h.transport, CheckRedirect: checkRedirect}
	h.secrets = *secrets
	return h, nil
}

// Ask makes one call.
func (h *HTTP) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if err := cancelled(ctx); err != nil {
		return assay.Response{}, err
	}
	values := caseValues(c, h.topK, h.values)
	saved, fail := h.setup(ctx)
	if fail != nil {
		return assay.Response{}, fail
	}
	maps.Copy(values, saved)
	if h.embeds {
		vectors, err := h.embedder.Embed(ctx, []string{c.Question})
		if err == nil && len(vectors) != 1 {
			err = fmt.Errorf("%d vectors for one text", len(vectors))
		}
		if gone := cancelled(ctx); gone != nil {
			return assay.Response{}, gone
		}
		if err != nil {
			return assay.Response{}, Errorf(Failed, "embedding the question: %w", err)
		}
		values[valueEmbedding] = vectors[0]
	}
	v, fail := h.exchange(ctx, &h.call, values, true)
	if fail != nil {
		return assay.Response{}, fail
	}
	resp, err := readReply(ctx, h.read, v, false)
	var own *reply.FailureError
	switch {
	case errors.As(err, &own):
		fail = failedItself(own)
	case err != nil:
		fail = Errorf(Reply, "%w", err)
	default:
		return resp, nil
	}
	hide(fail, h.secrets)
	return resp, fail
}

// Close closes idle connections.
func (h *HTTP) Close() error {
	h.transport.CloseIdleConnections()
	return nil
}
