package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-eval/assay/internal/secret"
	modelreply "github.com/assay-eval/assay/target/reply"
)

const (
	// maxReply limits the body of a reply, to about ten times the longest replies of
	// current models (a few hundred thousand tokens with reasoning).
	maxReply = 16 << 20
	// maxComplaint limits how much of the body of an error is read.
	maxComplaint = 64 << 10
)

// A transport sends requests to one server. All HTTP providers use it.
type transport struct {
	name     string
	protocol *Protocol
	base     *url.URL
	key      secret.Secret
	keyEnv   string
	extra    map[string]any
	client   *http.Client
}

// Name returns the name of the provider.
func (t *transport) Name() string { return t.name }

// Address implements [Located].
func (t *transport) Address() string {
	if t.base == nil {
		return ""
	}
	return t.base.Scheme + "://" + strings.ToLower(t.base.Host) + t.base.Path
}

// String is Name.
func (t *transport) String() string { return t.name }

// An answer is the body and the header of a response with a 2xx status.
type answer struct {
	body   []byte
	header http.Header
}

// post makes one call with a JSON body. The error is that of ctx or an *Error.
func (t *transport) post(ctx context.Context, model string, c call) (answer, error) {
	data, err := json.Marshal(c.body)
	if err != nil && ctx.Err() == nil {
		return answer{}, t.fail(model, KindRequest, "a field cannot be sent: "+err.Error())
	}
	return t.send(ctx, http.MethodPost, model, c.path, "application/json", bytes.NewReader(data), int64(len(data)))
}

// send is like post with any method and a body of any content type, of the given length.
func (t *transport) send(ctx context.Context, method, model, path, contentType string, body io.Reader, length int64) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, err
	}
	req, err := t.request(ctx, method, path, body)
	if err != nil {
		return answer{}, t.fail(model, KindRequest, "the address cannot be called")
	}
	req.ContentLength = length
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return answer{}, t.broken(ctx, model, "no reply", err)
	}
	defer resp.Body.Close()
	limit := int64(maxComplaint)
	if ok(resp.StatusCode) {
		limit = maxReply
	}
	reply, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return answer{}, t.broken(ctx, model, "the reply was cut off", err)
	case !ok(resp.StatusCode):
		if int64(len(reply)) > limit {
			reply = nil // a truncated body could contain a part of the key, which Scrub would miss
		}
		return answer{}, t.refused(model, resp, reply)
	case int64(len(reply)) > limit:
		return answer{}, t.fail(model, KindReply, fmt.Sprintf("the reply has more than %d MB", maxReply>>20))
	}
	return answer{reply, resp.Header}, nil
}

// request returns a request with the key.
func (t *transport) request(ctx context.Context, method, path string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, t.base.JoinPath(path).String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "assay")
	if !t.key.Empty() {
		t.protocol.authorize(req.Header, t.base, t.key.Value())
	}
	return req, nil
}

func ok(status int) bool { return status >= 200 && status < 300 }

// fail returns an error with an untrusted message, made safe by shown.
func (t *transport) fail(model string, k Kind, message string) *Error {
	return &Error{Kind: k, Provider: t.name, Model: model, Message: t.shown(message), Attempts: 1}
}

// broken returns the error for a call without a complete reply. It wraps the cause only
// if that is one of a few known values, because errors of net/http can quote addresses
// and what the server sent.
func (t *transport) broken(ctx context.Context, model, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	e := t.fail(model, KindNetwork, what+": "+err.Error())
	var n net.Error
	if errors.As(err, &n) && n.Timeout() {
		e.Kind = KindTimeout
	}
	for known, says := range map[error]string{io.EOF: "", io.ErrUnexpectedEOF: ", or the compressed reply is cut short"} {
		if errors.Is(err, known) {
			e.Err = known
			e.Message = what + ": the connection was closed" + says
		}
	}
	return e
}

// read passes the body of a reply to into. A body that is not JSON yields an error with
// its beginning, one that reports a failure beside or instead of a reply an error with
// what it says. payload is the field that every reply has, for a message.
func (t *transport) read(model string, a answer, payload string, into func(body []byte) error) error {
	body := bytes.TrimPrefix(a.body, []byte("\ufeff"))
	kind := modelreply.KindOf(a.header.Get("Content-Type"), body)
	// Servers send events that nobody asked for, or the end of a stream after a JSON value.
	v, err := modelreply.ReadBody(bytes.NewReader(body), kind, modelreply.Mapping{})
	if err == nil && !json.Valid(body) && kind != modelreply.Plain {
		body, _ = json.Marshal(v) // it was decoded
	}
	what, failure := "", modelreply.FailureIn(v)
	errors.As(err, &failure) // of an event
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		what = "the reply is empty"
	case modelreply.Page(body) != "":
		what = "the reply is " + modelreply.Page(body) + ", not JSON"
	case failure != nil:
		e := t.fail(model, KindReply, "an error instead of a reply: "+failure.Message)
		broken := modelreply.Broken(v) != nil
		if broken {
			e = t.fail(model, KindServer, failure.Message)
		}
		if _, code := complaint(body); failure.Status > 0 {
			e.Kind, e.Status = kindOf(failure.Status, failure.Message, code), failure.Status
		}
		if broken && e.Status == http.StatusForbidden {
			e.Kind = KindRefused // a moderation of this request, once the key was accepted
		}
		return e
	default:
		err := into(body)
		if err == nil {
			return nil
		}
		if errors.Is(err, errNoPayload) {
			return t.fail(model, KindReply, fmt.Sprintf("the reply has no %s: %s", payload, a.body))
		}
		what = fmt.Sprintf("the reply cannot be read: %s: %s", unread(err), t.shown(string(body)))
	}
	e := t.fail(model, KindReply, what)
	e.Message += t.requestID(a.header)
	return e
}

// unread describes a JSON error without the names of Go types.
func unread(err error) string {
	var e *json.UnmarshalTypeError
	if errors.As(err, &e) {
		return fmt.Sprintf("field %q: unexpected JSON %s", e.Field, e.Value)
	}
	return err.Error()
}

// scrub removes the key from all texts of a reply.
func (t *transport) scrub(r Reply) Reply {
	r.Text = t.key.Scrub(r.Text)
	r.Thinking = t.key.Scrub(r.Thinking)
	r.Model = t.shown(r.Model)
	r.Stop = t.shown(r.Stop)
	for i := range r.Tokens {
		r.Tokens[i].Text = t.key.Scrub(r.Tokens[i].Text)
	}
	return r
}

// fill adds the extra fields to a body: those of the provider, then those of the
// request, which take precedence. Objects are merged; other values are replaced.
// Reserved fields, which decoding the reply depends on, cannot be set.
func (t *transport) fill(r Request, body map[string]any) error {
	for _, extra := range []map[string]any{t.extra, r.Extra} {
		for _, own := range t.protocol.reserved {
			if _, set := extra[own]; set {
				return t.fail(r.Model, KindRequest, fmt.Sprintf("extra field %q: reserved by the protocol", own))
			}
		}
		merge(body, extra)
	}
	return nil
}

// merge copies the fields of from into into, recursively. Nested objects are copied, so
// into shares none with from.
func merge(into, from map[string]any) {
	for k, v := range from {
		fields, object := v.(map[string]any)
		if !object {
			into[k] = v
			continue
		}
		inner, object := into[k].(map[string]any)
		if !object {
			inner = map[string]any{}
		}
		merge(inner, fields)
		into[k] = inner
	}
}

// turns returns the messages in the format that OpenAI and Ollama share.
func (r Request) turns() []map[string]any {
	var m []map[string]any
	if r.System != "" {
		m = append(m, map[string]any{"role": "system", "content": r.System})
	}
	for _, turn := range r.Messages {
		m = append(m, map[string]any{"role": turn.Role, "content": turn.Text})
	}
	return m
}

// A count is a number of tokens. Any other JSON value decodes as 0, because a reply is
// usable without it.
type count int

func (c *count) UnmarshalJSON(data []byte) error {
	if n, _ := strconv.ParseFloat(strings.Trim(string(data), `"`), 64); n > 0 && n < 1e12 {
		*c = count(n)
	}
	return nil
}

// A side is a field that a reply is usable without: a value of another type is ignored.
type side[T any] struct{ v T }

func (s *side[T]) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &s.v) != nil {
		s.v = *new(T)
	}
	return nil
}
