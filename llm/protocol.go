package llm

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// Protocols lists the kinds of providers, in the order in which help texts name
// them. A new kind is one file with its definition, and one line here.
var Protocols = []*Protocol{&anthropic, &openai, &ollama, &gemini}

// A Protocol is the definition of one kind of provider: how its servers are
// reached, asked and understood. Everything that names kinds of providers reads
// [Protocols].
type Protocol struct {
	// Kind names the protocol in settings. It is also the provider's name
	// unless a configuration gives another.
	Kind string
	// Doc says in one line, without a full stop, which servers speak it.
	Doc string
	// Example is a model, as users write it behind the provider's name.
	Example string
	// BaseURL is the default address.
	BaseURL string
	// KeyEnv is the environment variable that holds the key of the server at
	// BaseURL. It is sent to no other host. "" when that server wants none.
	KeyEnv string
	// NeedsKey is set when no server of the protocol answers without a key.
	NeedsKey bool
	// Free is set when calls cost nothing, unless a price says otherwise.
	Free bool
	// Schema, Seed and Thinking are set when a request can carry a JSON schema
	// of the reply, a seed, and a request for reasoning.
	Schema, Seed, Thinking bool

	// baseURL gives the default address from the environment; nil is BaseURL.
	baseURL func(getenv func(string) string) string
	// paths are ends of addresses that users may have copied along with the
	// base URL.
	paths []string
	// authorize puts the key into the header of a request.
	authorize func(h http.Header, base *url.URL, key string)
	// reserved are fields of the body that extra fields must not set.
	reserved []string
	// payload is the field that every reply has, and no error.
	payload string
	// stops gives the reasons for the end of a reply in our words.
	stops map[string]string
	// errors finds in the text of an error what its status does not tell.
	errors map[Kind]*regexp.Regexp
	// wait reads how long the server asks to wait, beyond the standard header
	// Retry-After; since gives the time from the server's now. nil reads
	// nothing.
	wait func(h http.Header, body []byte, since func(time.Time) time.Duration) time.Duration
	// dialect makes what asks the server at base.
	dialect func(base *url.URL) dialect
}

// A dialect is how one server is asked and read.
type dialect struct {
	// encode writes a request as a call.
	encode func(Request) call
	// decode reads the body of a reply. Its error is one of encoding/json, or
	// errNoPayload.
	decode func(body []byte) (Reply, error)
	// fallbacks are the parts of a request that servers may refuse.
	fallbacks []fallback
}

// A call is what is sent for a request.
type call struct {
	// path is below the base URL, escaped.
	path string
	body map[string]any
	// remark says what the call could not hold of the request; "" when it
	// holds all. Users read it once for each model.
	remark string
}

// errNoPayload means that a body lacks the field that makes it a reply.
var errNoPayload = errors.New("no payload")

// Kinds gives the kinds of all [Protocols].
func Kinds() []string {
	kinds := make([]string, len(Protocols))
	for i, p := range Protocols {
		kinds[i] = p.Kind
	}
	return kinds
}

// find returns the protocol of a kind, nil when there is none.
func find(kind string) *Protocol {
	for _, p := range Protocols {
		if p.Kind == kind {
			return p
		}
	}
	return nil
}

// A server is a provider that is reached over HTTP.
type server struct {
	transport
	negotiation
	encode func(Request) call
	decode func([]byte) (Reply, error)
}

// Complete makes one call, or one more for each part of the request that the
// server refuses for the first time.
func (s *server) Complete(ctx context.Context, r Request) (Reply, error) {
	c := s.encode(r)
	if err := s.fill(r, c.body); err != nil {
		return Reply{}, err
	}
	a, warnings, err := s.ask(ctx, &s.transport, r.Model, c)
	if err != nil {
		return Reply{}, err
	}
	var reply Reply
	err = s.read(r.Model, a, s.protocol.payload, func(body []byte) (err error) {
		reply, err = s.decode(body)
		return err
	})
	if err != nil {
		return Reply{}, err
	}
	reply.Stop = stopReason(reply.Stop)
	if c.remark != "" && s.first(r.Model, c.remark) {
		warnings = append([]string{r.Model + ": " + c.remark}, warnings...)
	}
	reply.Warnings = warnings
	return s.scrub(reply), nil
}

// stopReason gives a server's reason for the end of a reply in our words, and
// one that no protocol has as it is. Gateways relay the words of other
// protocols than the one that they speak.
func stopReason(reason string) string {
	for _, p := range Protocols {
		if ours := p.stops[reason]; ours != "" {
			return ours
		}
	}
	return reason
}

// saysKind reports whether the text of an error says that it is of the kind, in
// the words of any protocol: gateways relay those of others.
func saysKind(k Kind, text string) bool {
	for _, p := range Protocols {
		if pattern := p.errors[k]; pattern != nil && pattern.MatchString(text) {
			return true
		}
	}
	return false
}
