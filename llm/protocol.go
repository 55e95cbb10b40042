package llm

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"time"

	modelreply "github.com/assay-eval/assay/target/reply"
)

// Protocols lists the kinds of providers in the order of help texts. A new kind needs
// one file with its definition, and one line here.
var Protocols = protocols{&anthropic, &openai, &ollama, &gemini}

// An expression is a regular expression that is compiled at its first use.
type expression = func() *regexp.Regexp

// A Protocol defines one kind of provider: addresses, requests and replies. All code
// that names kinds of providers uses [Protocols].
type Protocol struct {
	// Kind is the name of the protocol in settings. It is also the name of the provider
	// unless the configuration sets another.
	Kind string
	// Doc describes in one line, without a full stop, which servers speak the protocol.
	Doc string
	// Example is the name of a model, as users write it after the provider's name.
	Example string
	// BaseURL is the default address.
	BaseURL string
	// KeyEnv is the environment variable that holds the key of the server at BaseURL.
	// It is sent to no other host. Empty if that server needs no key.
	KeyEnv string
	// NeedsKey is set if every server of the protocol requires a key.
	NeedsKey bool
	// Free is set if calls cost nothing unless the price table has a price.
	Free bool
	// Schema, Seed and Thinking are set if the protocol supports a JSON schema of the
	// reply, a seed, and reasoning.
	Schema, Seed, Thinking bool

	// baseURL returns the default address from the environment; nil means BaseURL.
	baseURL func(getenv func(string) string) string
	// paths are suffixes that users may have copied along with the base URL.
	paths []string
	// listing is the path of the list of models.
	listing string
	// authorize adds the key to the header of a request.
	authorize func(h http.Header, base *url.URL, key string)
	// reserved are fields of the body that extra fields must not set.
	reserved []string
	// payload is the field that every reply has and no error has.
	payload string
	// errors recognizes the kind of an error by its text, where the status is
	// ambiguous.
	errors map[Kind]expression
	// wait returns the wait that the server requests by other means than the header
	// Retry-After; since returns the time from the server's clock to a date. It may be
	// nil.
	wait func(h http.Header, body []byte, since func(time.Time) time.Duration) time.Duration
	// dialect returns the dialect of the server at base; thinking is
	// [Options.Thinking].
	dialect func(base *url.URL, thinking string) dialect
}

// A dialect encodes requests to one server and decodes its replies.
type dialect struct {
	// encode converts a request to a call.
	encode func(Request) call
	// decode decodes the body of a reply. Its error is one of encoding/json or
	// errNoPayload.
	decode func(body []byte) (Reply, error)
	// fallbacks are for the parts of a request that servers may reject.
	fallbacks []fallback
}

// A call is an encoded request.
type call struct {
	// path is below the base URL, escaped.
	path string
	body map[string]any
	// remark is a warning about parts of the request that the protocol cannot express;
	// empty if there are none. It is shown once for each model.
	remark string
}

// errNoPayload means that a body lacks the field that makes it a reply.
var errNoPayload = errors.New("no payload")

// Kinds returns the kinds of all [Protocols].
func Kinds() []string { return Protocols.kinds() }

type protocols []*Protocol

func (all protocols) kinds() (kinds []string) {
	for _, p := range all {
		kinds = append(kinds, p.Kind)
	}
	return kinds
}

// find returns the protocol of a kind, or nil.
func (all protocols) find(kind string) *Protocol {
	for _, p := range all {
		if p.Kind == kind {
			return p
		}
	}
	return nil
}

// A server is a provider reached over HTTP.
type server struct {
	transport
	negotiation
	encode func(Request) call
	decode func([]byte) (Reply, error)
}

// Complete makes one call, and one more for each part of the request that the server
// newly rejects.
func (s *server) Complete(ctx context.Context, r Request) (Reply, error) {
	decides := cmp.Or(ThinkingIn(r.Extra), ThinkingIn(s.extra))
	asked := r
	if decides != "" {
		asked.Thinking = 0
	}
	c := s.encode(asked)
	if decides != "" && r.Thinking != 0 {
		c.remark = "the extra field " + decides + " decides about thinking; the budget was not sent"
	}
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
	said, thought := modelreply.Split(reply.Text)
	reply.Text, reply.Thinking = said, cmp.Or(reply.Thinking, thought)
	if reply.Stop = modelreply.Stop(reply.Stop); modelreply.WritesCall(said) {
		reply.Stop = modelreply.StopTool
	}
	if c.remark != "" && s.first(r.Model, c.remark) {
		warnings = append([]string{r.Model + ": " + c.remark}, warnings...)
	}
	reply.Warnings = warnings
	return s.scrub(reply), nil
}

// saysKind reports whether the text of an error matches the pattern of kind k of any
// protocol, because gateways relay the errors of other protocols.
func saysKind(k Kind, text string) bool {
	for _, p := range Protocols {
		if pattern := p.errors[k]; pattern != nil && pattern().MatchString(text) {
			return true
		}
	}
	return false
}
