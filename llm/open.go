package llm

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/internal/secret"
)

// Options configure a provider. The zero value is the default address of the kind,
// without a key.
type Options struct {
	// Name is the name of the provider; empty means its kind. It is part of the key of every call in the ledger.
	Name string
	// BaseURL is the address of the server, http or https; empty means the default of
	// the protocol.
	BaseURL string
	// KeyEnv is the name of the environment variable that holds the key. If empty, the
	// variable of the protocol is used for the vendor's own address, and no key is sent
	// to any other, because a key must only reach its own server.
	KeyEnv string
	// Getenv looks up environment variables; nil means an empty environment.
	Getenv func(string) string
	// Extra contains further fields of every request; [Request.Extra] overrides them.
	// Unlike those, they are not part of the ledger's key.
	Extra map[string]any
	// Thinking names the field by which a server of the protocol openai is told to
	// reason, one of [ThinkingFields]; "" means the one that its host documents, or
	// reasoning_effort. The other protocols have one field each.
	Thinking string
	// HTTP makes the calls; nil means a client with the defaults of net/http. Its
	// redirect policy and cookie jar are ignored: no redirect is followed, and no
	// cookie is stored.
	HTTP *http.Client
}

// Open returns a provider of a kind, one of [Kinds]. It makes no call. It returns an
// error if a required key is missing, if a key is not valid in a header, or if the
// address is not a plain http or https URL. No error quotes a secret.
func Open(kind string, o Options) (Provider, error) {
	p := Protocols.find(kind)
	if p == nil {
		return nil, fmt.Errorf("provider %q: expected one of %q", kind, Kinds())
	}
	t, err := p.reach(o)
	if err != nil {
		return nil, err
	}
	if err := CheckThinking(p.Kind, o.Thinking); err != nil {
		return nil, fmt.Errorf("provider %q: %w", t.name, err)
	}
	d := p.dialect(t.base, o.Thinking)
	return &server{transport: t, negotiation: negotiation{fallbacks: d.fallbacks}, encode: d.encode, decode: d.decode}, nil
}

// AddressOf returns the address of the server that [Open] would call; "" if the options are wrong.
func AddressOf(kind string, o Options) string {
	p := slices.Concat(Protocols, Services).find(kind)
	if p == nil {
		return ""
	}
	t, _ := p.reach(o) // a replay needs no key
	return t.Address()
}

// address parses the base URL of a server and removes the suffixes in ends, which users
// may have copied along with it.
func address(s string, ends ...string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil {
		// The text of a url.Error quotes the address, including a password.
		var e *url.Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return nil, fmt.Errorf("base URL: %w", err)
	}
	switch {
	case u.User != nil:
		return nil, errors.New("base URL: contains a user or a password; put the key into an environment variable")
	case hasKey(u.Query()):
		return nil, errors.New("base URL: contains a key in its query, and reports show addresses; put the key into an environment variable")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("base URL %q: expected http:// or https:// and a host", s)
	case u.Fragment != "":
		return nil, fmt.Errorf("base URL %q: must have no fragment (#)", s)
	}
	u.Path = strings.TrimRight(u.Path, "/")
	for _, end := range ends {
		u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, end), "/")
	}
	u.RawPath = ""
	return u, nil
}

// keyParameter matches the name of a query parameter that holds a secret; "api-version"
// does not match.
var keyParameter = lazyregexp.New(`(?i)^(.*[_-])?(key|token|secret|password|sig|signature)$`)

func hasKey(q url.Values) bool {
	for name := range q {
		if keyParameter().MatchString(name) {
			return true
		}
	}
	return false
}

var (
	variable      = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	plainVariable = lazyregexp.New(`^[A-Z_][A-Z0-9_]*$`)
)

// ErrNoKey is wrapped by the error of [Open] when the key's variable is not set.
var ErrNoKey = errors.New("no key")

// keyFrom returns the key in the environment variable name. The name may be a misplaced
// key, so errors quote it only if it looks like a name.
func keyFrom(o Options, name string) (secret.Secret, error) {
	if !variable().MatchString(name) {
		return secret.Secret{}, errors.New("key variable: not a valid name: expected one such as OPENAI_API_KEY, not the key itself")
	}
	shown := "that was named for the key"
	if plainVariable().MatchString(name) {
		shown = name
	}
	key := strings.TrimSpace(o.Getenv(name))
	if key == "" {
		return secret.Secret{}, fmt.Errorf("%w: the environment variable %s is not set", ErrNoKey, shown)
	}
	for _, c := range []byte(key) {
		if c <= ' ' || c > '~' {
			return secret.Secret{}, fmt.Errorf("the environment variable %s: not a valid key: expected printable ASCII without spaces", shown)
		}
	}
	return secret.New(key), nil
}

// reach returns the transport for a server; paths are further suffixes to remove from
// the base URL.
func (p *Protocol) reach(o Options, paths ...string) (transport, error) {
	if o.Name == "" {
		o.Name = p.Kind
	}
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	t := transport{name: o.Name, protocol: p, extra: o.Extra, keyEnv: o.KeyEnv}
	if err := t.locate(o, append(paths, p.paths...)); err != nil {
		return t, fmt.Errorf("provider %q: %w", o.Name, err)
	}
	client := http.Client{}
	if o.HTTP != nil {
		client = *o.HTTP
	}
	client.Jar = nil
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.client = &client
	return t, nil
}

// locate sets the address and the key that belongs to it.
func (t *transport) locate(o Options, paths []string) (err error) {
	given := o.BaseURL
	if given == "" {
		given = t.protocol.BaseURL
		if t.protocol.baseURL != nil {
			given = t.protocol.baseURL(o.Getenv)
		}
	}
	if t.base, err = address(given, paths...); err != nil {
		return err
	}
	vendor, err := url.Parse(t.protocol.BaseURL)
	if err != nil {
		return err
	}
	if t.keyEnv == "" && strings.EqualFold(t.base.Hostname(), vendor.Hostname()) {
		t.keyEnv = t.protocol.KeyEnv
	}
	switch {
	case t.keyEnv != "":
		t.key, err = keyFrom(o, t.keyEnv)
	case t.protocol.NeedsKey:
		err = fmt.Errorf("no key: name the environment variable that holds the key of %s; %s is only sent to %s",
			t.base.Host, t.protocol.KeyEnv, vendor.Host)
	}
	return err
}
