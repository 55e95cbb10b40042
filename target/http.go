package target

import (
	"context"
	"net/http"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target/reply"
)

// HTTPConfig says how a JSON endpoint is called.
type HTTPConfig struct {
	// Endpoint is the address that is called, http or https; it may hold
	// placeholders, whose values are escaped.
	Endpoint string
	// Method is POST when empty.
	Method string
	// Header is sent with every request; its values may hold placeholders.
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
	// top_k, metadata, and embedding when Embedder is set and the template has
	// it.
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
	// MaxReply bounds a reply in bytes; 0 is 16 MiB.
	MaxReply int64
	Now      func() time.Time
}

// A Step is a call that is made once, before the first question.
type Step struct {
	Method string
	// Endpoint may hold placeholders.
	Endpoint string
	Send     any
	// Save maps names of placeholders to paths in the reply.
	Save map[string]reply.Path
}

// TLS says how a server's certificate is checked and which one is shown to it.
// CA, Cert and Key are files in PEM.
type TLS struct {
	CA, Cert, Key string
	ServerName    string
	// Insecure checks nothing; every run says so.
	Insecure bool
}

// HTTP is a target that answers over HTTP with JSON, events or text.
type HTTP struct{}

// NewHTTP checks the configuration; nothing is called yet.
func NewHTTP(c HTTPConfig) (*HTTP, error) { panic("not written yet") }

// Ask makes one call.
func (h *HTTP) Ask(ctx context.Context, c *assay.Case) (assay.Response, error) {
	panic("not written yet")
}

// Close closes idle connections.
func (h *HTTP) Close() error { panic("not written yet") }
