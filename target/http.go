package target

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/reply"
)

// HTTPConfig says how a JSON endpoint is called.
type HTTPConfig struct {
	// Endpoint is the address that is called, http or https; its path and its
	// query may hold placeholders, whose values are escaped. A user and a
	// password in it become basic authentication.
	Endpoint string
	// Method is POST when empty.
	Method string
	// Header is sent with every request; its values may hold placeholders, in
	// whose values line ends become spaces. It goes before the defaults of
	// Accept, Content-Type and User-Agent. In a setup step a header is left out
	// whose placeholders have no value yet.
	Header http.Header
	// Secrets are taken out of everything that is shown or kept: the values of
	// Header that are credentials, a password in Endpoint.
	Secrets secret.Set
	// Send is the body as a decoded JSON value with placeholders (package
	// template); nil sends {"question": "{{question}}"}, and nothing with GET.
	Send any
	// Read says where the parts of the reply are; empty looks for a known shape.
	Read reply.Mapping
	// Values are those of further placeholders. A case brings question, id,
	// top_k, metadata, tags, and embedding when Embedder is set and the template
	// has it.
	Values   map[string]any
	TopK     int
	Embedder assay.Embedder
	// Setup are calls that are made once, before the first question, and whose
	// replies give values of placeholders.
	Setup []Step
	TLS   TLS
	// Proxy is the address of a proxy; "" takes that of the environment
	// (HTTPS_PROXY, NO_PROXY), "none" takes none.
	Proxy string
	// MaxReply bounds a reply in bytes, unpacked; 0 is 16 MiB.
	MaxReply int64
	// Now is the time to which a date in Retry-After is compared; without it,
	// that is the server's own.
	Now func() time.Time
}

// A Step is a call that is made once, before the first question.
type Step struct {
	// Method is POST when empty, or GET when there is nothing to send.
	Method string
	// Endpoint may hold placeholders.
	Endpoint string
	Send     any
	// Save maps names of placeholders to paths in the reply.
	Save map[string]reply.Path
}

// TLS says how a server's certificate is checked and which one is shown to it.
// CA, Cert and Key are files in PEM. The authorities of CA are trusted beside
// those of the system.
type TLS struct {
	CA, Cert, Key string
	ServerName    string
	// Insecure checks nothing; every run says so.
	Insecure bool
}

// maxReply bounds a reply: a thousand passages of a page each fit several times.
const maxReply = 16 << 20

// HTTP is a target that answers over HTTP with JSON, events or text.
//
// At most five redirects are followed, to the same scheme, host and port or
// from http to https on the usual ports of one host; a POST only by 307, 308 and
// 303, since others would drop the question. Anything else is an error that
// names the place. A redirect, like any status that is no success, has the kind
// [Status]; no connection and a certificate that is not trusted are [Refused]; a
// connection that breaks is a [Crash]; what cannot be understood, is empty or is
// too long is [Reply]; a failure that the reply tells of is [Failed].
type HTTP struct {
	call     httpCall
	header   []httpHeader
	read     reply.Mapping
	values   map[string]any
	topK     int
	embedder assay.Embedder
	embeds   bool
	limit    int64
	now      func() time.Time

	steps []httpStep
	// turn admits one case at a time to the setup.
	turn  chan struct{}
	state atomic.Pointer[httpState]

	client    *http.Client
	transport *http.Transport
}

// An httpState is what is known after the setup: it is replaced, never changed.
type httpState struct {
	ready   bool
	saved   map[string]any
	secrets secret.Set
}

// NewHTTP checks the configuration; nothing is called yet. The error names the
// part that is wrong and holds no secrets.
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
		limit: c.MaxReply, now: c.Now, turn: make(chan struct{}, 1),
	}
	if h.limit < 0 {
		return nil, fmt.Errorf("max reply %d: want a number of bytes above 0", h.limit)
	}
	if h.limit == 0 {
		h.limit = maxReply
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
	h.state.Store(&httpState{ready: len(h.steps) == 0, secrets: *secrets})
	return h, nil
}

// Ask makes one call.
func (h *HTTP) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	if err := cancelled(ctx); err != nil {
		return assay.Response{}, err
	}
	values := caseValues(c, h.topK, h.values)
	state, fail := h.setup(ctx)
	if fail != nil {
		return assay.Response{}, fail
	}
	for name, value := range state.saved {
		values[name] = value
	}
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
	v, fail := h.exchange(ctx, &h.call, values, state.secrets, true)
	if fail != nil {
		return assay.Response{}, fail
	}
	resp, fail := h.understand(ctx, v)
	if fail != nil {
		return assay.Response{}, fail
	}
	return resp, nil
}

// Close closes idle connections.
func (h *HTTP) Close() error {
	h.transport.CloseIdleConnections()
	return nil
}
