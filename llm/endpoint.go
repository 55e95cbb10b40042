package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// An Endpoint is a path of a server that does something other than chat: it transcribes
// recordings, embeds or ranks texts. Address, key and errors work as for a provider.
type Endpoint struct {
	transport
	path string
}

// OpenEndpoint returns the endpoint of a server of a kind, one of [Kinds] or
// [ServiceKinds]. path is below the base URL, such as "audio/transcriptions"; it is
// removed from a base URL that ends in it. OpenEndpoint makes no call; its errors are
// those of [Open].
func OpenEndpoint(kind string, o Options, path string) (*Endpoint, error) {
	p := slices.Concat(Protocols, Services).find(kind)
	if p == nil {
		return nil, fmt.Errorf("provider %q: expected one of %q", kind, append(Kinds(), ServiceKinds()...))
	}
	path = strings.Trim(path, "/")
	t, err := p.reach(o, "/"+path)
	if err != nil {
		return nil, err
	}
	return &Endpoint{t, path}, nil
}

// Post makes one call with a body of the given content type and length. It returns the
// body of the reply, at most 16 MB, and its header. The error is ctx's or an *[Error],
// as for a provider.
func (e *Endpoint) Post(
	ctx context.Context, model, contentType string, body io.Reader, length int64,
) (reply []byte, header http.Header, err error) {
	a, err := e.send(ctx, http.MethodPost, model, e.path, contentType, body, length)
	return a.body, a.header, err
}

// PostJSON is Post with a JSON object, to which the extra fields of the options are
// added. reserved are those that they must not set.
func (e *Endpoint) PostJSON(
	ctx context.Context, model string, fields map[string]any, reserved ...string,
) (reply []byte, header http.Header, err error) {
	for _, own := range reserved {
		if _, set := e.extra[own]; set {
			return nil, nil, e.fail(model, KindRequest, fmt.Sprintf("extra field %q: reserved by the protocol", own))
		}
	}
	merge(fields, e.extra)
	a, err := e.post(ctx, model, call{path: e.path, body: fields})
	return a.body, a.header, err
}

// Get returns the body of another path below the base URL. Its errors are those of Post.
func (e *Endpoint) Get(ctx context.Context, model, path string) ([]byte, error) {
	a, err := e.send(ctx, http.MethodGet, model, path, "", http.NoBody, 0)
	return a.body, err
}

// Decode decodes the JSON body of a reply into into. A body that is not JSON, or that
// reports a failure, yields an *[Error].
func (e *Endpoint) Decode(model string, body []byte, into any) error {
	return e.read(model, answer{body, http.Header{}}, "", func(body []byte) error {
		return json.Unmarshal(bytes.TrimSpace(body), into)
	})
}

// Fail returns an *[Error] of kind k, with the key removed from message.
func (e *Endpoint) Fail(model string, k Kind, message string) *Error {
	return e.fail(model, k, message)
}

// Scrub removes the key from s.
func (e *Endpoint) Scrub(s string) string { return e.key.Scrub(s) }
