package upload

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/secret"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/reply"
	"github.com/assay-eval/assay/target/template"
)

// HTTPConfig describes how a JSON endpoint accepts documents.
type HTTPConfig struct {
	// Endpoint may hold placeholders, such as {{id}}, whose values are escaped.
	Endpoint string
	// Method is POST when empty.
	Method string
	Header http.Header
	// Send is the body as a decoded JSON value with the placeholders id, title,
	// text, source, metadata and name; nil sends {"id", "title", "text",
	// "source"}.
	Send any
	// ReadID is the path of the id that the system assigned, in its reply; "" uses "id"
	// if present, else the document's own id.
	ReadID  string
	Secrets secret.Set
	// Client makes the calls; nil is http.DefaultClient.
	Client *http.Client
	Now    func() time.Time
}

// HTTP is a JSON endpoint. It cannot list documents: only the journal says what is
// there. Every request has an Idempotency-Key header, by which a system can recognise a
// repeated request.
type HTTP struct {
	*client
	c    HTTPConfig
	send *template.Template
	id   idPath
}

// NewHTTP checks the configuration and calls nothing.
func NewHTTP(c HTTPConfig) (*HTTP, error) {
	if c.Method == "" {
		c.Method = http.MethodPost
	}
	if !slices.Contains(methods, c.Method) {
		return nil, fmt.Errorf("method %q: expected one of %s", c.Method, strings.Join(methods, ", "))
	}
	if c.Send == nil {
		c.Send = map[string]any{"id": "{{id}}", "title": "{{title}}", "text": "{{text}}", "source": "{{source}}"}
	}
	send, err := template.Parse(c.Send)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	h := &HTTP{c: c, send: send}
	if h.id, err = parseIDPath(c.ReadID); err != nil {
		return nil, err
	}
	// An empty item shows whether the template is an address.
	address, err := h.address(Item{})
	if err != nil {
		return nil, err
	}
	if h.client, err = newClient(address, c.Header, c.Client, c.Secrets, c.Now); err != nil {
		return nil, err
	}
	return h, nil
}

// Destination returns the address without its query, which may contain keys.
func (h *HTTP) Destination() Destination {
	address, _, _ := strings.Cut(h.c.Endpoint, "?")
	return Destination{KindHTTP, h.c.Secrets.Scrub(address), h.c.Method}
}

// Naming keeps titles unchanged: the id is sent separately.
func (h *HTTP) Naming() (template string, files bool) { return "{{title}}", false }

// Body returns the filled-in template. An item without an address has none.
func (h *HTTP) Body(it Item) (any, error) {
	if _, err := h.address(it); err != nil {
		return nil, fmt.Errorf("endpoint: %w", err)
	}
	return h.send.Fill(values(it, nil))
}

func (h *HTTP) address(it Item) (string, error) {
	p, err := template.ParsePattern(h.c.Endpoint)
	if err != nil {
		return "", err
	}
	return p.Address(values(it, nil))
}

// Show returns the request for a document.
func (h *HTTP) Show(it Item) (string, error) {
	address, err := h.address(it)
	if err != nil {
		return "", err
	}
	return show(h, h.client, h.c.Method, address, http.Header{keyHeader: {idempotencyKey(it)}}, it)
}

const keyHeader = "Idempotency-Key"

// idempotencyKey is the same for the same document in the same request format.
func idempotencyKey(it Item) string { return strings.TrimPrefix(it.Hash, hashPrefix) }

// Put sends a document.
func (h *HTTP) Put(ctx context.Context, it Item) (Remote, error) {
	body, err := h.Body(it)
	if err != nil {
		return Remote{}, err
	}
	address, err := h.address(it)
	if err != nil {
		return Remote{}, err
	}
	got, err := h.client.call(ctx, h.c.Method, address, http.Header{keyHeader: {idempotencyKey(it)}}, body)
	if statusOf(err) == http.StatusConflict {
		return Remote{ID: it.ID, Name: it.Name}, ErrPresent
	}
	if err != nil {
		return Remote{}, judge(err)
	}
	id, err := h.id.read(got.value, it.ID)
	return Remote{ID: id, Name: it.Name}, err
}

// An idPath is the path of a document's id in a reply.
type idPath struct {
	path reply.Path
	// given is set if the user gave the path, so that the id is required.
	given bool
}

func parseIDPath(s string) (idPath, error) {
	given := s != ""
	if !given {
		s = "id"
	}
	p, err := reply.ParsePath(s)
	if err != nil {
		return idPath{}, fmt.Errorf("read-id %q: %w", s, err)
	}
	return idPath{p, given}, nil
}

// read extracts the id from a reply, or returns the fallback. A reply that reports a failure has none.
func (p idPath) read(v any, fallback string) (string, error) {
	if err := target.Reported(v); err != nil {
		return "", judge(err)
	}
	if found, ok := p.path.Find(v); ok && len(found) == 1 {
		if id, ok := scalar(found[0]); ok && id != "" {
			return id, nil
		}
	}
	if p.given {
		// The document is stored, but without its id it cannot be recognised in an
		// answer.
		return "", &FatalError{Err: target.Errorf(target.Reply, "the reply has no id at %s; give the path of one (--read-id)", p.path)}
	}
	return fallback, nil
}

// scalar formats a text, a number or a boolean as text.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case float64, bool:
		data, err := json.Marshal(v)
		return string(data), err == nil
	}
	return "", false
}

// show formats a request for a person. Headers with credentials are shown without their
// values.
func show(s Sink, c *client, method, address string, more http.Header, it Item) (string, error) {
	body, err := s.Body(it)
	if err != nil {
		return "", err
	}
	// The request is never sent, so no context is needed.
	req, err := c.request(context.Background(), method, address, more, body)
	if err != nil {
		return "", err
	}
	if req.URL.RawQuery != "" {
		req.URL.RawQuery = "…" // the query may contain keys
	}
	data, err := template.Marshal(body)
	return target.Shown(req, data, c.secrets) + "\n", err
}
